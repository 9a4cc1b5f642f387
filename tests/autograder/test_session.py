"""A session keeps a notebook alive: boxes are replaced, and what killed one is not run again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from autograder.box.box import CellRun
from autograder.box.policy import Limits
from autograder.box.verdict import Usage, Verdict
from autograder.budget import Budget
from autograder.faults import LimitFault, RaisedFault
from autograder.link import Answer
from autograder.session import MAX_BOXES, Cell, ReplaySession, StudentSession
from autograder.wire import raised

LIMITS = Limits(cell_s=5.0, request_s=7.0, notebook_s=60.0)


class FakeBox:
    """Runs nothing: dies at a source that holds `die`, times out at one that holds `slow`, remembers the rest.

    A cell takes a second, or until its deadline where it times out.
    """

    def __init__(self, role: str) -> None:
        self.role = role
        self.alive = True
        self.closed = False
        self.ran: list[str] = []
        self.verdict: Verdict | None = None
        self.usage = Usage(cpu_s=1.0, peak_mb=100.0)
        self.warm = False
        self.spent_s = 0.0
        self.asked: list[float | None] = []

    def execute(self, code: str, *, timeout: float) -> CellRun:
        """Runs a cell."""
        self.spent_s += timeout if "slow" in code else 1.0
        left_running = any("start()" in source for source in self.ran)
        if "die" in code or ("unless_started()" in code and left_running):
            self.alive, self.verdict = False, Verdict("exit", "The code ended its own Python process.")
            return cell_run("died")
        self.ran.append(code)
        return cell_run("timeout" if "slow" in code else "ok")

    def ask(self, content: Any, buffers: Any = (), *, timeout: float | None = None) -> Answer:
        """Answers a request, or dies of it."""
        self.asked.append(timeout)
        if content["op"] == "run" and content.get("slow"):
            self.spent_s += timeout or 0.0
            raise LimitFault("It did not end.", cause="wall")
        if content["op"] == "die":
            self.alive = False
            raise LimitFault("It hung.", cause="wall")
        left_running = content["op"] == "export" and any("start()" in source for source in self.ran)
        if left_running or content.get("name") == "exit":
            self.alive = False
            raise LimitFault("It ended.", cause="exit")
        if content["op"] == "raise":
            raise raised("raised", name="f", type="ValueError", cell=content["cell"], line=content.get("line", 4))
        return Answer({"ran": list(self.ran)})

    def close(self) -> None:
        """Ends."""
        self.closed = True
        self.alive = False


def cell_run(status: Any) -> CellRun:
    """What came of a cell."""
    return CellRun(status=status)


@pytest.fixture
def boxes() -> list[FakeBox]:
    """All boxes that were started, in order."""
    return []


@pytest.fixture
def start(boxes: list[FakeBox]) -> Callable[[str], Any]:
    """Starts fake boxes."""

    def start_box(role: str) -> FakeBox:
        boxes.append(FakeBox(role))
        return boxes[-1]

    return start_box


def student(start: Any, *sources: str) -> StudentSession:
    """A session with these cells."""
    cells = [Cell(number, source) for number, source in enumerate(sources, 1)]
    return StudentSession(cells, start, limits=LIMITS, budget=Budget(600.0))


def test_a_cell_that_kills_its_box_keeps_its_other_statements(start: Any, boxes: list[FakeBox]) -> None:
    """Definitions in the cell that killed the box are there in the next one, the statement that did it is not."""
    session = student(start, "a = 1", "@dec\ndef f():\n    return 2\ndie()\nb = 3", "c = 4")
    session.run()
    assert boxes[-1].ran == ["a = 1", "@dec\ndef f():\n    return 2", "b = 3", "c = 4"]
    assert len(boxes) == 3  # the whole cell, then its statements, then without the one
    assert all(box.closed for box in boxes[:-1])


def test_a_limit_is_noted_once_with_its_cell(start: Any) -> None:
    """What the student reads names the cell and the cause, once."""
    session = student(start, "a = 1", "die()")
    session.run()
    assert [(hit.cause, hit.where) for hit in session.limits] == [("exit", "cell 2")]


def test_a_cell_that_was_stopped_in_time_does_not_cost_the_box(start: Any, boxes: list[FakeBox]) -> None:
    """A cell that times out and can be interrupted is noted, and the rest runs on in the same box."""
    session = student(start, "slow()", "a = 1")
    session.run()
    assert len(boxes) == 1
    assert boxes[0].ran == ["slow()", "a = 1"]
    assert [(hit.cause, hit.where) for hit in session.limits] == [("wall", "cell 1")]


@pytest.mark.parametrize(
    ("notebook_s", "submission_s", "told"),
    [
        (60.0, 600.0, "after 5 s"),
        (3.0, 600.0, "when the notebook had run for 3 s"),
        (60.0, 4.0, "when the submission had run for 4 s in all"),
    ],
)
def test_limit_that_stopped_a_cell_is_told(start: Any, notebook_s: float, submission_s: float, told: str) -> None:
    """A cell is stopped by its own limit, or by what is left of a larger one; the student reads which."""
    limits, budget = Limits(cell_s=5.0, notebook_s=notebook_s), Budget(submission_s)
    session = StudentSession([Cell(1, "slow()")], start, limits=limits, budget=budget)
    session.run()
    assert [hit.message for hit in session.limits] == [f"This cell was stopped {told}."]


def test_what_is_left_of_a_notebook_is_not_run(start: Any, boxes: list[FakeBox]) -> None:
    """A notebook that took its time is asked about what it has defined until then."""
    limits = Limits(cell_s=5.0, notebook_s=2.0)
    session = StudentSession([Cell(n, f"a = {n}") for n in (1, 2, 3)], start, limits=limits, budget=Budget(600.0))
    assert session.ask({"op": "value"}).content == {"ran": ["a = 1", "a = 2"]}
    assert [(hit.cause, hit.where) for hit in session.limits] == [("wall", "cell 3")]


def test_a_submission_has_one_budget_for_all_its_boxes(start: Any, boxes: list[FakeBox]) -> None:
    """What one box spends is missing in the next, of either kind; nothing is asked once nothing is left."""
    budget = Budget(10.0)
    first = StudentSession([Cell(1, "a = 1")], start, limits=LIMITS, budget=budget)
    replay = ReplaySession(start, limits=LIMITS, budget=budget)
    first.ask({"op": "value"})
    for number in range(2):
        with pytest.raises(LimitFault, match="did not end"):
            replay.ask({"op": "run", "slow": number + 1})
    for session in (first, replay):
        with pytest.raises(LimitFault, match="took the 10 s that it may take") as found:
            session.ask({"op": "value"})
        assert found.value.cause == "wall"
    assert [box.asked for box in boxes] == [[7.0], [7.0, 2.0]]


def test_what_hung_is_not_asked_again(start: Any, boxes: list[FakeBox]) -> None:
    """The same request about the same program gets the same answer at once; another input is another request."""
    session = ReplaySession(start, limits=LIMITS, budget=Budget(600.0))
    for buffers in ([b"program", b"1"], [b"program", b"1"], [b"program", b"2"]):
        with pytest.raises(LimitFault, match="did not end"):
            session.ask({"op": "run", "slow": True}, buffers)
    assert len(boxes[0].asked) == 2
    assert [(hit.cause, hit.where) for hit in session.limits] == [("wall", "run")]


def test_what_hung_is_asked_again_with_more_time(start: Any, boxes: list[FakeBox]) -> None:
    """A test that gives more seconds than an earlier one does not fail by the earlier one's deadline."""
    session = ReplaySession(start, limits=LIMITS, budget=Budget(600.0))
    for seconds in (5.0, 5.0, 9.0, 7.0):
        with pytest.raises(LimitFault, match="did not end"):
            session.ask({"op": "run", "slow": True}, [b"program"], timeout=seconds)
    assert len(boxes[0].asked) == 2


def test_a_call_that_hung_is_asked_again(start: Any, boxes: list[FakeBox]) -> None:
    """A call may depend on the calls before it, so that each is made."""
    session = student(start, "a = 1")
    for _ in range(2):
        with pytest.raises(LimitFault, match="It hung"):
            session.ask({"op": "die"})
    assert len(boxes) == 2


def test_a_request_that_kills_the_box_fails_alone(start: Any, boxes: list[FakeBox]) -> None:
    """The request after the one that killed the box is answered by a new box with the notebook run again."""
    session = student(start, "a = 1")
    with pytest.raises(LimitFault, match="It hung"):
        session.ask({"op": "die", "name": "f"})
    assert session.ask({"op": "value"}).content == {"ran": ["a = 1"]}
    assert len(boxes) == 2
    assert [(hit.cause, hit.where) for hit in session.limits] == [("wall", "die f")]


def test_what_a_cell_left_running_costs_no_request(start: Any, boxes: list[FakeBox]) -> None:
    """A request whose box ends by itself is asked once more beside the definitions alone, which stay so."""
    session = student(start, "a = 1\nstart()", "%magic", "def f():\n    return a\nf()")
    assert session.ask({"op": "export", "name": "f"}).content == {"ran": ["a = 1", "%magic", "def f():\n    return a"]}
    assert session.ask({"op": "export", "name": "f"}).content
    assert len(boxes) == 2
    assert [(hit.cause, hit.where) for hit in session.limits] == [("exit", "export f")]


def test_what_a_cell_left_running_costs_no_later_cell(start: Any, boxes: list[FakeBox]) -> None:
    """A cell in which the box ends by itself is run again after definitions alone, and stays whole if that helps."""
    session = student(start, "a = 1\nwhile a:\n    start()", "b = 2", "unless_started()\nc = 3", "d = 4")
    session.run()
    assert [box.ran for box in boxes][1:] == [["a = 1", "b = 2", "unless_started()\nc = 3", "d = 4"]]


def test_a_cell_that_ends_its_box_costs_nothing_before_it(start: Any, boxes: list[FakeBox]) -> None:
    """Where that does not help, the cells before are run as they are, and the cell is taken apart."""
    session = student(start, "print(1)", "a = 1\ndie()", "print(2)", "die()")
    session.run()
    assert boxes[1].ran == [""]
    assert boxes[-1].ran == ["print(1)", "a = 1", "print(2)"]
    assert len(boxes) == 5  # as it is, after definitions, taken apart, without the statement; the last cell at once


def test_a_function_that_ends_its_process_is_asked_twice_once(start: Any, boxes: list[FakeBox]) -> None:
    """Where that does not help, the notebook runs as it is again, and no later request is asked a second time."""
    session = student(start, "a = 1\nprint(a)")
    for _ in range(2):
        with pytest.raises(LimitFault, match="It ended"):
            session.ask({"op": "export", "name": "exit"})
    assert session.ask({"op": "value"}).content == {"ran": ["a = 1\nprint(a)"]}
    assert [box.ran for box in boxes] == [["a = 1\nprint(a)"], ["a = 1"], ["a = 1\nprint(a)"], ["a = 1\nprint(a)"]]


def test_a_magic_that_kills_its_box_is_dropped_as_a_whole(start: Any, boxes: list[FakeBox]) -> None:
    """A cell that is not plain Python cannot be taken apart."""
    session = student(start, "%%bash\ndie", "a = 1")
    session.run()
    assert boxes[-1].ran == ["a = 1"]


def test_a_notebook_that_kills_every_box_ends(start: Any, boxes: list[FakeBox]) -> None:
    """The number of boxes is bounded; then every request fails and says why."""
    session = student(start, *["die()"] * (MAX_BOXES + 5))
    session.run()
    assert len(boxes) == MAX_BOXES
    with pytest.raises(LimitFault, match=f"ended its process {MAX_BOXES} times"):
        session.ask({"op": "value"})


def test_a_replay_box_starts_at_the_first_request_and_is_replaced(start: Any, boxes: list[FakeBox]) -> None:
    """No box is started that nothing is asked of, and a dead one is replaced."""
    session = ReplaySession(start, limits=LIMITS, budget=Budget(600.0))
    assert boxes == []
    with pytest.raises(LimitFault):
        session.ask({"op": "die"})
    session.ask({"op": "run"})
    assert [box.role for box in boxes] == ["replay", "replay"]
    session.close()
    assert session.usage == Usage(cpu_s=2.0, peak_mb=100.0)
    assert session.cold_starts == 2


@pytest.mark.parametrize(
    ("cell", "told"),
    [("In[1]", " at line 4 of cell 2"), ("In[3]", " at cell 7"), ("In[9]", ""), ("", "")],
)
def test_place_of_a_fault_is_told_in_cells_of_the_notebook(start: Any, cell: str, told: str) -> None:
    """The student reads the count of the whole notebook, and no cell or line that it does not have.

    A kernel counts the cells that ran and are not blank. What it makes up beyond that could be a hidden input.
    """
    cells = [Cell(2, "\n\n\na = 1"), Cell(3, " "), Cell(5, "b = 2"), Cell(7, "c = 3")]
    session = StudentSession(cells, start, limits=LIMITS, budget=Budget(600.0))
    with pytest.raises(RaisedFault) as found:
        session.ask({"op": "raise", "name": "f", "cell": cell})
    assert found.value.message == f"`f` raised ValueError{told}."


@pytest.mark.parametrize(("line", "told"), [(300, " at line 300 of cell 2"), (301, " at cell 2")])
def test_a_line_far_down_is_not_told(start: Any, line: int, told: str) -> None:
    """Code chooses the line at which it raises, and could spell a hidden input by it."""
    session = StudentSession([Cell(2, "x\n" * 1000)], start, limits=LIMITS, budget=Budget(600.0))
    with pytest.raises(RaisedFault) as found:
        session.ask({"op": "raise", "name": "f", "cell": "In[1]", "line": line})
    assert found.value.message == f"`f` raised ValueError{told}."


def test_place_in_a_cell_taken_apart_has_no_line(start: Any) -> None:
    """When a cell was run statement by statement, lines are not those of the cell, so none is told."""
    session = student(start, "a = 1", "def f():\n    pass\ndie()")
    with pytest.raises(RaisedFault, match=r"raised ValueError at cell 2\.$"):
        session.ask({"op": "raise", "name": "f", "cell": "In[2]"})
