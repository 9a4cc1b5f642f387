"""The commands and their options; each command's own module does the work, imported when it is called."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from autograder import __version__
from autograder.cli.ending import Exit, explanation, report_fault, stderr
from autograder.faults import Fault
from autograder.imports import leave_out

app = typer.Typer(
    name="autograder",
    help="Grade notebooks on jax.jit in a sandbox, and keep the marks in nbgrader's gradebook.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The options that stand before a command.

    Attributes:
        course: The course folder.
        sandbox: In which sandbox students' code runs.
    """

    course: Path
    sandbox: Literal["bubblewrap", "none"]


Assignment = Annotated[str, typer.Argument(help="Name of the assignment.", show_default=False)]
EveryAssignment = Annotated[
    str | None, typer.Argument(help="Name of an assignment; without it, every one.", metavar="ASSIGNMENT")
]
Student = Annotated[str | None, typer.Option(help="Only this student; without it, everyone.")]
Workers = Annotated[int | None, typer.Option(help="Submissions graded at a time; without it, one a core.", min=1)]
Scheduler = Annotated[
    str | None, typer.Option(help="Evaluate on the Dask cluster of this scheduler, tcp://HOST:PORT.", metavar="ADDRESS")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for a script instead of text for a person.")]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code.

    Args:
        arguments: What follows the program's name; `None` takes the process's own.
    """
    leave_out()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show a sign never stops a report
    try:
        app(args=arguments, prog_name="autograder")
    except SystemExit as end:
        return _code(end)
    except Fault as fault:
        return report_fault(fault)
    except Exception:
        traceback.print_exc()
        stderr().print(
            explanation(Fault.whose, "it stopped at an error that nobody foresaw.", "Report the lines above.")
        )
        return Exit.BUG
    return Exit.DONE


def _code(end: SystemExit) -> int:
    """Returns the exit code of a command that has ended, also by what Typer turns into a code of its own."""
    reason: BaseException | None = end
    while reason is not None:
        if isinstance(reason, KeyboardInterrupt):
            stderr().print("Ended by Ctrl-C.")
            return Exit.INTERRUPTED
        if isinstance(reason, BrokenPipeError):  # `autograder ... | head`
            return Exit.DONE
        reason = reason.__cause__ or reason.__context__
    return end.code if isinstance(end.code, int) else Exit.BUG


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"autograder {__version__}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    *,
    course: Annotated[
        Path, typer.Option(help="The course folder.", file_okay=False, exists=True, resolve_path=True)
    ] = Path(),
    unsafe_no_sandbox: Annotated[
        bool,
        typer.Option("--unsafe-no-sandbox", help="Run students' code unprotected, with all that this account may do."),
    ] = False,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Grade notebooks on jax.jit in a sandbox, and keep the marks in nbgrader's gradebook."""
    context.obj = Settings(course, "none" if unsafe_no_sandbox else "bubblewrap")


@app.command()
def release(context: typer.Context, assignment: EveryAssignment = None) -> None:
    """Make the students' version of the notebooks: release/ from source/."""
    from autograder.cli.release import run

    raise typer.Exit(run(context.obj, assignment))


@app.command()
def grade(
    context: typer.Context,
    assignment: EveryAssignment = None,
    *,
    student: Student = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    json: Json = False,
) -> None:
    """Grade what was handed in, and record the marks in gradebook.db."""
    from autograder.cli.grade import run

    raise typer.Exit(run(context.obj, assignment, student=student, workers=workers, scheduler=scheduler, json=json))


@app.command()
def regrade(
    context: typer.Context,
    assignment: Assignment,
    *,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show whose marks would change; record nothing.")
    ] = False,
    student: Student = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    json: Json = False,
) -> None:
    """Grade an assignment under its present suite, and show who gains or loses how much."""
    from autograder.cli.regrade import run

    raise typer.Exit(
        run(
            context.obj,
            assignment,
            dry_run=dry_run,
            student=student,
            workers=workers,
            scheduler=scheduler,
            json=json,
        )
    )


@app.command()
def evaluate(
    context: typer.Context,
    assignment: Assignment,
    notebook: Annotated[
        Path, typer.Argument(help="Any notebook file.", exists=True, dir_okay=False, show_default=False)
    ],
    *,
    details: Annotated[
        bool, typer.Option("--details", help="Also print what only the staff may see of each failure.")
    ] = False,
    json: Json = False,
) -> None:
    """Grade one notebook and print the report; nothing is recorded."""
    from autograder.cli.evaluate import run

    if details and json:
        raise typer.BadParameter("cannot go together with --json, which has no details.", param_hint="--details")
    raise typer.Exit(run(context.obj, assignment, notebook=notebook, details=details, json=json))


@app.command()
def feedback(context: typer.Context, assignment: EveryAssignment = None) -> None:
    """Write the feedback pages of what was graded: feedback/<student>/<assignment>/."""
    from autograder.cli.feedback import run

    raise typer.Exit(run(context.obj, assignment))


@app.command()
def doctor(context: typer.Context, *, json: Json = False) -> None:
    """Report each requirement of this machine, its state and its remedy."""
    from autograder.cli.doctor import run

    raise typer.Exit(run(context.obj, json=json))
