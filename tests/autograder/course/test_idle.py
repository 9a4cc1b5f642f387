"""Demonstrations of the release need not run while grading, unless code that runs may need them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autograder.course.cells import Cell, Role
from autograder.course.idle import TAG, defined_elsewhere, not_needed

SHOWN = Cell("code", "rate = 0.5\nprint(rate)", tags=frozenset({TAG}))
ANSWER = Cell("code", "def f(x):\n    ...", role=Role.ANSWER, grade_id="f")
RELEASE = (SHOWN, ANSWER)


def _idle(answer: str, *, shown: Cell = SHOWN) -> bool:
    """Whether the demonstration need not run beside this answer."""
    return 0 in not_needed((shown, replace(ANSWER, source=answer)), RELEASE)


def test_demonstration_that_nothing_reads_does_not_run() -> None:
    """A cell of the release with the tag is left out, and no other."""
    assert not_needed(RELEASE, RELEASE) == {0}
    assert not not_needed(RELEASE, (replace(SHOWN, tags=frozenset()), ANSWER))


@pytest.mark.parametrize(
    "answer",
    [
        "def f(x):\n    return x * rate",
        "f = lambda x: x * rate",
        "class F:\n    def __call__(self, x):\n        return (lambda: x * rate)()",
        "def f(x):\n    global rate\n    rate += 1\n    return x",
        "def f(x):\n    return x * globals()['rate']",
        "def f(x):\n    return eval('x * ' + 'rate')",
        "import __main__\ndef f(x):\n    return x * __main__.rate",
        "%time\ny = rate",
        "def f(x:\n    return rate",
    ],
)
def test_demonstration_that_may_be_read_runs(answer: str) -> None:
    """An answer that reads a name of the demonstration, or may do so in a way that cannot be seen, brings it back."""
    assert not _idle(answer)


@pytest.mark.parametrize("answer", ["def f(rate):\n    return rate", "def f(x):\n    rate = 2\n    return rate * x"])
def test_same_name_of_a_parameter_is_another(answer: str) -> None:
    """A parameter or a local variable of the same name is no use of the demonstration."""
    assert _idle(answer)


def test_changed_demonstration_runs() -> None:
    """What a student changed is the student's code and runs; what a student tagged, too."""
    assert not _idle("def f(x): ...", shown=replace(SHOWN, source="rate = 0.75\nprint(rate)"))


def test_demonstration_that_another_one_needs_runs_with_it() -> None:
    """Where a needed demonstration reads a name of another one, both run."""
    first = Cell("code", "base = 2", tags=frozenset({TAG}))
    second = Cell("code", "rate = base / 4", tags=frozenset({TAG}))
    answer = replace(ANSWER, source="def f(x):\n    return x * rate")

    assert not not_needed((first, second, answer), (first, second, ANSWER))


@pytest.mark.parametrize("source", ["from math import *", "%matplotlib inline\nrate = 1", "rate: float = 1"])
def test_names_that_a_demonstration_binds(source: str) -> None:
    """A cell whose names cannot be seen, a magic or an import of everything, runs; an annotated name is a name."""
    shown = Cell("code", source, tags=frozenset({TAG}))
    answer = replace(ANSWER, source="def f(x):\n    return x * rate + math.pi")

    assert not not_needed((shown, answer), (shown, ANSWER))


@pytest.mark.parametrize(
    ("other", "undone"),
    [
        (Cell("code", "def f(x):\n    return 2 * x"), True),
        (Cell("code", "import math\ndef g(x):\n    return math.pi"), False),
        (Cell("code", "f = 1", role=Role.GRADE, grade_id="check"), False),
        (Cell("markdown", "f = 1"), False),
    ],
)
def test_placeholder_gives_way_to_its_answer_alone(other: Cell, undone: bool) -> None:
    """A placeholder is left out where a cell that runs defines the same; not for an import that both have."""
    placeholder = replace(ANSWER, source="import math\ndef f(x):\n    raise NotImplementedError")

    assert defined_elsewhere((other, placeholder), frozenset({"f"})) == ({1} if undone else set())


@pytest.mark.filterwarnings("default")
def test_warnings_of_a_students_text_are_not_the_graders(recwarn: pytest.WarningsRecorder) -> None:
    """What Python has to say of a student's text, such as an invalid escape, does not reach whoever grades."""
    assert _idle("def f(x):\n    return '\\d'")
    assert not recwarn.list
