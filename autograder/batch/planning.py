"""What there is to grade, and what is known of it already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from autograder.batch.running import Job, Trouble
from autograder.box.policy import Sandbox
from autograder.course.handin import read_submission
from autograder.course.layout import Assignment, Course, Submission
from autograder.evaluate import environment, limits_of
from autograder.faults import CourseFault
from autograder.records import Evaluation
from autograder.store import Parts, Store, parts


@dataclass(frozen=True, slots=True)
class Planned:
    """A submission before it is graded.

    Attributes:
        job: Whose, and for what.
        parts: What decides its evaluation; `None` with trouble.
        known: The evaluation, where the store has it.
        trouble: Why it cannot be graded, or nothing of this assignment can; `None` otherwise.
    """

    job: Job
    parts: Parts | None
    known: Evaluation | None = None
    trouble: Trouble | None = None

    @property
    def digest(self) -> str:
        """Key of its evaluation; empty with trouble."""
        return self.parts.key if self.parts else ""


def plan(course: Course, assignments: Sequence[str], *, student: str | None, sandbox: Sandbox) -> Iterator[Planned]:
    """Yields every submission that was handed in, by assignment and student.

    Args:
        course: Where to look.
        assignments: Names of assignments.
        student: One student's id; `None` for everyone.
        sandbox: As the grading is going to be: another sandbox is another evaluation.
    """
    store = Store(course.store)
    for name in assignments:
        jobs = [Job(name, one) for one in course.students(name) if student in (None, one)]
        try:
            assignment = course.assignment(name)
        except CourseFault as fault:
            yield from (Planned(job, None, trouble=Trouble.of(fault)) for job in jobs)
            continue
        for job in jobs:
            yield _planned(course, assignment, job, store=store, sandbox=sandbox)


def _planned(course: Course, assignment: Assignment, job: Job, *, store: Store, sandbox: Sandbox) -> Planned:
    try:
        submission = read_submission(course.submitted(job.assignment, job.student), assignment, student=job.student)
        decides = parts_of(submission, assignment, sandbox=sandbox)
        return Planned(job, decides, store.load(decides.key))
    except Exception as error:  # a file that may not be read, or whatever it is: the others must go on
        return Planned(job, None, trouble=Trouble.of(error))


def parts_of(submission: Submission, assignment: Assignment, *, sandbox: Sandbox) -> Parts:
    """Returns the digests of what decides an evaluation; `autograder.evaluate.digest_of` gives their key.

    Raises:
        CourseFault: A limit that does not exist is set.
        HostFault: One of the files cannot be read.
    """
    limits = asdict(limits_of(assignment))
    return parts(submission, assignment, limits=limits, environment=environment(sandbox))
