"""The store keeps one file per evaluation, named by a digest of everything that decided it.

A file is written beside its place, flushed to the disk and renamed, so that whoever reads finds a whole evaluation or
none, also when the grader is killed. A second file beside it, written first, holds what varies from run to run (times,
memory) and the digests of the parts of the key, by which a later run can say what has changed.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, astuple, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from autograder import serial
from autograder.course.files import NOT_THE_STUDENTS, file_digest, regular_files
from autograder.course.layout import Assignment, Submission
from autograder.faults import HostFault
from autograder.records import Environment, Evaluation

_HALF = ".half-"
_STALE_S = 3600.0
"""Seconds after which nobody writes on at half a file."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Digests of what decides an evaluation, part by part; SHA-256, hexadecimal.

    Attributes:
        submission: Whose it is, the raw bytes before any repair, and the files beside the notebook.
        release: The name of the assignment and all that was released.
        suite: The hidden suite; the golden submissions and the limits do not count.
        limits: All limits in force.
        environment: Versions and sandbox.
        program: This program's own files: the version alone does not tell whether a copy was mended.
    """

    submission: str
    release: str
    suite: str
    limits: str
    environment: str
    program: str

    @property
    def key(self) -> str:
        """The key of the evaluation: one digest of all parts."""
        return _digest([b"autograder evaluation 2", *(part.encode() for part in astuple(self))])


def parts(
    submission: Submission, assignment: Assignment, *, limits: Mapping[str, object], environment: Environment
) -> Parts:
    """Returns the digests of everything that decides an evaluation.

    Args:
        submission: What was handed in.
        assignment: What it was handed in for.
        limits: All limits in force.
        environment: Versions and sandbox.

    Raises:
        HostFault: One of the files cannot be read.
    """
    handed_in = [submission.student.encode(), submission.filename.encode("utf-8", "surrogateescape"), submission.raw]
    beside = _folder(submission.folder, NOT_THE_STUDENTS) if submission.folder is not None else ()
    return Parts(
        submission=_digest([*handed_in, *beside]),
        release=_digest([assignment.name.encode(), *_folder(assignment.release.parent, frozenset())]),
        suite=_digest(_folder(assignment.suite, frozenset({"submissions", "assignment.toml"}))),
        limits=_digest([json.dumps(dict(limits), sort_keys=True).encode()]),
        environment=_digest([json.dumps(asdict(environment), sort_keys=True).encode()]),
        program=_program(),
    )


def digest(
    submission: Submission, assignment: Assignment, *, limits: Mapping[str, object], environment: Environment
) -> str:
    """Returns the key of an evaluation, from the arguments of `parts`."""
    return parts(submission, assignment, limits=limits, environment=environment).key


def is_final(evaluation: Evaluation) -> bool:
    """Whether an evaluation may be kept: a fault of the host says nothing about the submission."""
    return not any(test.whose == HostFault.whose for check in evaluation.checks for test in check.tests)


@dataclass(frozen=True, slots=True)
class Store:
    """Evaluations on disk.

    Attributes:
        folder: Where they lie; made when the first one is saved.
    """

    folder: Path

    def load(self, key: str) -> Evaluation | None:
        """Returns the evaluation with this digest, or `None` if there is no whole one.

        Raises:
            HostFault: There is one of another account's, which may not be read.
        """
        path = self._path(key)
        try:
            evaluation = serial.from_json(path.read_text(encoding="utf-8"))
        except PermissionError as error:
            remedy = "Grade by the account that it belongs to, or share the course with a group (umask 002)."
            raise HostFault(f"{path} cannot be read: {error.strerror}.", remedy=remedy) from error
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return evaluation if evaluation.digest == key else None

    def usage(self, key: str) -> dict[str, float]:
        """Returns what the evaluation with this digest cost; empty if that is not known."""
        return self._beside(key, "usage")

    def parts(self, key: str) -> Parts | None:
        """Returns the parts of the key of an evaluation; `None` if they were not kept."""
        try:
            found = Parts(**self._beside(key, "parts"))
        except TypeError:
            return None
        return found if found.key == key else None

    def save(self, evaluation: Evaluation, usage: Mapping[str, object], parts: Parts | None = None) -> None:
        """Keeps an evaluation.

        Args:
            evaluation: What to keep, under its digest.
            usage: JSON numbers that vary from run to run.
            parts: The parts of its digest, where they are known.

        Raises:
            HostFault: It cannot be written, or the host was at fault for something in it, which says nothing of the
                submission.
        """
        if not is_final(evaluation):
            raise HostFault("The host failed while it was graded.", remedy="Run: autograder doctor")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            _sweep(self.folder)
            beside = {"parts": asdict(parts) if parts else {}, "usage": dict(usage)}
            _write(self._path(evaluation.digest, ".usage.json"), json.dumps(beside, sort_keys=True) + "\n")
            _write(self._path(evaluation.digest), serial.to_json(evaluation))
        except OSError as error:
            raise HostFault(f"The evaluation cannot be kept in {self.folder}: {error.strerror}.") from error

    def _beside(self, key: str, name: str) -> dict[str, Any]:
        try:
            found = json.loads(self._path(key, ".usage.json").read_text(encoding="utf-8"))[name]
        except (OSError, ValueError, KeyError, TypeError):
            return {}
        return found if isinstance(found, dict) else {}

    def _path(self, key: str, suffix: str = ".json") -> Path:
        return self.folder / f"{key}{suffix}"


def _digest(pieces: Iterable[bytes]) -> str:
    whole = hashlib.sha256()
    for piece in pieces:
        whole.update(hashlib.sha256(piece).digest())  # of a fixed length, so that no two lists of pieces are alike
    return whole.hexdigest()


@cache
def _program() -> str:
    return _digest(_folder(Path(__file__).parent, frozenset()))


def _folder(folder: Path, skip: frozenset[str]) -> Iterator[bytes]:
    files = list(regular_files(folder, skip=skip))
    yield len(files).to_bytes(8, "big")
    for name, path in files:
        yield name.encode("utf-8", "surrogateescape")
        try:
            yield file_digest(path)
        except OSError as error:
            remedy = "Make it readable for the account that grades."
            raise HostFault(f"{path} cannot be read: {error.strerror}.", remedy=remedy) from error


def _sweep(folder: Path) -> None:
    """Removes what writers left behind that were killed."""
    for half in folder.glob(f"{_HALF}*"):
        with suppress(OSError):
            if time.time() - half.stat().st_mtime > _STALE_S:
                half.unlink()


def _write(path: Path, text: str) -> None:
    """Writes a file so that it is there as a whole or not at all, also after a loss of power."""
    descriptor, name = tempfile.mkstemp(prefix=_HALF, dir=path.parent)
    half = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        half.chmod(0o666 & ~_umask())  # as any file: others may grade the same course
        os.replace(half, path)
    except BaseException:
        half.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _umask() -> int:
    """Returns the bits that new files of this account do not have; proc(5)."""
    words = Path("/proc/self/status").read_text().split()
    return int(words[words.index("Umask:") + 1], 8)
