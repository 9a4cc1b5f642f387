"""Fuzzers of everything that reads what a box or a student sent: each target raises a declared fault, or nothing.

`python -m tests.hostile.fuzz TARGET RUNS` drives a target by coverage, with Atheris. The same targets take bytes from
Hypothesis in `test_fuzz.py`, which runs where Atheris does not install.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

WORDS = """
t v items buffer name fields dtype shape weak kind type repr value printed found callable jitted
window events cause canary in_avals out_avals out_tree primitives outputs trips structure operations
custom_calls size conditionals loops id branches depends_on decides inside trip_count fault whose
reason cell line detail student program nonce status ok error ename evalue traceback text data
metadata transient display_id wait execution_state idle output_type stdout int float complex bytes
tuple named dict aval opaque array float32 int32 bool bfloat16 scalar jax numpy nan inf raised
msg_id msg_type stream display_data execute_result update_display_data clear_output status
autograder_reply cells cell_type source nbgrader grade_id code markdown raw halve double numerics
worksheets nbformat kernelspec
""".split()  # noqa: SIM905  # a list of quoted words would take a screen
"""Words that the formats use."""


class Draw:
    """Makes values of bytes that a fuzzer chose; bytes that are used up give zeros.

    Args:
        data: What the fuzzer chose.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def byte(self) -> int:
        """Returns the next byte."""
        self._at += 1
        return self._data[self._at - 1] if self._at <= len(self._data) else 0

    def bytes(self) -> bytes:
        """Returns a short run of bytes."""
        length = self.byte() % 24
        self._at += length
        return self._data[self._at - length : self._at]

    def rest(self) -> bytes:
        """Returns all that is left."""
        return self._data[self._at :]

    def word(self) -> str:
        """Returns a word that the formats use."""
        return WORDS[self.byte() % len(WORDS)]

    def json(self, depth: int = 0) -> Any:
        """Returns a JSON value, of the words that the formats use more often than not."""
        kind = self.byte() % 16
        if kind < 3 and depth < 6:
            return [self.json(depth + 1) for _ in range(self.byte() % 4)]
        if kind < 8 and depth < 6:
            made = {self.word(): self.json(depth + 1) for _ in range(self.byte() % 6)}
            return made | {"t": self.word()} if kind < 5 else made
        plain = (None, True, False, self.byte(), -self.byte(), float("nan"), self.byte() / 7, 10**30, "x" * self.byte())
        if kind < 11:
            return self.word()
        if kind == 11:
            return self.bytes().decode("utf-8", "replace")
        return plain[self.byte() % len(plain)]


def fuzz_wire(data: bytes) -> None:
    """The reader of values."""
    from autograder.faults import Fault
    from autograder.wire import check_fault, decode

    draw = Draw(data)
    with suppress(Fault):
        decode(draw.json(), [draw.bytes() for _ in range(draw.byte() % 4)])
    with suppress(Fault):
        check_fault({"fault": draw.json()})


def fuzz_structure(data: bytes) -> None:
    """The reader of structures."""
    from autograder.faults import Fault
    from autograder.program.structure import read_structure

    draw = Draw(data)
    form: Any = {"in_avals": [], "out_avals": [], "operations": {}, "custom_calls": [], "size": 0, "loops": []}
    form |= {"conditionals": []}
    for _ in range(draw.byte() % 4):
        form[draw.word()] = draw.json()
    with suppress(Fault):
        read_structure(form)
    with suppress(Fault):
        read_structure(draw.json())


def fuzz_suite(data: bytes) -> None:
    """What the suite asks, answered in the agreed form but for what the fuzzer put over it."""
    from autograder.faults import Fault
    from autograder.suite.asking import Asker, LinkPair
    from autograder.suite.student import Student
    from tests.autograder.suite.test_hostile import GOOD, QUESTIONS, FuzzedLink, program_of

    draw = Draw(data)
    op = sorted(GOOD)[draw.byte() % len(GOOD)]
    keys = sorted(GOOD[op]) or ["t"]
    change = {keys[draw.byte() % len(keys)]: draw.json() for _ in range(1 + draw.byte() % 2)}
    link = FuzzedLink(op, change, [draw.bytes() for _ in range(draw.byte() % 3)])
    with suppress(Fault):
        if op in QUESTIONS:
            QUESTIONS[op](Student(Asker(LinkPair(link, link))))
        else:
            program = program_of(link)
            asked = {"run": lambda: program(1.0), "describe": lambda: (program.loops(), program.uses("sqrt"))}
            asked |= {"disturb": lambda: program._replayed.changed({"kind": "loop", "id": 0}, [(1.0,)])}
            asked.get(op, lambda: program._replayed.trips(0, [(1.0,)]))()


def fuzz_conversation(data: bytes) -> None:
    """What a kernel that knows the key sends on its sockets, read as replies, outputs and answers."""
    asyncio.run(_converse(Draw(data)))


async def _converse(draw: Draw) -> None:
    from jupyter_client.session import Session

    from autograder.box.box import _answer
    from autograder.box.client import BoxClient
    from autograder.box.conversation import Conversation, Exchange
    from autograder.faults import Fault

    session = Session(key=b"key")
    loop = asyncio.get_running_loop()
    exchange = Exchange(loop.create_future(), loop.create_future())
    talk = Conversation.__new__(Conversation)
    talk._exchanges = {"id": exchange}
    client = BoxClient.__new__(BoxClient)
    client.session = session
    frames = [_frames(draw, session) for _ in range(1 + draw.byte() % 3)]
    for take in (talk._take_reply, talk._take_output):
        session.digest_history.clear()  # each reader has a session of its own
        source = _Source(list(frames))
        with suppress(_Empty):
            await client._read(source, take)
    if exchange.reply.done():
        with suppress(Fault):
            _answer(exchange.reply.result(), "nonce")


def _frames(draw: Draw, session: Any) -> list[bytes]:
    """Writes a message as a hostile kernel may: signed, of any JSON, or of bytes that are none."""
    header = {"msg_id": draw.json(), "msg_type": draw.word() if draw.byte() % 4 else draw.json()}
    header |= {"version": "5.3"} if draw.byte() % 4 else {}
    parent = {"msg_id": "id"} if draw.byte() % 8 else draw.json()
    parts = [json.dumps(part).encode() for part in (header, parent, draw.json(), draw.json())]
    if draw.byte() % 16 == 0:
        parts[draw.byte() % 4] = b"[" * 900 + b"]" * 900 if draw.byte() % 2 else draw.bytes()
    return [b"<IDS|MSG>", session.sign(parts), *parts, *(draw.bytes() for _ in range(draw.byte() % 3))]


class _Empty(Exception):
    """There is no further message."""


class _Source:
    """Stands for a socket with messages in it."""

    def __init__(self, messages: list[list[bytes]]) -> None:
        self._messages = messages

    async def recv_multipart(self) -> list[bytes]:
        """Returns the next message."""
        if not self._messages:
            raise _Empty
        return self._messages.pop(0)


def fuzz_intake(data: bytes) -> None:
    """A notebook with mutated cells, and one of mutated bytes: nothing raises, and the maximum stays."""
    from autograder.course.cells import read_cells
    from autograder.course.intake import intake
    from autograder.course.layout import Assignment, Submission
    from tests.hostile.course import RIGHT, as_bytes, notebook

    draw = Draw(data)
    nowhere = Path("a")
    document = json.loads(as_bytes(notebook(RIGHT)))
    assignment = Assignment("a", nowhere, nowhere, nowhere, read_cells(document), ())
    for _ in range(draw.byte() % 6):
        cells = document["cells"]
        cell = cells[draw.byte() % len(cells)] if cells else {}
        change = draw.byte() % 5
        if change == 0 and cells:
            cells.pop(draw.byte() % len(cells))
        elif change == 1:
            cells.insert(
                draw.byte() % 9, draw.json() if draw.byte() % 2 else dict(cell) if isinstance(cell, dict) else 3
            )
        elif change == 2:
            document[draw.word()] = draw.json()
        elif isinstance(cell, dict):
            place = cell.get("metadata") if change == 3 else cell
            place = place if isinstance(place, dict) else cell
            place[draw.word()] = draw.json()
        document["cells"] = cells
    raw = bytearray(json.dumps(document).encode())
    for _ in range(draw.byte() % 4):
        raw[draw.byte() * 7 % len(raw)] = draw.byte()
    for given in (bytes(raw), draw.rest()):
        taken = intake(Submission("eve", given), assignment)
        ids = [placed.cell.grade_id for placed in taken.cells if placed.cell.grade_id]
        assert sorted(ids) == sorted(cell.grade_id for cell in assignment.cells)


TARGETS: Mapping[str, Callable[[bytes], None]] = {
    "wire": fuzz_wire,
    "structure": fuzz_structure,
    "suite": fuzz_suite,
    "conversation": fuzz_conversation,
    "intake": fuzz_intake,
}


def main(target: str, runs: int, *options: str) -> None:
    """Fuzzes a target by coverage for a number of runs; ends with another status than 0 at the first that raises."""
    import atheris

    run = TARGETS[target]
    with atheris.instrument_imports(include=["autograder"]):
        run(bytes(64))  # imports what it needs, instrumented
    atheris.Setup(
        [sys.argv[0], f"-runs={runs}", "-max_len=1024", "-len_control=0", "-seed=1", "-verbosity=0", *options], run
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
