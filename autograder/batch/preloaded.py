"""Imports what every worker needs, once, in the process from which workers are forked; it has to keep to one thread.

The zygote of boxes loads beside it, and all workers share it.
"""

import os
import signal

# Ctrl-C is the grader's. A handler that does nothing, and not SIG_IGN, which the sandboxed kernels would inherit.
signal.signal(signal.SIGINT, lambda number, frame: None)

from autograder.imports import leave_out  # noqa: E402

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy would start others
leave_out()

from autograder.box import warm  # noqa: E402
from autograder.box.policy import Policy  # noqa: E402

warm.begin(Policy())

import jax  # noqa: E402, F401  # references import it; nothing here makes a backend, which would start threads

import autograder.batch.grading  # noqa: E402
import autograder.program.structure  # noqa: E402, F401

warm.zygote_for(Policy())  # waits: only one process may hear that it has loaded
