"""A policy says what a box may use and see; it is data, and other modules enforce it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Literal

Sandbox = Literal["bubblewrap", "none"]
"""What confines a box; `none` runs the student's code as the grader's own user and hides nothing."""

Start = Literal["auto", "warm", "cold"]
"""How a box is started: forked from a warm process where the host lets that work, or nothing else, or never so."""

SCRATCH = Path("/box")
"""Where the private scratch folder lies inside a box."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a box may use, and all boxes of one submission together.

    Attributes:
        cell_s: Seconds for one notebook cell, by a fair clock (`autograder.box.clock`), as the next three.
        notebook_s: Seconds for all cells of a notebook together.
        request_s: Seconds for one request to an agent.
        submission_s: Seconds for all cells and requests of a submission together, in all its boxes.
        wall_s: Seconds of wall time from the start of a box to its end.
        cpu_s: Seconds of CPU time that one process of a box may use.
        memory_mb: MiB of memory of all processes of a box, its scratch folder included. JAX alone takes about 300.
        processes: Processes and threads of a box. JAX starts about 15, and more on machines with many cores.
        file_mb: MiB that one file may grow to.
        scratch_mb: MiB of all files in the scratch folder, and as many in `/tmp`.
        output_mb: MiB of output that a box may send in its life; at more it is killed.
        message_mb: MiB of one part of a message from a box: an answer, a figure.
    """

    cell_s: float = 20.0
    notebook_s: float = 300.0
    request_s: float = 20.0
    submission_s: float = 600.0
    wall_s: float = 900.0
    cpu_s: int = 600
    memory_mb: int = 2048
    processes: int = 256
    file_mb: int = 64
    scratch_mb: int = 256
    output_mb: int = 16
    message_mb: int = 8


@dataclass(frozen=True, slots=True)
class Policy:
    """What a box may use and see. It never has a network, and never a writable path of the host.

    Attributes:
        limits: How much it may use.
        sandbox: `bubblewrap`; or `none`, which runs the student's code as the grader's own user and hides nothing.
        start: How it is started; the results are the same.
        readable: Folders and files of the host that the box may read, beside the system and the Python environment.
        environment: Environment variables beside those that every box has; nothing of the grader's own is passed on.
    """

    limits: Limits = Limits()
    sandbox: Sandbox = "bubblewrap"
    start: Start = "auto"
    readable: tuple[Path, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()


def environment(policy: Policy, *, scratch: Path = SCRATCH) -> dict[str, str]:
    """Builds the whole environment of a box from nothing.

    Args:
        policy: Whose additions are included.
        scratch: The scratch folder as the box sees it.
    """
    home = scratch / "home"
    return {
        "PATH": f"{sys.prefix}/bin:/usr/local/bin:/usr/bin:/bin",
        "HOME": str(home),
        "USER": "student",
        "LOGNAME": "student",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "TMPDIR": "/tmp" if scratch == SCRATCH else str(home),
        "IPYTHONDIR": str(home / ".ipython"),
        "MPLCONFIGDIR": str(home / ".matplotlib"),
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",  # equal work gives equal bytes
        "PYTHONNOUSERSITE": "1",
        "PYTHONSAFEPATH": "1",
        "JAX_PLATFORMS": "cpu",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "NPROC": "2",  # XLA sizes its thread pools by it: on many cores their stacks alone would exceed the limits
        **_compiler(),
        **dict(policy.environment),
    }


@cache
def _compiler() -> dict[str, str]:
    """Asks XLA to compile in one piece, and for its older emitters, as the replay box does: both take less time.

    JAX 0.12 has no such choice of emitters, and XLA ends a process that asks for what it does not know.
    """
    flags = ["--xla_cpu_parallel_codegen_split_count=1"]
    if version("jaxlib").startswith("0.10."):
        flags.append("--xla_cpu_use_fusion_emitters=false")
    return {"XLA_FLAGS": " ".join(flags)}
