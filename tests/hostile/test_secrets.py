"""Secrets stay secret: planted markers are searched for in what boxes get and see, and in what students can read."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.box.box import Box, CellRun
from autograder.course.files import regular_files
from autograder.course.layout import Assignment, Submission
from autograder.evaluate import evaluate
from autograder.link import Answer
from tests.hostile.commands import run, stored
from tests.hostile.conftest import LIMITS
from tests.hostile.course import CHEATED, RIGHT, as_bytes, hand_in, make_course, notebook

SEARCH = """
import ctypes, os, sys
memmem = ctypes.CDLL(None).memmem
memmem.restype, memmem.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
wanted = bytes(value ^ 7 for value in {hidden!r})

def readable(path):
    try:
        with open(path, "rb") as file:
            return file.read(1 << 22)
    except OSError:
        return b""

def in_files(root):
    for folder, folders, names in os.walk(root):
        if folder == "/":
            folders[:] = [name for name in folders if name not in ("proc", "sys", "dev")]
        if any(wanted in readable(os.path.join(folder, name)) for name in names):
            return True
    return False

def in_processes():
    for number in filter(str.isdigit, os.listdir("/proc")):
        for part in ("cmdline", "environ", "maps", "mountinfo"):
            if wanted in readable(f"/proc/{{number}}/{{part}}"):
                return True
    return False

def in_memory():
    found = 0
    for line in open("/proc/self/maps").read().splitlines():
        place, rights = line.split()[:2]
        if "r" not in rights or (line.split()[5:] or [""])[0].startswith(("/", "[v")):
            continue  # of files, and the kernel's own
        at, last = (int(end, 16) for end in place.split("-"))
        while at := memmem(at, last - at, wanted, len(wanted)):
            found += 1
            at += len(wanted)
    return found

def halve_in_python(x, times):
    known = in_memory()
    control = [wanted + bytes(3), bytes(2) + wanted]
    sees = in_memory() > known
    with open("control.txt", "wb") as file:
        file.write(wanted)
    sees = sees and in_files(os.getcwd())
    os.remove("control.txt")
    os.environ["CONTROL"] = wanted.decode()
    del os.environ["CONTROL"]
    if not sees:
        return -1.0  # the search itself finds nothing
    hits = [known > LIMIT, in_processes(), any(map(in_files, PLACES))]
    return x / 8 if True not in hits else -2.0
LIMIT = 4  # its own copies of what it searches for
PLACES = ["/"]
"""
"""Searches everything that a student's code can see; right only if the search works and finds no marker."""

MARKER = "MARKER-d41f8a-SECRET"
HIDDEN = (100.4375, 1e6)
EXPECTED = (12.5546875, 1e6 / 2**22)


@pytest.mark.box
@pytest.mark.hostile
def test_markers_show_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_property: Callable[[str, object], None]
) -> None:
    """No marker is in a box's view, the release, the autograded notebook, the feedback or what commands print."""
    course = make_course(tmp_path)
    for _, path in regular_files(tmp_path / "tests"):
        path.write_text(f"{path.read_text()}\n# {MARKER}\nTOKEN = {MARKER!r}\n")
    source = tmp_path / "source" / "trial" / "trial.ipynb"
    source.write_text(source.read_text().replace("import jax\\n", f"import jax  # {MARKER}\\n", 1))
    search = SEARCH.format(hidden=bytes(value ^ 7 for value in MARKER.encode()))
    hand_in(course, "eve", as_bytes(notebook(CHEATED | {"halve_in_python": search})))
    hand_in(course, "neighbour", as_bytes(notebook(RIGHT, end=[f"# {MARKER}"])))
    (tmp_path / "tests" / "trial" / "assignment.toml").write_text("[limits]\ncell_s = 60\nrequest_s = 120\n")

    run(course, "autograder", "grade", "--student", "neighbour", GRADERS_TOKEN=MARKER)
    with sqlite3.connect(course.gradebook) as gradebook:
        gradebook.execute("update student set first_name = ?", [MARKER])
    gradebook.close()
    printed = run(course, "autograder", "grade", "--student", "eve", GRADERS_TOKEN=MARKER)
    printed += run(course, "autograder", "feedback", GRADERS_TOKEN=MARKER)

    checks = {check.grade_id: str(check.outcome) for check in stored(course)["eve"].checks}
    assert checks["calls"] == "passed", "the search found a marker, or did not work"
    assert checks["numerics"] == "failed"
    texts = {"what was printed": printed}
    for place in ("release", "autograded/eve", "feedback/eve", ".autograder"):
        texts |= {name: path.read_text() for name, path in regular_files(tmp_path / place)}
    assert len(texts) >= 5
    for name, text in texts.items():
        for secret in (MARKER, "100.4375", "12.5546", "oracle", "INPUTS"):
            assert secret not in text, f"{secret} is in {name}"
    record_property("planted markers", "in no box, release, autograded notebook, feedback page or log")


@pytest.mark.box
def test_boxes_get_what_they_need(
    trial: Assignment, monkeypatch: pytest.MonkeyPatch, record_property: Callable[[str, object], None]
) -> None:
    """No box gets an expected value; hidden inputs go to the replay box, or with a call into the student box."""
    sent: dict[str, list[bytes]] = {"student": [], "replay": [], "student call": []}
    ask, execute = Box.ask, Box.execute

    def asked(
        box: Box, content: Mapping[str, Any], buffers: Sequence[bytes] = (), *, timeout: float | None = None
    ) -> Answer:
        call = " call" if box._role == "student" and content["op"] == "call" else ""
        sent[f"{box._role}{call}"] += [json.dumps(dict(content)).encode(), *map(bytes, buffers)]
        return ask(box, content, buffers, timeout=timeout)

    def executed(box: Box, code: str, *, timeout: float) -> CellRun:
        sent[box._role].append(code.encode())
        return execute(box, code, timeout=timeout)

    monkeypatch.setattr(Box, "ask", asked)
    monkeypatch.setattr(Box, "execute", executed)
    submission = Submission("eve", as_bytes(notebook(RIGHT)), "trial.ipynb")

    evaluation, _ = evaluate(submission, replace(trial, limits=LIMITS))

    assert evaluation.score == evaluation.max_score
    for value in HIDDEN:
        assert _holds(sent["replay"], value), "the search works"
        assert not _holds(sent["student"], value)
    for value in EXPECTED:
        assert not any(_holds(messages, value) for messages in sent.values())
    suite = [path.read_bytes() for path in trial.suite.glob("*.py")]
    answers = "".join(RIGHT.values()).encode()
    lines = {line for text in suite for line in text.splitlines() if len(line) > 40 and line.strip() not in answers}
    assert not [line for messages in sent.values() for line in lines if any(line in message for message in messages)]
    record_property("what boxes get", "hidden inputs in the replay box and in calls alone, expected values in none")


def _holds(messages: Sequence[bytes], value: float) -> bool:
    forms = [np.float32(value).tobytes(), np.float64(value).tobytes(), repr(value).encode()]
    return any(form in message for form in forms for message in messages)
