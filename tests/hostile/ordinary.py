"""Runs the hostile tier as an ordinary user: `python -m tests.hostile.ordinary RUN.xml [arguments of pytest]`, as root.

The user has no control group and no right to make namespaces, as on a teaching machine that many share.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.autograder.box.test_ordinary_user import BECOME, REPOSITORY, USER


def main(report: str, *arguments: str) -> int:
    """Runs pytest as that user and returns its status.

    Args:
        report: Where the JUnit file goes.
        arguments: Of pytest; all of `tests/hostile` without.
    """
    with tempfile.TemporaryDirectory(prefix="home-", dir="/tmp") as name:
        home = Path(name)
        (home / "stage").mkdir()
        os.chown(home, USER, USER)
        tests = ["-m", "pytest", "-m", "", "-p", "no:cacheprovider", f"--junitxml={home / 'run.xml'}"]
        command = [sys.executable, "-B", *tests, *(arguments or ("tests/hostile",))]
        needed = [str(REPOSITORY), *dict.fromkeys([sys.prefix, sys.base_prefix])]
        become = ["unshare", "--mount", sys.executable, "-c", BECOME, str(USER), str(home / "stage"), *needed, "--"]
        variables = {"PATH": os.environ["PATH"], "HOME": name, "TMPDIR": name, "USER": "user", "LANG": "C.UTF-8"}
        variables["HYPOTHESIS_STORAGE_DIRECTORY"] = str(home / "hypothesis")  # the repository's may be root's
        done = subprocess.run([*become, *command], env=variables, check=False)
        if (home / "run.xml").exists():
            shutil.copy(home / "run.xml", report)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
