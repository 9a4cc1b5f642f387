"""Imports what every worker needs, once, in the process from which workers are forked; it has to keep to one thread."""

import os

from autograder.imports import leave_out

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy would start others
leave_out()

import jax  # noqa: E402, F401  # references import it; nothing here makes a backend, which would start threads

import autograder.batch.grading  # noqa: E402, F401
