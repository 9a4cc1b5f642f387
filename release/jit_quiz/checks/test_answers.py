"""Public check of the form of the answers; whether they are right, only the hidden tests tell."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from autograder.suite import as_word

OPTIONS = tomllib.loads(Path(__file__).parents[1].joinpath("options.toml").read_text(encoding="utf-8"))


@pytest.mark.hint("Write the word in front of the option, in quotes. An answer that you do not know may stay `None`.")
@pytest.mark.parametrize("number", [pytest.param(int(n), id=n) for n in OPTIONS])
def test_form(student, number):
    """The answer to question {id} is the word of one of its options."""
    as_word(student.value(f"answer_{number}"), tuple(OPTIONS[str(number)]), what=f"`answer_{number}`")
