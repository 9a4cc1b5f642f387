"""What the tests of the suite API share: answers in process, scripted kernels, and suites written on the spot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from autograder.agent.inprocess import InProcessLink
from autograder.agent.replay import ReplayAgent
from autograder.agent.student import StudentAgent
from autograder.link import Answer
from autograder.suite.asking import Asker, LinkPair
from autograder.suite.run import SuiteRun, run_suite
from autograder.suite.student import Student


class ScriptedLink:
    """A kernel that answers each operation as the test says, and keeps what it was asked.

    Args:
        answers: By operation: a content, an `Answer`, or an exception to raise.
    """

    def __init__(self, answers: Mapping[str, Any]) -> None:
        self.answers = dict(answers)
        self.asked: list[dict[str, Any]] = []
        self.timeouts: list[float | None] = []

    def ask(self, content: Mapping[str, Any], buffers: Sequence[bytes] = (), *, timeout: float | None = None) -> Answer:
        """Answers as scripted."""
        self.asked.append(dict(content))
        self.timeouts.append(timeout)
        answer = self.answers[content["op"]]
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, Answer) else Answer(answer)


@pytest.fixture
def links_of() -> Iterator[Callable[[str], LinkPair]]:
    """Makes real agents in this process for a notebook of one cell."""
    with ExitStack() as stack:

        def make(source: str) -> LinkPair:
            namespace: dict[str, Any] = {"__name__": "__main__"}
            agent = stack.enter_context(closing(StudentAgent(namespace)))
            exec(dedent(source), namespace)
            return LinkPair(InProcessLink(agent), InProcessLink(ReplayAgent()))

        yield make


@pytest.fixture
def student_of(links_of: Callable[[str], LinkPair]) -> Callable[[str], Student]:
    """Makes the `student` of a notebook of one cell."""
    return lambda source: Student(Asker(links_of(source)))


@pytest.fixture
def scripted() -> Callable[..., tuple[Student, ScriptedLink, ScriptedLink]]:
    """Makes a `student` whose kernel and replay box answer as scripted."""

    def make(
        student: Mapping[str, Any] | None = None, replay: Mapping[str, Any] | None = None
    ) -> tuple[Student, ScriptedLink, ScriptedLink]:
        kernel, box = ScriptedLink(student or {}), ScriptedLink(replay or {})
        return Student(Asker(LinkPair(kernel, box))), kernel, box

    return make


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., SuiteRun]:
    """Runs a suite whose check `c` has the given body, against a kernel that answers as scripted."""

    def go(body: str, *, links: LinkPair | None = None, **files: str) -> SuiteRun:
        folder = tmp_path / "suite"
        folder.mkdir(exist_ok=True)
        head = "import pytest\nfrom autograder.suite import *\n\n"
        (folder / "test_c.py").write_text(head + dedent(body), encoding="utf-8")
        for name, text in files.items():
            (folder / f"{name}.py").write_text(dedent(text), encoding="utf-8")
        return run_suite(folder, links or LinkPair(ScriptedLink({}), ScriptedLink({})), grade_ids=["c"])

    return go
