"""What students find in an answer cell whose solution was taken out."""

from __future__ import annotations

import pytest
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.converters import GenerateAssignment
from traitlets.config import Config

from autograder.course.layout import Course
from autograder.gradebook.configure import configure
from autograder.gradebook.stubs import RunnableStubs

SOLUTION = "### BEGIN SOLUTION\n{}\n### END SOLUTION"
METADATA = {"nbgrader": {"grade_id": "a", "solution": True, "grade": False, "locked": False, "schema_version": 3}}


def released(source: str) -> str:
    """Returns an answer cell as students get it."""
    notebook = new_notebook(cells=[new_code_cell(source, metadata=METADATA)])
    cleared, _ = RunnableStubs().preprocess(notebook, {})
    text: str = cleared.cells[0].source
    return text


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("words = [None]\n" + SOLUTION.format('words = ["a"]'), "words = [None]\n# YOUR CODE HERE"),
        (
            "def f(x):\n    ### BEGIN SOLUTION\n    return x\n    ### END SOLUTION",
            "def f(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()",
        ),
        (
            "n = None\n" + SOLUTION.format("n = 1") + "\ndef f():\n    " + SOLUTION.format("    return n"),
            "n = None\n# YOUR CODE HERE\ndef f():\n    # YOUR CODE HERE\n    raise NotImplementedError()",
        ),
        (
            SOLUTION.format("@jax.jit") + "\ndef f(x):\n    ### BEGIN SOLUTION\n    return x\n    ### END SOLUTION",
            "# YOUR CODE HERE\ndef f(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()",
        ),
        (SOLUTION.format("def f(): ..."), "# YOUR CODE HERE\nraise NotImplementedError()"),
        ("import math\n" + SOLUTION.format("f = 1"), "import math\n# YOUR CODE HERE\nraise NotImplementedError()"),
    ],
)
def test_what_is_left(source: str, left: str) -> None:
    """A placeholder or a function stands alone and runs; where there is neither, what is not answered raises."""
    assert released(source) == left


def test_course_clears_so(course: Course) -> None:
    """Nbgrader, configured for a course, takes our step in the place of its own and keeps all others."""
    config = Config()
    configure(config, course.root)
    ours = [step.__name__ for step in GenerateAssignment(config=config).preprocessors]
    assert [name.replace("RunnableStubs", "ClearSolutions") for name in ours] == [
        step.__name__ for step in GenerateAssignment().preprocessors
    ]
    assert "RunnableStubs" in ours
