"""nbgrader's formgrader in a real browser: its buttons give our marks, its pages our reports."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping

import pytest
from selenium.webdriver.common.keys import Keys

from autograder.course.cells import Role
from autograder.course.layout import Course
from tests.browser.browsing import Browser

ASSIGNMENT = "newton_sqrt"

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def graded(browser: Browser) -> Mapping[str, str]:
    """The score that stands beside each student after formgrader's Autograde was pressed for them."""
    return {student: press(browser, student, "autograde") for student in ("ann", "bob")}


def press(browser: Browser, student: str, button: str) -> str:
    """Presses a student's button on the page of submissions; returns the score that the page shows afterwards."""
    browser.open("/formgrader/manage_assignments")
    browser.find(".num-submissions a").click()
    cell = f"//td[contains(@class, 'student-id')][.='{student}']/../td[contains(@class, '%s')]"
    browser.find(f"{cell % button}/a").click()
    modal = browser.find("#success-modal, #error-modal", text="OK")
    assert modal.get_attribute("id") == "success-modal", modal.text
    browser.driver.refresh()
    return browser.find(cell % "score", text="/").text


def open_submission(browser: Browser, student: str) -> None:
    """Opens the page on which a person grades a submission."""
    browser.open(f"/formgrader/manage_students/{student}/{ASSIGNMENT}")
    browser.find(".name a").click()
    loaded = "return window.formgrader && formgrader.grades.loaded && formgrader.comments.loaded"
    browser.until(lambda driver: driver.execute_script(loaded), "the marks")


def evaluated(course: Course, student: str) -> Mapping[str, object]:
    """What `autograder evaluate` says of the file that a student handed in."""
    (notebook,) = course.submitted(ASSIGNMENT, student).glob("*.ipynb")
    command = [sys.executable, "-m", "autograder", "evaluate", ASSIGNMENT, str(notebook), "--json"]
    done = subprocess.run(command, cwd=course.root, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    evaluation: Mapping[str, object] = json.loads(done.stdout)
    return evaluation


def secrets_in(text: str, course: Course) -> list[str]:
    """Returns the statements of the hidden suite and of the reference that a page shows."""
    secrets = list(_secrets(course))
    assert secrets
    return [secret for secret in secrets if secret in text]


def _secrets(course: Course) -> Iterator[str]:
    """Yields the statements that no student can know from the release."""
    known = course.assignment(ASSIGNMENT).release.read_text(encoding="utf-8")
    for path in (course.root / "tests" / ASSIGNMENT).glob("*.py"):
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)):
            text = ast.get_source_segment(source, node) or "" if isinstance(node, ast.Assert | ast.Assign) else ""
            if text and text not in known:
                yield text


@pytest.mark.parametrize("student", ["ann", "bob"])
def test_same_marks(graded: Mapping[str, str], browser: Browser, course: Course, student: str) -> None:
    """The Autograde button gives each check the points that `autograder evaluate` gives it."""
    evaluation = evaluated(course, student)
    open_submission(browser, student)
    shown = {
        box.get_attribute("id"): float(box.get_attribute("placeholder"))
        for box in browser.driver.find_elements("css selector", "input.score")
    }
    assert shown == {check["grade_id"]: check["points"] for check in evaluation["checks"]}, evaluation
    assert graded[student] == f"{evaluation['score']:g} / {evaluation['max_score']:g}"


def test_reports(graded: Mapping[str, str], browser: Browser, course: Course) -> None:
    """Every grade cell shows our report, and the page neither a statement of a suite nor one of the reference."""
    open_submission(browser, "ann")
    boxes = browser.driver.find_elements("css selector", ".code_cell:has(.autograder-check) input.score")
    checks = [cell.grade_id for cell in course.assignment(ASSIGNMENT).cells if cell.role is Role.GRADE]
    assert [box.get_attribute("id") for box in boxes] == checks
    text = browser.text()
    assert "makes an argument static that has to be traced" in text
    assert secrets_in(text, course) == []


def test_repairs_and_limits(graded: Mapping[str, str], browser: Browser) -> None:
    """The page says above the lesson what was repaired before grading, and which limits the work ran into."""
    open_submission(browser, "bob")
    summary = browser.find(".autograder-summary").text
    assert "newton_sqrt (1).ipynb was graded as newton_sqrt.ipynb." in summary
    assert "Limits hit" in summary


def test_keyboard(graded: Mapping[str, str], browser: Browser) -> None:
    """Without the internet, where MathJax cannot be loaded, formgrader's keys work: Tab leads from mark to mark."""
    browser.complaints()
    open_submission(browser, "ann")
    assert browser.complaints() == []
    browser.find("#iterations").send_keys(Keys.TAB)
    browser.find("#iterations_extra_credit:focus").send_keys(Keys.TAB)
    browser.find("#lowering:focus")


def test_people_have_the_last_word(graded: Mapping[str, str], browser: Browser, course: Course) -> None:
    """A mark that a person overrode and a comment survive another Autograde, and stand in the feedback page."""
    open_submission(browser, "ann")
    write(browser, "#compiles", "1.5")
    write(browser, "textarea.comment", "Well argued; *half* of it counts.")
    total = f"{float(graded['ann'].split()[0]) + 1.5:g} / 10"
    assert press(browser, "ann", "autograde") == total
    open_submission(browser, "ann")
    assert browser.find("#compiles").get_attribute("value") == "1.5"
    press(browser, "ann", "generate-feedback")
    folder = course.root / "feedback" / "ann" / ASSIGNMENT
    text = browser.read(folder / f"{ASSIGNMENT}.html")
    assert f"Score: {float(total.split()[0])} / 10.0" in text
    assert "Score: 1.5 / 2.0" in text
    assert "Well argued; half of it counts." in text
    assert "makes an argument static that has to be traced" in text
    assert secrets_in(text, course) == []


def write(browser: Browser, selector: str, text: str) -> None:
    """Types into a field of the page and waits until formgrader has saved it."""
    browser.driver.execute_script("saved = 0; $(document).on('finished_saving', () => { saved += 1 })")
    browser.find(selector).send_keys(text, Keys.ESCAPE)
    browser.until(lambda driver: driver.execute_script("return saved"), "the save")
