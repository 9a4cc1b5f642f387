"""A session is a notebook alive in a student box, or a replay box, and is replaced when its box dies.

Both sessions are links: the suite asks, and never sees which box answers. A box that dies fails the request that killed
it and nothing else: the next request starts a new box and, for a student, runs the notebook again. A cell that killed
its box is run again statement by statement without the statement that did it, so that the definitions beside an endless
call are kept. A request that did not come to an end is not asked again, unless it is given more time. All boxes of a
submission share one budget of time. Where a box ends by itself in a cell or at a request, something that an earlier
cell left behind may have done it (a thread, a timer): that is tried once more after definitions alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.box.box import Box, Role
from autograder.box.policy import Limits, Policy
from autograder.box.verdict import Usage
from autograder.budget import Budget
from autograder.faults import HostFault, LimitFault, RaisedFault
from autograder.link import Answer
from autograder.records import LimitHit
from autograder.steps import Step, calm, survivors
from autograder.wire import raised

StartBox = Callable[[Role], Box]

MAX_BOXES = 12
"""Boxes that one submission may use up in one role before its remaining requests fail."""

_INDEPENDENT = frozenset({"lookup", "export", "purity", "value", "describe", "run", "disturb", "trips"})
"""Operations that depend on no request before: they can be asked once more, and need not be."""

_LAST_LINE = 300
"""The last line of a cell that is told: the code chooses where it raises, and so could spell a hidden input."""

_BY_ITSELF = ("exit", "crash")
"""Causes of an end that no limit of the grader's brought about."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell that the student box runs.

    Attributes:
        number: Its place among the notebook's code cells, counted from 1; what a student reads as `cell 3`.
        source: Its text.
    """

    number: int
    source: str


class _Session:
    """What both sessions share: one box at a time, replaced when it is dead, and the limits that were hit."""

    def __init__(self, role: Role, start_box: StartBox, *, limits: Limits, budget: Budget) -> None:
        self._role: Role = role
        self._start_box = start_box
        self._limits = limits
        self._budget = budget
        self._box: Box | None = None
        self._boxes = 0
        self._hung: dict[tuple[str, tuple[bytes, ...]], tuple[float, LimitFault]] = {}
        self.limits: list[LimitHit] = []
        self.cold_starts = 0
        self.usage = Usage(cpu_s=0.0, peak_mb=0.0)

    def _new_box(self) -> Box:
        self.close()
        self._budget.check()
        if self._boxes >= MAX_BOXES:
            raise LimitFault(
                f"The code ended its process {MAX_BOXES} times, so the remaining checks were not asked.", cause="crash"
            )
        self._boxes += 1
        self._box = self._start_box(self._role)
        self.cold_starts += not self._box.warm
        return self._box

    def _ready_box(self) -> Box:
        """Returns the box that lives, or a new one."""
        raise NotImplementedError

    def _ask(self, content: Mapping[str, Any], buffers: Sequence[bytes], *, timeout: float | None) -> Answer:
        key = json.dumps(content, sort_keys=True), tuple(map(bytes, buffers))
        seconds = self._limits.request_s if timeout is None else timeout
        given, hung = self._hung.get(key, (0.0, None))
        if hung is not None and seconds <= given:
            raise hung.with_traceback(None)
        box = self._ready_box()
        self._budget.check()
        try:
            with self._budget.charged(box):
                return box.ask(content, buffers, timeout=min(seconds, self._budget.left_s))
        except LimitFault as fault:
            where = f"{content.get('op')} {content.get('name', '')}".strip()
            self._note(LimitHit(fault.cause, where, fault.message))
            if fault.cause == "wall" and content.get("op") in _INDEPENDENT:
                self._hung[key] = seconds, fault
            raise

    def _note(self, hit: LimitHit) -> None:
        if hit not in self.limits:
            self.limits.append(hit)

    def close(self) -> None:
        """Ends the box; nothing of it stays behind."""
        box, self._box = self._box, None
        if box is not None:
            box.close()
            cpu_s, peak_mb = self.usage.cpu_s + box.usage.cpu_s, max(self.usage.peak_mb, box.usage.peak_mb)
            self.usage = Usage(cpu_s=cpu_s, peak_mb=peak_mb)


class StudentSession(_Session):
    """A submitted notebook, run in a student box; a link to its agent.

    Args:
        cells: The cells to run, in order. Locked grade cells are not among them.
        start_box: Starts a box of the given role.
        limits: What a cell, a run of the notebook and a request may take.
        budget: What is left for all of the submission.
    """

    def __init__(self, cells: Sequence[Cell], start_box: StartBox, *, limits: Limits, budget: Budget) -> None:
        super().__init__("student", start_box, limits=limits, budget=budget)
        self._plan = [Step(cell.number, cell.source, True) for cell in cells]
        self._calmed = False
        self._suspected: tuple[Step, list[Step]] | None = None

    def ask(self, content: Mapping[str, Any], buffers: Sequence[bytes] = (), *, timeout: float | None = None) -> Answer:
        """Asks the agent beside the student's definitions; see `autograder.link.Link`."""
        try:
            return self._ask(content, buffers, timeout=timeout)
        except RaisedFault as fault:
            raise self._placed(fault, str(content.get("name", ""))) from None
        except LimitFault as fault:
            if self._calmed or fault.cause not in _BY_ITSELF or content.get("op") not in _INDEPENDENT:
                raise
            return self._ask_calmed(content, buffers, timeout=timeout)

    def _ask_calmed(self, content: Mapping[str, Any], buffers: Sequence[bytes], *, timeout: float | None) -> Answer:
        """Asks once more without what cells do beside defining; where that does not help, they do it again."""
        self._calmed = True
        kept, self._plan = self._plan, [calm(step) for step in self._plan]
        try:
            return self.ask(content, buffers, timeout=timeout)
        except LimitFault:
            self._plan = kept
            raise

    def _placed(self, fault: RaisedFault, name: str) -> RaisedFault:
        """Tells the place of a fault by the notebook's own count of cells: the kernel counts what ran in this box.

        A cell or a line that the notebook does not have is not told: a number of the kernel's own could be an input.
        """
        ran = [step for step in self._plan if step.source.strip()]  # IPython does not count a blank cell
        count = re.fullmatch(r"In\[(\d+)\]", fault.cell)
        if count is None or not 1 <= int(count[1]) <= len(ran):
            return raised(fault.reason, name=name, type=fault.type, detail=fault.detail)
        step = ran[int(count[1]) - 1]
        told = step.whole and fault.line <= min(_LAST_LINE, len(step.source.splitlines()))
        line = fault.line if told else 0
        facts = {"name": name, "type": fault.type, "cell": f"cell {step.cell}", "detail": fault.detail}
        return raised(fault.reason, line=line, **facts)

    def run(self) -> None:
        """Runs the notebook now rather than at the first request.

        A notebook that ends every box it runs in is no error here: every request then fails and says so.

        Raises:
            HostFault: No box could be started.
        """
        with suppress(LimitFault):
            self._ready_box()

    def _ready_box(self) -> Box:
        while self._box is None or not self._box.alive:
            box = self._new_box()
            killer = self._run_plan(box)
            if killer is not None:
                self._mend(killer, by_itself=box.verdict is not None and box.verdict.cause in _BY_ITSELF)
        return self._box

    def _mend(self, killer: int, *, by_itself: bool) -> None:
        """Leaves out of the plan what ended its box.

        Where the box ended by itself, a cell before may have done it. So the step is run once more after the
        definitions of those cells alone; it is taken apart if that does not help.
        """
        step, calmed = self._plan[killer], [calm(step) for step in self._plan[:killer]]
        if self._suspected is not None and self._suspected[0] is step:
            self._plan = self._suspected[1]
        elif by_itself and self._suspected is None and calmed != self._plan[:killer]:
            self._suspected = step, list(self._plan)
            self._plan[:killer] = calmed
            return
        self._plan[killer : killer + 1] = survivors(step)

    def _run_plan(self, box: Box) -> int | None:
        """Runs every step; returns the index of the step that killed the box, if one did."""
        limits = self._limits
        for index, step in enumerate(self._plan):
            left = limits.notebook_s - box.spent_s
            where = f"cell {step.cell}"
            if left <= 0:
                message = f"The notebook ran for {limits.notebook_s:g} s; the rest was not run."
                self._note(LimitHit("wall", where, message))
                self._plan = self._plan[:index]
                return None
            self._budget.check()
            seconds, spent = min(
                (limits.cell_s, f"after {limits.cell_s:g} s"),
                (left, f"when the notebook had run for {limits.notebook_s:g} s"),
                (self._budget.left_s, f"when the submission had run for {self._budget.limit_s:g} s in all"),
                key=lambda limit: limit[0],
            )
            with self._budget.charged(box):
                run = box.execute(step.source, timeout=seconds)
            if run.status == "timeout":
                self._note(LimitHit("wall", where, f"This cell was stopped {spent}."))
            elif run.status == "died":
                verdict = box.verdict
                cause, message = (verdict.cause, verdict.message) if verdict else ("crash", "The kernel ended.")
                self._note(LimitHit(cause, where, message))
            if not box.alive:
                return index
        return None


class ReplaySession(_Session):
    """A replay box, started at its first request and replaced when a program kills it; a link to its agent.

    Args:
        start_box: Starts a box of the given role.
        limits: What a request may take.
        budget: What is left for all of the submission.
    """

    def __init__(self, start_box: StartBox, *, limits: Limits, budget: Budget) -> None:
        super().__init__("replay", start_box, limits=limits, budget=budget)

    def ask(self, content: Mapping[str, Any], buffers: Sequence[bytes] = (), *, timeout: float | None = None) -> Answer:
        """Asks the replay agent; see `autograder.link.Link`."""
        return self._ask(content, buffers, timeout=timeout)

    def _ready_box(self) -> Box:
        return self._box if self._box is not None and self._box.alive else self._new_box()


def box_starter(policy: Policy, *, files: Mapping[str, Path]) -> StartBox:
    """Returns a function that starts boxes under a policy; the files go into student boxes alone.

    Raises:
        HostFault: From the returned function, when a box cannot be started.
    """

    def start(role: Role) -> Box:
        box = Box(role, policy=policy, files=files if role == "student" else None)
        try:
            box.start()
        except HostFault:
            box.close()
            raise
        return box

    return start
