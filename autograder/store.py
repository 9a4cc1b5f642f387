"""The store keeps one file per evaluation, named by a digest of everything that decided it.

A file is written beside its place, flushed to the disk and renamed, so that whoever reads finds a whole evaluation or
none, also when the grader is killed. What varies from run to run (times, memory) lies in a second file beside it.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from autograder import serial
from autograder.course.files import NOT_THE_STUDENTS, file_digest, regular_files
from autograder.course.layout import Assignment, Submission
from autograder.faults import HostFault
from autograder.records import Environment, Evaluation

_HALF = ".half-"
_STALE_S = 3600.0
"""Seconds after which nobody writes on at half a file."""


def digest(
    submission: Submission, assignment: Assignment, *, limits: Mapping[str, object], environment: Environment
) -> str:
    """Returns the key of an evaluation: SHA-256 over everything that decides it, hexadecimal.

    Args:
        submission: What was handed in; its raw bytes count, before any repair.
        assignment: Its release and its hidden suite count, the golden submissions do not.
        limits: All limits in force.
        environment: Versions and sandbox.

    Raises:
        HostFault: One of the files cannot be read.
    """
    whole = hashlib.sha256()
    for part in _parts(submission, assignment, limits, environment):
        whole.update(hashlib.sha256(part).digest())  # of a fixed length, so that no two lists of parts are alike
    return whole.hexdigest()


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
        """Returns the evaluation with this digest, or `None` if there is no whole one."""
        try:
            evaluation = serial.from_json(self._path(key).read_text(encoding="utf-8"))
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return evaluation if evaluation.digest == key else None

    def usage(self, key: str) -> dict[str, float]:
        """Returns what the evaluation with this digest cost; empty if that is not known."""
        try:
            usage = json.loads(self._path(key, ".usage.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return usage if isinstance(usage, dict) else {}

    def save(self, evaluation: Evaluation, usage: Mapping[str, object]) -> bool:
        """Keeps an evaluation, if it is final.

        Args:
            evaluation: What to keep, under its digest.
            usage: JSON numbers that vary from run to run.

        Returns:
            Whether it was kept; not so when the host was at fault.

        Raises:
            HostFault: It cannot be written.
        """
        if not is_final(evaluation):
            return False
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            _sweep(self.folder)
            _write(self._path(evaluation.digest, ".usage.json"), json.dumps(dict(usage), sort_keys=True) + "\n")
            _write(self._path(evaluation.digest), serial.to_json(evaluation))
        except OSError as error:
            raise HostFault(f"The evaluation cannot be kept in {self.folder}: {error.strerror}.") from error
        return True

    def _path(self, key: str, suffix: str = ".json") -> Path:
        return self.folder / f"{key}{suffix}"


def _parts(
    submission: Submission, assignment: Assignment, limits: Mapping[str, object], environment: Environment
) -> Iterator[bytes]:
    yield b"autograder evaluation 1"
    yield assignment.name.encode()
    yield submission.student.encode()
    yield submission.filename.encode("utf-8", "surrogateescape")
    yield submission.raw
    yield json.dumps(dict(limits), sort_keys=True).encode()
    yield json.dumps(asdict(environment), sort_keys=True).encode()
    yield _program()
    if submission.folder is not None:
        yield from _folder(submission.folder, NOT_THE_STUDENTS)
    yield from _folder(assignment.release.parent, frozenset())
    yield from _folder(assignment.suite, frozenset({"submissions"}))


@cache
def _program() -> bytes:
    """A digest of this program's own files: the version alone does not tell whether a copy was mended."""
    own = Path(__file__).parent
    return b"".join(hashlib.sha256(part).digest() for part in _folder(own, frozenset()))


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
        os.replace(half, path)
    except BaseException:
        half.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
