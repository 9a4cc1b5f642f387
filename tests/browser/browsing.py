"""A headless Chromium that looks at pages of one Jupyter server, and waits for what they come to."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE = 240
"""Seconds after which a test fails whose page does not come to what is awaited; more than a busy machine needs."""

FLAGS = (
    "--headless",
    "--no-sandbox",  # Chromium has no sandbox as root; it sees pages of the course alone
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # on every machine as on one without the internet
    "--window-size=1200,1000",
)

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser and the server that it looks at.

    Attributes:
        driver: What drives the browser.
        address: The server's address, without a closing slash.
    """

    driver: webdriver.Chrome
    address: str

    def open(self, path: str) -> None:
        """Opens a page of the server."""
        self.driver.get(self.address + path)

    def read(self, page: Path) -> str:
        """Opens a file and returns the text that it shows."""
        self.driver.get(page.as_uri())
        return self.text()

    def find(self, selector: str, *, text: str = "") -> WebElement:
        """Waits for a visible element that a CSS selector, or an XPath, finds and whose text holds this one."""
        by = By.XPATH if selector.startswith("//") else By.CSS_SELECTOR

        def visible(driver: webdriver.Chrome) -> WebElement | None:
            found = driver.find_elements(by, selector)
            return next((one for one in found if one.is_displayed() and text in one.text), None)

        return self.until(visible, f"{selector} with {text!r}")

    def until(self, condition: Callable[[webdriver.Chrome], Result | None], what: str) -> Result:
        """Waits until a function of the driver returns something true, and returns that."""
        wait = WebDriverWait(self.driver, PATIENCE, ignored_exceptions=[StaleElementReferenceException])
        found = wait.until(condition, f"{what}: nothing of the kind came at {self.driver.current_url}")
        assert found is not None
        return found

    def text(self) -> str:
        """Returns the text that the page shows."""
        return self.driver.find_element(By.TAG_NAME, "body").text

    def complaints(self) -> list[str]:
        """Returns the errors in the page's scripts since the last time."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["source"] == "javascript"]


@contextmanager
def chromium(folder: Path) -> Iterator[webdriver.Chrome]:
    """Starts the distribution's Chromium with an empty profile.

    Args:
        folder: An empty folder for the profile.
    """
    programs = {"chromium": shutil.which("chromium"), "chromium-driver": shutil.which("chromedriver")}
    missing = [name for name, path in programs.items() if path is None]
    assert not missing, f"These tests need {' and '.join(missing)}: apt-get install {' '.join(missing)}"
    options = webdriver.ChromeOptions()
    options.binary_location = str(programs["chromium"])
    for flag in (*FLAGS, f"--user-data-dir={folder}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "SEVERE"})
    driver = webdriver.Chrome(options=options, service=Service(str(programs["chromium-driver"])))
    driver.set_page_load_timeout(PATIENCE)
    try:
        yield driver
    finally:
        driver.quit()
