"""Where the CPU time of one evaluation goes, stage by stage, beside XLA's own: `python -m benchmarks.stages`.

Every stage is measured in this process (the grader) and in its boxes, which a control group counts. What XLA itself
takes is measured by running the same notebook and the same requests without boxes: that is the floor.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from autograder.box.policy import Policy, environment
from benchmarks.measuring import CpuGroup, cpu_group

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[1]
CASES = {
    "newton_sqrt": ("right_infinite_change", "wrong_low_cap", "wrong_no_cap"),
    "tax_switch": ("right_closures_and_where", "wrong_loop_over_elements", "broken_never_ends"),
}


@dataclass(slots=True)
class Stage:
    """What one stage took, in milliseconds.

    Attributes:
        times: How often it came.
        wall: Wall time.
        grader: CPU time of the grader's process.
        boxes: CPU time of everything that it started; not known without a control group.
    """

    times: int = 0
    wall: float = 0.0
    grader: float = 0.0
    boxes: float = 0.0


class Meter:
    """Adds up stages by name; a stage inside another one counts for itself alone."""

    def __init__(self, group: CpuGroup) -> None:
        self.stages: dict[str, Stage] = {}
        self._group = group
        self._inner: list[Stage] = [Stage()]

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Measures what happens inside."""
        inner = Stage()
        self._inner.append(inner)
        began = self._now()
        try:
            yield
        finally:
            wall, grader, boxes = (now - then for now, then in zip(self._now(), began, strict=True))
            self._inner.pop()
            outer, found = self._inner[-1], self.stages.setdefault(name, Stage())
            found.times += 1
            for field, taken in (("wall", wall), ("grader", grader), ("boxes", boxes)):
                setattr(outer, field, getattr(outer, field) + taken)
                setattr(found, field, getattr(found, field) + taken - getattr(inner, field))

    def call(self, name: str, function: Callable[..., T]) -> Callable[..., T]:
        """Returns the function, measured as a stage."""

        def measured(*args: Any, **kwargs: Any) -> T:
            with self.stage(name):
                return function(*args, **kwargs)

        return measured

    def _now(self) -> tuple[float, float, float]:
        own = time.process_time()
        everything = self._group.cpu_s()
        return 1e3 * time.perf_counter(), 1e3 * own, 1e3 * (own if everything is None else everything) - 1e3 * own


def profile(meter: Meter, assignment: str, case: str, folder: Path, *, repeat: int) -> dict[str, Stage]:
    """Grades one golden submission several times and records it; returns the cheapest run by stage.

    Args:
        meter: What measures.
        assignment: Name of the assignment.
        case: Name of the golden submission.
        folder: A course folder of its own.
        repeat: How often.
    """
    from autograder import evaluate as evaluating
    from autograder import serial, session
    from autograder.course.golden import load_case, notebook_bytes
    from autograder.course.handin import read_submission
    from autograder.course.layout import Course
    from autograder.gradebook.ledger import NbgraderLedger
    from autograder.store import Store

    course = Course(folder)
    release = course.assignment(assignment).release
    place = course.submitted(assignment, "student")
    place.mkdir(parents=True, exist_ok=True)
    golden = load_case(ROOT / "tests" / assignment / "submissions" / case)
    (place / f"{assignment}.ipynb").write_bytes(notebook_bytes(golden, release))
    runs = []
    for _ in range(repeat):
        meter.stages = {}
        with _patched(meter, session, evaluating):
            with meter.stage("read assignment and submission"):
                known = course.assignment(assignment)
                submission = read_submission(place, known, student="student")
            with meter.stage("plan: digest and look into the store"):
                Store(course.store).load(evaluating.digest_of(submission, known))
            with meter.stage("evaluate: the rest"):
                evaluation, details = evaluating.evaluate(submission, known)
            with meter.stage("serialise"):
                serial.to_json(evaluation)
            with meter.stage("store"):
                Store(course.store).save(evaluation, details.usage)
            with meter.stage("record in nbgrader"):
                NbgraderLedger(course).record(evaluation)
        runs.append(meter.stages)
    return min(runs, key=lambda stages: sum(stage.grader + stage.boxes for stage in stages.values()))


@contextlib.contextmanager
def _patched(meter: Meter, session: Any, evaluating: Any) -> Iterator[None]:
    """Measures what an evaluation does inside: boxes, cells, requests, the suite."""
    box = session.Box
    kept = (session.Box, evaluating.intake, evaluating.digest_of, evaluating.run_suite, evaluating.score)

    class Measured(box):  # type: ignore[misc, valid-type]  # the class is found at run time
        def start(self) -> None:
            with meter.stage(f"{self._role} box: start"):
                super().start()

        def execute(self, code: str, *, timeout: float, **more: Any) -> Any:
            with meter.stage("student box: cells of the notebook"):
                return super().execute(code, timeout=timeout, **more)

        def ask(self, content: Mapping[str, Any], *args: Any, **kwargs: Any) -> Any:
            with meter.stage(f"{self._role} box: {content['op']}"):
                return super().ask(content, *args, **kwargs)

        def close(self) -> None:
            with meter.stage(f"{self._role} box: end") if self._loop else contextlib.nullcontext():
                super().close()

    session.Box = Measured
    evaluating.intake = meter.call("intake", evaluating.intake)
    evaluating.digest_of = meter.call("evaluate: digest", evaluating.digest_of)
    evaluating.run_suite = meter.call("suite: pytest and the tests themselves", evaluating.run_suite)
    evaluating.score = meter.call("score", evaluating.score)
    try:
        yield
    finally:
        (session.Box, evaluating.intake, evaluating.digest_of, evaluating.run_suite, evaluating.score) = kept


@dataclass(frozen=True, slots=True)
class Floor:
    """What XLA itself takes.

    Attributes:
        compiles: Number of programs that are compiled.
        ms: Milliseconds of wall time that compiling them took.
    """

    compiles: int
    ms: float


def floor(assignment: str, case: str) -> dict[str, Floor]:
    """Counts what is compiled by the notebook and for the suite, and times it; no boxes, but XLA as in them."""
    os.environ["XLA_FLAGS"] = environment(Policy()).get("XLA_FLAGS", "")
    import jax

    from autograder.agent.inprocess import InProcessLink
    from autograder.agent.replay import ReplayAgent
    from autograder.agent.student import StudentAgent
    from autograder.course.golden import load_case, notebook_bytes
    from autograder.course.intake import intake
    from autograder.course.layout import Course, Submission
    from autograder.suite.asking import LinkPair
    from autograder.suite.run import run_suite

    seen: list[float] = []

    def listen(event: str, duration_secs: float, **facts: Any) -> None:
        if "backend_compile" in event:
            seen.append(1e3 * duration_secs)

    jax.numpy.zeros(1).block_until_ready()
    jax.monitoring.register_event_duration_secs_listener(listen)
    found: dict[str, list[float]] = {}

    class Link(InProcessLink):
        def __init__(self, agent: Any, role: str) -> None:
            super().__init__(agent)
            self._role = role

        def ask(
            self, content: Mapping[str, Any], buffers: Sequence[bytes] = (), *, timeout: float | None = None
        ) -> Any:
            start = len(seen)
            try:
                return super().ask(content, buffers, timeout=timeout)
            finally:
                found.setdefault(f"{self._role} box: {content['op']}", []).extend(seen[start:])

    known = Course(ROOT).assignment(assignment)
    golden = load_case(ROOT / "tests" / assignment / "submissions" / case)
    raw = notebook_bytes(golden, known.release)
    taken = intake(Submission(student="student", raw=raw, filename=f"{assignment}.ipynb"), known)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    agent = StudentAgent(namespace)
    for placed in taken.cells:
        if placed.runs:
            start = len(seen)
            with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
                exec(compile(placed.cell.source, "cell", "exec"), namespace)
            found.setdefault("student box: cells of the notebook", []).extend(seen[start:])
    links = LinkPair(Link(agent, "student"), Link(ReplayAgent(), "replay"))
    run_suite(known.suite, links, grade_ids=[check.grade_id for check in known.checks])
    return {name: Floor(len(each), sum(each)) for name, each in found.items() if each}


def main(
    case: Annotated[list[str] | None, typer.Option(help="`assignment/case`; may be given several times.")] = None,
    repeat: Annotated[int, typer.Option(help="Runs of each; the cheapest is shown.")] = 3,
    json_file: Annotated[Path | None, typer.Option("--json", help="Where to write the numbers.")] = None,
    floors: Annotated[bool, typer.Option(help="Measure XLA's own time as well.")] = True,
) -> None:
    """Print a table of stages for golden submissions."""
    sys.dont_write_bytecode = False  # what pytest has rewritten is kept, as it is for everyone
    wanted = case or [f"{name}/{each}" for name, cases in CASES.items() for each in cases[:2]]
    found: dict[str, Any] = {}
    with cpu_group() as group, tempfile.TemporaryDirectory() as scratch:
        group.join()
        try:
            meter = Meter(group)
            with meter.stage("imports, once a process"):
                import autograder.evaluate
                import autograder.gradebook.ledger  # noqa: F401
            once = dict(meter.stages)
            _print("once", once, {})
            folder = _course(Path(scratch), sorted({each.partition("/")[0] for each in wanted}))
            for each in wanted:
                assignment, _, name = each.partition("/")
                stages = profile(meter, assignment, name, folder, repeat=repeat)
                found[each] = {stage: dataclasses.asdict(taken) for stage, taken in stages.items()}
        finally:
            group.leave()  # before the group goes, and with it whoever is in it
    for each in wanted:
        assignment, _, name = each.partition("/")
        floor_of = floor(assignment, name) if floors else {}
        _print(each, {stage: Stage(**taken) for stage, taken in found[each].items()}, floor_of)
        found[each]["floor"] = {stage: dataclasses.asdict(one) for stage, one in floor_of.items()}
    if json_file:
        json_file.write_text(json.dumps(found, indent=1) + "\n")


def _course(folder: Path, assignments: Sequence[str]) -> Path:
    from benchmarks import ours

    ours.prepare(ROOT, folder / "course", assignments, [])
    return folder / "course"


def _print(title: str, stages: Mapping[str, Stage], floors: Mapping[str, Floor]) -> None:
    print(f"\n{title}: CPU ms\n{'stage':<44}{'times':>6}{'wall':>9}{'grader':>9}{'boxes':>9}{'compiles':>10}{'XLA':>8}")
    rows = sorted(stages.items(), key=lambda row: -(row[1].grader + row[1].boxes))
    for name, one in rows:
        least = floors.get(name)
        ours = f"{least.compiles:>10}{least.ms:>8.0f}" if least else ""
        print(f"{name:<44}{one.times:>6}{one.wall:>9.0f}{one.grader:>9.1f}{one.boxes:>9.1f}{ours}")
    wall, grader, boxes = (sum(getattr(one, field) for one in stages.values()) for field in ("wall", "grader", "boxes"))
    compiles, xla = sum(one.compiles for one in floors.values()), sum(one.ms for one in floors.values())
    print(f"{'together':<44}{'':>6}{wall:>9.0f}{grader:>9.1f}{boxes:>9.1f}{compiles:>10}{xla:>8.0f}", file=sys.stdout)


if __name__ == "__main__":
    typer.run(main)
