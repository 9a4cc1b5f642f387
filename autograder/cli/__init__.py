"""The command line: what was typed becomes one call, and what came of it an exit code."""

from autograder.cli.app import app, main

__all__ = ["app", "main"]
