"""A Jupyter server on a course, with nbgrader's own extensions, as a teacher starts it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LAB_SETTINGS = {
    "notebook-extension/tracker": {"windowingMode": "none"},  # cells out of sight are in the page, too
    "apputils-extension/notification": {"fetchNews": "false"},
}
START = 120
"""Seconds until the server answers."""


@contextmanager
def lab(root: Path, folder: Path, *, token: str) -> Iterator[str]:
    """Starts JupyterLab in a folder of its own settings; yields its address.

    Args:
        root: The course, in which it is started.
        folder: An empty folder for its settings and its log.
        token: What opens it.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", f"--port={port}"]
    command += ["--ServerApp.port_retries=0", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    command += ["--allow-root"] if os.geteuid() == 0 else []
    log = folder / "server.log"
    with log.open("wb") as stream:
        server = subprocess.Popen(
            command, cwd=root, env=_environment(folder, token), stdout=stream, stderr=stream, start_new_session=True
        )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_until_up(server, f"{address}/api?token={token}", log)
        yield address
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait()


def _environment(folder: Path, token: str) -> dict[str, str]:
    """Returns variables by which the server finds no settings of whoever runs the tests."""
    for name, settings in LAB_SETTINGS.items():
        path = folder / "lab" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(settings), encoding="utf-8")
    places = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime"}
    places |= {"IPYTHONDIR": "ipython", "JUPYTERLAB_SETTINGS_DIR": "lab", "JUPYTERLAB_WORKSPACES_DIR": "workspaces"}
    return {**os.environ, **{name: str(folder / place) for name, place in places.items()}, "JUPYTER_TOKEN": token}


def _wait_until_up(server: subprocess.Popen[bytes], address: str, log: Path) -> None:
    end = time.monotonic() + START
    while True:
        try:
            urllib.request.urlopen(address).close()
            return
        except OSError:
            assert server.poll() is None, log.read_text(encoding="utf-8")
            assert time.monotonic() < end, log.read_text(encoding="utf-8")
        time.sleep(0.2)
