"""Whatever a kernel or a replay box answers, the grader raises a fault or gets a value: it never breaks."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.faults import Fault
from autograder.link import Answer
from autograder.suite import Program, f32, i32
from autograder.suite.asking import Asker, LinkPair
from autograder.suite.student import Student

SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.integers() | st.floats() | st.text(max_size=8)
WORDS = st.sampled_from(
    ["tuple", "array", "opaque", "dict", "float32", "int32", "scalar", "jax", "key<fry>", "function"]
)
KEYS = st.sampled_from(
    [
        "t",
        "items",
        "dtype",
        "shape",
        "weak",
        "kind",
        "buffer",
        "name",
        "fields",
        "type",
        "repr",
        "v",
        "found",
        "callable",
        "jitted",
        "window",
        "events",
        "cause",
        "canary",
        "in_avals",
        "out_avals",
        "out_tree",
        "primitives",
        "value",
        "printed",
        "deleted",
        "outputs",
        "trips",
        "structure",
        "operations",
        "custom_calls",
        "size",
        "conditionals",
        "loops",
        "id",
        "branches",
        "depends_on",
        "inside",
        "trip_count",
    ]
)
JSON = st.recursive(
    SCALARS | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=24,
)
STRUCTURE: dict[str, Any] = {"in_avals": [], "out_avals": [], "operations": {}, "custom_calls": [], "size": 0}
STRUCTURE |= {"conditionals": [], "loops": []}
GOOD: dict[str, dict[str, Any]] = {
    "lookup": {"found": True, "callable": True, "jitted": True, "type": "f"},
    "export": {"in_avals": [{"dtype": "float32", "shape": []}], "out_avals": [], "out_tree": "*", "primitives": {}},
    "call": {"value": 1, "printed": "", "deleted": []},
    "open_window": {"window": 1},
    "close_window": {"events": [{"name": "jit(f)", "cause": ""}], "canary": True},
    "value": {"value": 1},
    "clear_caches": {},
    "describe": {"structure": STRUCTURE},
    "run": {"outputs": [[]]},
    "disturb": {"outputs": [[[]], [[]]]},
    "trips": {"trips": [1]},
}
FUZZED = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


class FuzzedLink:
    """Answers in the agreed form, but for one part that the fuzzer chose.

    Args:
        op: The operation whose answer is changed.
        change: What is put over the good answer.
        buffers: Raw bytes of the changed answer.
    """

    def __init__(self, op: str, change: dict[str, Any], buffers: list[bytes]) -> None:
        self.op = op
        self.change = change
        self.buffers = tuple(buffers)

    def ask(self, content: Any, buffers: Any = (), *, timeout: float | None = None) -> Answer:
        """Answers."""
        good = GOOD[content["op"]]
        return Answer(good | self.change, self.buffers) if content["op"] == self.op else Answer(good, (b"x",))


def part_of(op: str) -> st.SearchStrategy[dict[str, Any]]:
    """Changes some of the keys that an answer to this operation has."""
    return st.dictionaries(st.sampled_from(sorted(GOOD[op]) or ["t"]), JSON, min_size=1)


def count(student: Student) -> Any:
    """Opens a window over nothing."""
    program = Program(student._asker, b"x", name="f", in_avals=(), out_avals=(), returns=0)
    with student.count_compiles(evidence=program, fresh=True) as compiles:
        pass
    return compiles(), compiles.causes(), compiles("f")


QUESTIONS: dict[str, Callable[[Student], Any]] = {
    "lookup": lambda student: student.f,
    "export": lambda student: student.f.export(f32, returns=(f32, i32[3])),
    "call": lambda student: student.f(f32(1)),
    "value": lambda student: student.value("x"),
    "open_window": count,
    "close_window": count,
}


def test_unchanged_answers_are_read() -> None:
    """The answers that the fuzzer starts from are good ones, so that it is their changes that are tried."""
    link = FuzzedLink("", {}, [])
    assert count(Student(Asker(LinkPair(link, link)))) == (1, "f", 1)


@pytest.mark.parametrize("op", QUESTIONS)
@given(data=st.data())
@FUZZED
def test_kernel(op: str, data: st.DataObject) -> None:
    """A kernel's answer gives a value or a fault, and nothing else."""
    link = FuzzedLink(op, data.draw(part_of(op)), data.draw(st.lists(st.binary(max_size=9), max_size=2)))
    with suppress(Fault):
        QUESTIONS[op](Student(Asker(LinkPair(link, link))))


def program_of(link: FuzzedLink) -> Program:
    """Returns a program without results, so that its undisturbed run is answered properly."""
    some = {"while": 1, "cond": 1}
    asker = Asker(LinkPair(link, link))
    return Program(asker, b"x", name="f", in_avals=(f32,), out_avals=(), primitives=some, returns=0)


@pytest.mark.parametrize(
    ("op", "ask"),
    [
        ("run", lambda program: program(1.0)),
        ("describe", lambda program: (program.size, program.loops(), program.uses("sqrt"))),
        ("disturb", lambda program: program._replayed.changed({"kind": "loop", "id": 0}, [(1.0,)])),
        ("trips", lambda program: program._replayed.trips(0, [(1.0,)])),
    ],
)
@given(data=st.data())
@FUZZED
def test_replay_box(op: str, ask: Callable[[Program], Any], data: st.DataObject) -> None:
    """A replay box's answer gives a value or a fault, and nothing else."""
    link = FuzzedLink(op, data.draw(part_of(op)), data.draw(st.lists(st.binary(max_size=9), max_size=2)))
    with suppress(Fault):
        ask(program_of(link))
