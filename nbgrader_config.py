"""nbgrader's settings for this course; nbgrader reads this file when it is started in this folder."""

from pathlib import Path

from autograder.gradebook.configure import configure

c = get_config()  # noqa: F821  # nbgrader puts it into this file's namespace
c.CourseDirectory.course_id = "jax-jit"
configure(c, Path(__file__).resolve().parent)
