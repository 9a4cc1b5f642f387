"""nbgrader's autograde step with our intake before it and our evaluation in it.

nbgrader's own converter decides much before any preprocessor can step in: it skips a notebook under another name and
records a zero for it, dies at a file that is no notebook, and skips whoever was graded before, whatever has changed.
So it is the converter that is subclassed. What a course configures for nbgrader's (force, late penalties, permissions,
hooks) still applies, since settings are inherited.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, get_args

from nbconvert.exporters.exporter import ResourcesDict
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.preprocessors import AssignLatePenalties
from nbgrader.utils import rmtree
from traitlets import Any as AnyTrait
from traitlets import Enum, List

from autograder.box.policy import Sandbox
from autograder.course.cells import Role
from autograder.course.files import MAX_BYTES, laid_over, regular_files
from autograder.course.handin import read_submission
from autograder.course.intake import intake
from autograder.course.layout import Assignment, Course, Submission
from autograder.evaluate import digest_of
from autograder.faults import Fault, HostFault
from autograder.gradebook.marks import CheckMetadata, SaveMarks
from autograder.gradebook.names import matching
from autograder.gradebook.obtain import obtain
from autograder.gradebook.recorded import handed_in_at, recorded_digest
from autograder.gradebook.register import register
from autograder.gradebook.render import autograded_notebook
from autograder.gradebook.sharing import one_writer
from autograder.gradebook.transaction import KeptGradebook, one_transaction
from autograder.records import Evaluation


class EvaluatedAutograde(Autograde):
    """Records evaluations; makes those that the store does not hold."""

    autograde_preprocessors = List([SaveMarks, AssignLatePenalties, CheckMetadata]).tag(config=True)
    sandbox = Enum(
        get_args(Sandbox), "bubblewrap", help="`none` grades without a sandbox, and every result says so."
    ).tag(config=True)
    evaluator = AnyTrait(
        None, allow_none=True, help="A function of course, assignment and submission that returns the evaluation."
    ).tag(config=True)

    _assignment: Assignment
    _submission: Submission
    _evaluation: Evaluation
    _turn: ExitStack

    @property
    def _course(self) -> Course:
        return Course(Path(self.coursedir.root))

    def init_notebooks(self) -> None:
        """Lists who handed in, whatever the files are called and whatever characters a name has."""
        try:
            self._assignment = self._course.assignment(self.coursedir.assignment_id)
        except Fault as fault:
            raise NbGraderException(self._say(fault)) from fault
        name, wanted = self._assignment.name, self.coursedir.student_id
        students = matching(self._course.students(name), wanted)
        if not students:
            message = f"Nobody handed in {name}" + ("." if wanted == "*" else f" whose id matches {wanted!r}.")
            self.log.error(message)
            raise NbGraderException(message)
        folders = [self._format_source(name, student) for student in students]
        self.assignments = {folder: [os.path.join(folder, f"{name}.ipynb")] for folder in folders}
        self.notebooks: list[str] = []

    def convert_notebooks(self) -> None:
        """Records one student after the other; other graders of the course wait while one is written, no longer."""
        self._refused: list[Fault] = []
        self._aside: tuple[Path, Path] | None = None
        try:
            with ExitStack() as self._turn:
                super().convert_notebooks()
        except NbGraderException as error:
            raise NbGraderException(str(error)) from (self._refused or [error])[0]
        if self._refused:
            raise NbGraderException(" ".join(fault.message for fault in self._refused)) from self._refused[0]

    def _set_aside(self, dest: Path) -> None:
        """Keeps what stands there until the new marks are written; what an earlier grader kept is of no use."""
        for left in (self._course.root / ".autograder").glob("autograded-*"):
            rmtree(str(left))
        if dest.exists():
            before = self._course.root / ".autograder" / f"autograded-{os.getpid()}"
            shutil.move(dest, before)
            self._aside = dest, before

    def _settle(self, *, recorded: bool) -> None:
        """Lets go of what was set aside, or brings it back where no new marks came."""
        if self._aside is not None:
            (dest, before), self._aside = self._aside, None
            if recorded:
                rmtree(str(before))
            else:
                shutil.rmtree(dest, ignore_errors=True)
                shutil.move(before, dest)

    def init_destination(self, assignment_id: str, student_id: str) -> bool:
        """Whether this student is to be recorded: unless the very same evaluation already is.

        It is made here, before anything is touched; what follows is written in a turn of its own. Where there is no
        evaluation, what stands there stays: nbgrader would remove it after an exception.
        """
        self._turn.close()  # of the student before, also where that one failed
        if student_id in self.coursedir.student_id_exclude.split(","):
            return False
        folder = Path(self._format_source(assignment_id, student_id))
        self._submission = read_submission(folder, self._assignment, student=student_id)
        dest = Path(self._format_dest(assignment_id, student_id))
        if dest.exists() and not self.force:
            key = digest_of(self._submission, self._assignment, sandbox=self.sandbox)
            place = {"assignment": assignment_id, "student": student_id, "db_url": self.coursedir.db_url}
            if recorded_digest(dest, folder, **place) == key:
                self.log.info("Recorded already, with nothing changed since: %s", dest)
                return False
        try:
            self._evaluation = self._evaluate(student_id)
            self._turn.enter_context(one_writer(self._course))
            self._turn.callback(self._settle, recorded=False)  # while the turn still lasts
            self._check_unchanged(folder)
        except Fault as fault:
            self._say(fault)
            self._refused.append(fault)
            return False
        self._set_aside(dest)
        return True

    def _evaluate(self, student_id: str) -> Evaluation:
        source: Any = self.evaluator or (lambda *key: obtain(*key, sandbox=self.sandbox))
        evaluation: Evaluation = source(self._course, self._assignment, self._submission)
        if (evaluation.assignment, evaluation.student) != (self._assignment.name, student_id):
            raise Fault(f"The evaluation is of {evaluation.student!r}, not of {student_id!r}.")
        return evaluation

    def _check_unchanged(self, folder: Path) -> None:
        """Raises where the evaluation is not of what lies there now, in this turn."""
        now = read_submission(folder, self._assignment, student=self._evaluation.student)
        if digest_of(now, self._assignment, sandbox=self.sandbox) != self._evaluation.digest:
            message = "It was handed in again, or a file of the assignment changed, since it was graded."
            raise HostFault(message, remedy="Grade it again.")

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        """Copies the files beside this student's notebook."""
        handed_in = dict(regular_files(Path(self._format_source(assignment_id, student_id))))
        released = dict(regular_files(self._assignment.release.parent))
        _copy(laid_over(released, handed_in), Path(self._format_dest(assignment_id, student_id)))

    def convert_single_notebook(self, notebook_filename: str) -> None:
        """Records the marks, then writes the notebook; whoever finds the notebook can rely on the marks."""
        taken = intake(self._submission, self._assignment)
        unanswered = {
            placed.cell.grade_id
            for placed in taken.cells
            if taken.gradable and placed.cell.role in (Role.ANSWER, Role.MANUAL) and not placed.answered
        }
        resources: ResourcesDict = self.init_single_notebook_resources(notebook_filename)
        resources["autograder"] = {"evaluation": self._evaluation, "unanswered": frozenset(unanswered)}
        self._sanitizing = False
        try:
            self._init_preprocessors()
            notebook = autograded_notebook(taken, self._evaluation, self._assignment)
            with one_transaction(self.coursedir.db_url, self.coursedir.course_id):
                self._prepare_rows()
                output, resources = self.exporter.from_notebook_node(notebook, resources)
            self._settle(recorded=True)  # the marks are new, and the notebook of before does not go with them
        except Fault as fault:
            self._refused.append(fault)
            raise
        finally:
            self._sanitizing = True
        self.write_single_notebook(output, resources)

    def _prepare_rows(self) -> None:
        """Makes sure that the gradebook has the assignment, the student and the submission."""
        student = self._submission.student
        with KeptGradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
            register(gradebook, self._assignment, db_url=self.coursedir.db_url)
            if self.create_student:
                gradebook.update_or_create_student(student)
            else:
                gradebook.find_student(student)
            timestamp = self._timestamp()
            known = {"timestamp": timestamp} if timestamp else {}
            gradebook.update_or_create_submission(self._assignment.name, student, **known)

    def _timestamp(self) -> Any:
        """When it was handed in, as nbgrader notes it; `None` where that is not known."""
        try:
            return handed_in_at(Path(self._format_source(self._assignment.name, self._submission.student)))
        except ValueError as error:
            self.log.warning("The timestamp of %s cannot be read: %s", self._submission.student, error)
            return None

    def _say(self, fault: Fault) -> str:
        words = f"Fault of {fault.whose}: {fault.message} {fault.remedy}".strip()
        self.log.error(words)
        return words


def _copy(files: Mapping[str, Path], dest: Path) -> None:
    """Copies the files beside a notebook; never a link, which may point at a secret."""
    for name, path in files.items():
        if path.suffix != ".ipynb" and path.stat().st_size <= MAX_BYTES:
            target = dest / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target, follow_symlinks=False)
