"""The store holds whole evaluations under keys that change with everything that decides them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.course.layout import Assignment, Course, Submission
from autograder.faults import HostFault
from autograder.records import CheckResult, Environment, Evaluation, Outcome, Status, TestResult
from autograder.store import Parts, Store, digest, is_final, parts

ENVIRONMENT = Environment("1", "3.11.7", "0.10.2", "0.10.2", "2.3.0", "bubblewrap")


def make_evaluation(key: str = "ab" * 32, *, whose: str = "") -> Evaluation:
    """Returns an evaluation with one check; `whose` names who is at fault where it could not be checked."""
    outcome, points = (Outcome.NOT_GRADABLE, None) if whose else (Outcome.PASSED, 2.0)
    test = TestResult("test_it", "It is right.", outcome, 1.0, "No memory." if whose else "", "", whose)
    check = CheckResult("numerics", outcome, points, 2.0, (test,))
    status = Status.NOT_GRADABLE if whose else Status.GRADED
    pending = ("numerics",) if whose else ()
    return Evaluation("doubling", "ann", status, "", points or 0.0, 2.0, pending, (check,), (), (), ENVIRONMENT, key)


@pytest.fixture
def key(doubling: Assignment, hand_in: Callable[..., Path]) -> Callable[..., str]:
    """Returns the digest of a submission, with some of what decides it changed."""
    folder = hand_in("ann", **{"doubling.ipynb": "{}", "data.csv": "1"})
    submission = Submission("ann", b"{}", "doubling.ipynb", folder)

    def compute(
        *, limits: dict[str, float] | None = None, environment: Environment = ENVIRONMENT, **changes: object
    ) -> str:
        changed = replace(submission, **changes)  # type: ignore[arg-type]
        return digest(changed, doubling, limits=limits or {"cell_s": 1.0}, environment=environment)

    return compute


def test_round_trip(tmp_path: Path) -> None:
    """What was saved is loaded, and its usage lies beside it."""
    store = Store(tmp_path / "evaluations")
    evaluation = make_evaluation()
    assert store.load(evaluation.digest) is None
    store.save(evaluation, {"cpu_s": 1.5})
    assert store.load(evaluation.digest) == evaluation
    assert store.usage(evaluation.digest) == {"cpu_s": 1.5}
    assert sorted(path.name for path in store.folder.iterdir()) == [
        f"{evaluation.digest}.json",
        f"{evaluation.digest}.usage.json",
    ]


def test_same_bytes(tmp_path: Path) -> None:
    """Saving the same evaluation with another usage leaves the same bytes."""
    store, evaluation = Store(tmp_path), make_evaluation()
    store.save(evaluation, {"cpu_s": 1.0})
    before = (tmp_path / f"{evaluation.digest}.json").read_bytes()
    store.save(evaluation, {"cpu_s": 2.0})
    assert (tmp_path / f"{evaluation.digest}.json").read_bytes() == before


def test_host_fault_is_not_final(tmp_path: Path) -> None:
    """An evaluation in which the host failed is not kept, so that the next run grades again."""
    store, evaluation = Store(tmp_path), make_evaluation(whose=HostFault.whose)
    assert not is_final(evaluation)
    with pytest.raises(HostFault, match="failed while it was graded"):
        store.save(evaluation, {})
    assert list(tmp_path.iterdir()) == []


def test_others_may_read(tmp_path: Path) -> None:
    """What one grader keeps may be read as any file of the course, since another may grade next."""
    Store(tmp_path).save(make_evaluation(), {})
    (tmp_path / "any").touch()
    assert {path.stat().st_mode for path in tmp_path.iterdir()} == {(tmp_path / "any").stat().st_mode}


def test_evaluation_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An evaluation of another account's is not made anew, but is the host's fault."""

    def refuse(*arguments: object, **options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(HostFault, match="cannot be read") as caught:
        Store(tmp_path).load("ab" * 32)
    assert "umask" in caught.value.remedy


def test_half_file(tmp_path: Path) -> None:
    """A file cut off at any place is no evaluation."""
    store, evaluation = Store(tmp_path), make_evaluation()
    store.save(evaluation, {})
    path = tmp_path / f"{evaluation.digest}.json"
    whole = path.read_bytes()
    for length in range(0, len(whole.rstrip()), 7):
        path.write_bytes(whole[:length])
        assert store.load(evaluation.digest) is None


def test_killed_while_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer that ends before the file is in place leaves what was there."""
    store, evaluation = Store(tmp_path), make_evaluation()
    store.save(evaluation, {})

    def end(*paths: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", end)
    with pytest.raises(KeyboardInterrupt):
        store.save(replace(evaluation, score=1.0), {})
    assert store.load(evaluation.digest) == evaluation


def test_left_behind(tmp_path: Path) -> None:
    """Half a file of a writer that was killed is gone after the next save; one that may still be written stays."""
    old, new = tmp_path / ".half-old", tmp_path / ".half-new"
    for half in (old, new):
        half.touch()
    os.utime(old, (0, 0))
    Store(tmp_path).save(make_evaluation(), {})
    assert (old.exists(), new.exists()) == (False, True)


def test_another_key(tmp_path: Path) -> None:
    """A file that was put in another's place is not read as the other's evaluation."""
    store, evaluation = Store(tmp_path), make_evaluation()
    store.save(evaluation, {})
    (tmp_path / f"{evaluation.digest}.json").rename(tmp_path / f"{'cd' * 32}.json")
    assert store.load("cd" * 32) is None


def test_disk_at_fault(tmp_path: Path) -> None:
    """A store that cannot be written is the host's fault."""
    (tmp_path / "file").touch()
    with pytest.raises(HostFault, match="cannot be kept"):
        Store(tmp_path / "file" / "evaluations").save(make_evaluation(), {})


def test_key_is_stable(key: Callable[..., str]) -> None:
    """Equal work has an equal key."""
    assert key() == key()
    assert len(key()) == 64


def test_key_follows_submission(key: Callable[..., str], course: Course) -> None:
    """The key changes with the bytes, the file beside them, the name and the student."""
    keys = {key(), key(raw=b"{} "), key(student="bob"), key(filename="x.ipynb"), key(folder=None)}
    (course.submitted("doubling", "ann") / "data.csv").write_text("2")
    assert len(keys | {key()}) == 6


def test_key_follows_course(key: Callable[..., str], course: Course) -> None:
    """The key changes with the release and the hidden suite, and not with golden submissions or leftovers."""
    keys = [key()]
    for name in ("tests/doubling/test_numerics.py", "tests/doubling/reference.py", "release/doubling/data.csv"):
        (course.root / name).write_text("changed = True\n")
        keys.append(key())
    for name in ("tests/doubling/submissions/right/solution.py", "tests/doubling/__pycache__/x.pyc"):
        path = course.root / name
        path.parent.mkdir(parents=True)
        path.write_text("x")
        assert key() == keys[-1]
    assert len(set(keys)) == 4


def test_key_follows_environment(key: Callable[..., str]) -> None:
    """The key changes with limits, versions and sandbox."""
    keys = {
        key(),
        key(limits={"cell_s": 2.0}),
        key(environment=replace(ENVIRONMENT, jax="0.12.0")),
        key(environment=replace(ENVIRONMENT, sandbox="none")),
    }
    assert len(keys) == 4


def test_key_ignores_timestamp(key: Callable[..., str], course: Course) -> None:
    """When it was handed in decides a penalty, not what it is worth."""
    before = key()
    (course.submitted("doubling", "ann") / "timestamp.txt").write_text("2026-01-01 00:00:00 UTC")
    assert key() == before


def test_usage_is_json(tmp_path: Path) -> None:
    """A usage file that was damaged is as if there were none."""
    store = Store(tmp_path)
    (tmp_path / f"{'ab' * 32}.usage.json").write_text(json.dumps([1]))
    assert store.usage("ab" * 32) == {}


def test_parts_name_what_changed(doubling: Assignment, hand_in: Callable[..., Path]) -> None:
    """Each part follows its own files and nothing else, and the key follows every part."""
    folder = hand_in("ann", **{"doubling.ipynb": "{}"})

    def now(limits: dict[str, float], jax: str) -> Parts:
        submission = Submission("ann", b"{}", "doubling.ipynb", folder)
        return parts(submission, doubling, limits=limits, environment=replace(ENVIRONMENT, jax=jax))

    seen = [now({"cell_s": 1.0}, "0.10.2")]
    for name, path in {
        "suite": doubling.suite / "reference.py",
        "release": doubling.release.parent / "data.csv",
        "submission": folder / "data.csv",
    }.items():
        path.write_text("1")
        seen.append(now({"cell_s": 1.0}, "0.10.2"))
        assert _differing(*seen[-2:]) == {name}
    seen.append(now({"cell_s": 2.0}, "0.10.2"))
    assert _differing(*seen[-2:]) == {"limits"}
    seen.append(now({"cell_s": 2.0}, "0.12.0"))
    assert _differing(*seen[-2:]) == {"environment"}
    assert len({one.key for one in seen}) == len(seen)


def _differing(before: Parts, now: Parts) -> set[str]:
    return {name for name in Parts.__slots__ if getattr(before, name) != getattr(now, name)}


def test_parts_are_kept_beside(tmp_path: Path) -> None:
    """The parts of a key are kept beside its evaluation; parts of another key, or none, are as if there were none."""
    store, kept = Store(tmp_path), Parts("a", "b", "c", "d", "e", "f")
    store.save(make_evaluation(kept.key), {"cpu_s": 1.0}, kept)
    assert (store.parts(kept.key), store.usage(kept.key)) == (kept, {"cpu_s": 1.0})
    store.save(make_evaluation(), {}, kept)
    assert store.parts("ab" * 32) is None
    (tmp_path / f"{'ab' * 32}.usage.json").write_text('{"cpu_s": 1.5}')
    assert store.parts("ab" * 32) is None
