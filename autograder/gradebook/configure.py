"""What `nbgrader_config.py` of a course calls: nbgrader's commands and formgrader then grade as this program does."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path
from typing import Any

import nbgrader
from sqlalchemy.exc import SAWarning

from autograder.gradebook.waiting import rounded


def configure(config: Any, root: Path) -> None:
    """Makes nbgrader in this process use our converters for a course.

    Args:
        config: traitlets' configuration, as `get_config()` returns it.
        root: The course folder.
    """
    config.CourseDirectory.root = str(root)
    config.GenerateAssignment.preprocessors = _release_steps()
    config.GenerateFeedback.force = True  # nbgrader keeps an old page after the marks have changed
    theirs = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"
    config.HTMLExporter.extra_template_basedirs = [str(Path(__file__).parent / "templates"), str(theirs)]
    config.HTMLExporter.filters = {"round": rounded}
    find_alembic()
    quiet()
    use_our_converters()


def _release_steps() -> list[type]:
    """Returns nbgrader's own steps of a release, with our way to clear solutions."""
    from nbgrader.converters import GenerateAssignment
    from nbgrader.preprocessors import ClearSolutions

    from autograder.gradebook.stubs import RunnableStubs

    steps = GenerateAssignment.class_traits()["preprocessors"].default()
    return [RunnableStubs if step is ClearSolutions else step for step in steps]


def find_alembic() -> None:
    """Nbgrader starts `alembic` by its bare name, which is found only in an activated environment."""
    folder = str(Path(sys.executable).parent)
    path = os.environ.get("PATH", "").split(os.pathsep)
    if folder not in path:
        os.environ["PATH"] = os.pathsep.join([folder, *path])


def quiet() -> None:
    """Drops warnings about how nbgrader 0.9 uses SQLAlchemy, which nobody who grades can change.

    It calls what SQLAlchemy 2.1 deprecates, and hangs a new submission on its student before it adds it to the session.
    """
    warnings.filterwarnings("ignore", category=DeprecationWarning, module=r"nbgrader\.")
    warnings.filterwarnings("ignore", category=SAWarning, message=r"Object of type <\w+> not in session")


def use_our_converters() -> None:
    """Nbgrader has no setting for its converters and its gradebook: each is looked up in the modules that use it."""
    from nbgrader.apps import api, autogradeapp, generatefeedbackapp
    from nbgrader.preprocessors import latesubmissions, savecells

    from autograder.gradebook.autograde import EvaluatedAutograde
    from autograder.gradebook.feedback import FeedbackPages
    from autograder.gradebook.transaction import KeptGradebook

    autogradeapp.Autograde = api.Autograde = EvaluatedAutograde
    generatefeedbackapp.GenerateFeedback = api.GenerateFeedback = FeedbackPages
    latesubmissions.Gradebook = savecells.Gradebook = KeptGradebook
