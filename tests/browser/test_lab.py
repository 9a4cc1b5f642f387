"""The public checks in JupyterLab, in a real browser with a real kernel."""

from __future__ import annotations

import shutil

import pytest

from autograder.course.layout import Course
from tests.browser.browsing import Browser

ASSIGNMENT = "newton_sqrt"

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("part", "says"), [("release", "not answered yet"), ("source", "all passed")])
def test_checks(browser: Browser, course: Course, part: str, says: str) -> None:
    """All cells run without a traceback, and every check says that the answer is missing, or right."""
    folder = course.root / "home" / part
    shutil.copytree(course.root / part / ASSIGNMENT, folder)
    browser.open(f"/doc/tree/home/{part}/{ASSIGNMENT}.ipynb")
    browser.find(".jp-StatusBar-TextItem", text="| Idle")
    browser.find(".jp-Notebook-ExecutionIndicator[data-status=idle]")
    browser.find(".lm-MenuBar-item", text="Run").click()
    browser.find(".lm-Menu-item", text="Run All Cells").click()
    shown = f"return [...document.querySelectorAll('.jp-CodeCell')].filter({IS_CHECK}).map(cell => cell.innerText)"
    checks = browser.until(lambda driver: answered(driver.execute_script(shown)), "the results of the checks")
    assert all(says in check for check in checks), checks
    assert "Traceback" not in browser.text()


IS_CHECK = "cell => cell.innerText.includes('check(\"')"


def answered(checks: list[str]) -> list[str] | None:
    """Returns the texts of the check cells once each has an output."""
    return checks if checks and all(len(check.strip().splitlines()) > 2 for check in checks) else None
