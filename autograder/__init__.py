"""Grades exercises on `jax.jit`: numerics, lowering and compile counts, checked outside the student's process."""

__version__ = "0.1.0"
