"""The quiz finds its right options out, explains every option, and gives away none of it."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from autograder.faults import CourseFault
from autograder.selfcheck import public_check
from autograder.suite.outcomes import MAX_HINT, MAX_MESSAGE
from autograder.suite.setting import Setting
from autograder.tools import count_compiles

FOLDER = Path(__file__).parents[2] / "jit_quiz"
SOURCE, RELEASE = (FOLDER.parents[1] / part / "jit_quiz" for part in ("source", "release"))
NUMBERS = range(1, 9)
NAMES = ("anna", "bo", "Zoë Ångström", "", "u1", "u2", "u3", "u4")


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    """The reference, loaded as a suite loads it."""
    return Setting(links=None).reference(FOLDER)


@pytest.fixture(scope="module")
def options() -> dict[str, dict[str, str]]:
    """The options that students see."""
    return tomllib.loads((SOURCE / "options.toml").read_text(encoding="utf-8"))


@pytest.fixture
def quiz(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The released tool that shows options."""
    monkeypatch.syspath_prepend(str(RELEASE))
    monkeypatch.delitem(sys.modules, "quiz", raising=False)
    import quiz  # type: ignore[import-not-found]

    monkeypatch.delitem(sys.modules, "quiz")
    return quiz


def cells_of(folder: Path) -> list[dict[str, Any]]:
    """Returns the cells of a notebook of the quiz."""
    return json.loads((folder / "jit_quiz.ipynb").read_text(encoding="utf-8"))["cells"]


def test_answers_of_the_source_are_right(reference: ModuleType) -> None:
    """The solution that the author wrote down is what this JAX does, in all eight questions."""
    source = "\n".join("".join(cell["source"]) for cell in cells_of(SOURCE))
    written = dict(re.findall(r'^answer_(\d) = "(.*)"$', source, re.MULTILINE))
    assert written == {str(number): reference.QUESTIONS[number].right for number in NUMBERS}
    assert [getattr(reference, f"answer_{number}") for number in NUMBERS] == list(written.values())


def test_every_option_is_explained(reference: ModuleType, options: dict[str, dict[str, str]]) -> None:
    """Each question has four options, each of them has an explanation, and there is a way to try each question."""
    for number in NUMBERS:
        explained = dict(reference.EXPLANATIONS[str(number)])
        assert 0 < len(explained.pop("try")) <= MAX_HINT
        assert explained.keys() == options[str(number)].keys() == set(reference.QUESTIONS[number].words)
        assert len(explained) == 4
        assert len(set(explained.values())) == 4
        assert all(40 < len(text) <= MAX_MESSAGE for text in explained.values())


def test_wrong_explanation_does_not_name_the_right_option(reference: ModuleType) -> None:
    """The explanation of a wrong option holds the word of no other one in quotes."""
    for number in NUMBERS:
        words = reference.QUESTIONS[number].words
        for word in words:
            text = reference.EXPLANATIONS[str(number)][word]
            assert not [other for other in words if other != word and f'"{other}"' in text]


def test_code_that_is_run_is_the_code_that_is_shown(reference: ModuleType, options: dict[str, dict[str, str]]) -> None:
    """Each piece of code that the reference runs stands in the notebook or in an option, line for line."""
    shown = "\n".join("".join(cell["source"]) for cell in cells_of(SOURCE))
    shown += "\n".join(text for question in options.values() for text in question.values())
    for question in reference.QUESTIONS.values():
        assert [code for code in question.codes if code not in shown] == []


def test_place_and_length_tell_nothing(reference: ModuleType, options: dict[str, dict[str, str]]) -> None:
    """Neither the first place nor the longest text is a good guess, and the file is sorted by words."""
    firsts = longest = 0
    for number in NUMBERS:
        texts, right = options[str(number)], reference.QUESTIONS[number].right
        assert list(texts) == sorted(texts)
        firsts += next(iter(texts)) == right
        longest += max(texts, key=lambda word: len(texts[word])) == right
    assert firsts <= 3
    assert longest <= 4


def test_release_holds_no_explanation(reference: ModuleType) -> None:
    """No file of the release says which option is right, or why."""
    released = "\n".join(
        path.read_text(encoding="utf-8") for path in RELEASE.rglob("*") if path.suffix != ".pyc" and path.is_file()
    )
    for question in reference.EXPLANATIONS.values():
        assert [text for text in question.values() if text in released] == []
    answers = {cell["id"]: "".join(cell["source"]) for cell in cells_of(RELEASE) if cell["id"].startswith("answer_")}
    assert answers == {f"answer_{number}": f"answer_{number} = None\n# YOUR CODE HERE" for number in NUMBERS}


def test_order_is_ones_own(quiz: ModuleType, options: dict[str, dict[str, str]]) -> None:
    """Each name has one order of its own with all options, and every option is first for somebody."""
    for number, texts in options.items():
        orders = [tuple(quiz.in_order_of(name, int(number), texts)) for name in NAMES]
        assert orders == [tuple(quiz.in_order_of(name, int(number), texts)) for name in NAMES]
        assert all(set(order) == set(texts) for order in orders)
        many = [tuple(quiz.in_order_of(str(name), int(number), texts)) for name in range(60)]
        assert {order[0] for order in many} == set(texts)
        assert len(set(many)) > 12
    assert len({tuple(tuple(quiz.in_order_of(name, int(n), t)) for n, t in options.items()) for name in NAMES}) == len(
        NAMES
    )


@pytest.mark.parametrize("error", [OSError("no user"), KeyError("uid not found"), ImportError("pwd")])
def test_no_name_is_no_hindrance(quiz: ModuleType, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """On a machine that knows no name the options are shown all the same; a JupyterHub's name comes first."""

    def nobody() -> str:
        raise error

    monkeypatch.setattr(quiz.getpass, "getuser", nobody)
    monkeypatch.delenv("JUPYTERHUB_USER", raising=False)
    assert quiz.own_name() == ""
    monkeypatch.setenv("JUPYTERHUB_USER", "anna")
    assert quiz.own_name() == "anna"


def test_options_are_shown_with_their_words(quiz: ModuleType, options: dict[str, dict[str, str]]) -> None:
    """What is shown has each word in quotes in front of its text, and code as a part of its option."""
    text = quiz.as_markdown(options["4"])
    assert [line[:5] for line in text.splitlines() if line.startswith("- **")] == ['- **"'] * 4
    assert "\n  ```python\n  @jax.jit\n  def cap(x, threshold):\n      return lax.cond(" in text


def test_measuring_twice_gives_the_same(reference: ModuleType) -> None:
    """A second measurement in the same process, whatever it says to JAX, comes to the same options."""
    with jax.disable_jit(), jax.enable_x64(True):
        again = Setting(links=None).reference(FOLDER)
    assert [again.QUESTIONS[n].right for n in NUMBERS] == [reference.QUESTIONS[n].right for n in NUMBERS]


def test_measuring_disturbs_nobody(reference: ModuleType) -> None:
    """Programs that were compiled before stay compiled."""
    double, three = jax.jit(lambda x: x * 2), jnp.ones(3)
    double(three)
    for question in reference.QUESTIONS.values():
        question.run()
    with count_compiles() as compiles:
        double(three)
    assert compiles() == 0


@pytest.mark.parametrize("found", [set(), {"one", "two"}, {"none of these"}])
def test_question_without_one_right_option_is_the_courses(reference: ModuleType, found: set[str]) -> None:
    """Where a JAX does none of what the options say, or two of it, nobody loses a mark."""
    with pytest.raises(CourseFault, match="options of question 2 are right"):
        _ = reference.Question(2, (), lambda: found).right


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("One", "answers: "),
        (None, "`answer_2` is not answered yet."),
        ("fourteen", "`answer_2` is none of the words to choose from"),
        (2, "`answer_2` is a number; a string was expected"),
    ],
)
def test_public_check_looks_at_the_form(answer: Any, says: str) -> None:
    """The public check explains the form of an answer, and does not say whether it is right."""
    namespace = {f"answer_{number}": "one" if number == 1 else None for number in NUMBERS} | {"answer_2": answer}
    text = public_check("answers", folder=SOURCE / "checks", namespace=namespace).as_text()
    assert says in text
    assert ("✓ The answer to question 2 is" in text) == (answer == "One")
