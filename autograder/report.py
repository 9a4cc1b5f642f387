"""An evaluation as text for a terminal: a function of the record alone."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from autograder.records import CheckResult, Evaluation, Outcome, Status, TestResult

UNSANDBOXED = "GRADED WITHOUT A SANDBOX: the student's code could read and change everything that this account can."

STATUS_WORDS = {
    Status.GRADED: "graded",
    Status.GRADED_WITH_REPAIRS: "graded with repairs",
    Status.NOT_GRADABLE: "not gradable",
}
_MARKS = {Outcome.PASSED: "✓", Outcome.FAILED: "✗", Outcome.PARTIAL: "◐", Outcome.NOT_GRADABLE: "?"}
_STYLES = {Outcome.PASSED: "green", Outcome.FAILED: "red", Outcome.PARTIAL: "yellow", Outcome.NOT_GRADABLE: "magenta"}
_WORDS = {
    Outcome.PASSED: "passed",
    Outcome.FAILED: "failed",
    Outcome.PARTIAL: "partly passed",
    Outcome.NOT_GRADABLE: "not gradable",
}


def plain(evaluation: Evaluation, *, width: int = 100) -> str:
    """Returns the report as plain text without a trailing newline.

    Args:
        evaluation: What to report.
        width: Columns at which lines are wrapped.
    """
    console = Console(file=io.StringIO(), width=width, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as captured:
        console.print(render(evaluation))
    return "\n".join(line.rstrip() for line in captured.get().rstrip().splitlines())


def render(evaluation: Evaluation) -> RenderableType:
    """Returns the report for a rich console."""
    parts: list[RenderableType] = [_headline(evaluation)]
    if evaluation.environment.sandbox == "none":
        parts.append(Text(UNSANDBOXED, style="bold red"))
    if evaluation.reason:
        parts.append(Text(visible(evaluation.reason), style="magenta"))
    for check in evaluation.checks:
        if check.tests or not evaluation.reason:  # the reason speaks for all checks that were never run
            parts += ["", _check(check)]
    parts += _section("Repairs made before grading", (repair.message for repair in evaluation.repairs))
    parts += _section("Limits hit", (f"{limit.where}: {limit.message}" for limit in evaluation.limits))
    if evaluation.pending:
        waiting = ", ".join(map(visible, evaluation.pending))
        parts += ["", Text(f"Waiting for a person: {waiting}. No points are lost by it.", style="magenta")]
    return Group(*parts, "", Text(_environment(evaluation), style="dim"))


def staff_details(tests: Mapping[str, str]) -> Text:
    """Returns the full text of each failure, which shows hidden inputs and expected values: for the staff alone.

    Args:
        tests: Full text of failures by `grade_id/test name`.
    """
    words = Text("\nFor the staff alone: hidden inputs and expected values", style="bold")
    for name, text in tests.items():
        words.append(f"\n\n{visible(name)}\n", style="bold").append(visible(text.rstrip()), style="not bold")
    return words if tests else Text("\nNo test failed, so that there are no details.")


def points(value: float | None) -> str:
    """Returns points as people write them: `5`, `2.5`, and a dash where there are none yet."""
    return "-" if value is None else f"{round(value, 2):g}"


def counted(number: int, thing: str) -> str:
    """Returns a number of things as people write it: `1 submission`, `2 submissions`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def visible(text: str) -> str:
    """Returns text in which nothing can steer a terminal: every character that does not print is spelled out.

    What a student's code raised is quoted in reports, and may hold escape sequences or reorder the line.
    """
    return "".join(
        char if char.isprintable() or char == "\n" else char.encode("unicode_escape").decode() for char in text
    )


def _headline(evaluation: Evaluation) -> Text:
    who = f", {visible(evaluation.student)}" if evaluation.student else ""
    status = STATUS_WORDS[evaluation.status]
    earned = None if evaluation.status is Status.NOT_GRADABLE else evaluation.score
    score = f"{points(earned)} of {points(evaluation.max_score)} points"
    return Text.assemble((f"{visible(evaluation.assignment)}{who}", "bold"), f": {status}, ", (score, "bold"))


def _check(check: CheckResult) -> RenderableType:
    earned = f"{points(check.points)} of {points(check.max_points)}"
    title = Text.assemble(
        (f"{_MARKS[check.outcome]} {visible(check.grade_id)}", f"bold {_STYLES[check.outcome]}"),
        f"  {earned}  {_WORDS[check.outcome]}",
    )
    tests = _list((Text(_MARKS[test.outcome], style=_STYLES[test.outcome]), _test(test)) for test in check.tests)
    return Group(title, tests)


def _list(items: Iterable[tuple[Text, Text]]) -> RenderableType:
    """Returns an indented list of a sign and a text each, whose further lines stand below the text."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for item in items:
        grid.add_row(*item)
    return Padding(grid, (0, 0, 0, 2))


def _test(test: TestResult) -> Text:
    line = Text(visible(test.title or test.name))
    if test.outcome is Outcome.NOT_GRADABLE and test.whose:
        line.append(f"\nCould not be checked; at fault: {visible(test.whose)}.")
    if test.message:
        line.append(f"\n{visible(test.message)}")
    if test.hint:
        line.append(f"\nHint: {visible(test.hint)}", style="italic")
    return line


def _section(title: str, sentences: Iterable[str]) -> list[RenderableType]:
    items = [(Text("-"), Text(visible(sentence))) for sentence in sentences]
    return ["", Text(title, style="bold"), _list(items)] if items else []


def _environment(evaluation: Evaluation) -> str:
    env = evaluation.environment
    programs = f"autograder {env.autograder}, Python {env.python}"
    libraries = f"JAX {env.jax}, jaxlib {env.jaxlib}, NumPy {env.numpy}"
    return visible(f"{programs}, {libraries}, sandbox: {env.sandbox}\nevaluation {evaluation.digest}")
