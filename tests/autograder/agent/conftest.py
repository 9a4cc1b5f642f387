"""A notebook of one cell and an agent beside it, in this process."""

import linecache
import textwrap

import pytest

from autograder.agent.inprocess import InProcessLink
from autograder.agent.student import StudentAgent
from autograder.wire import decode, encode

IMPORTS = "import jax, jax.numpy as jnp, numpy as np\nfrom jax import lax\nfrom functools import partial\n"


class Notebook:
    """A namespace with definitions, and the questions that a grader asks about it."""

    def __init__(self):
        self.namespace = {"__name__": "__main__"}
        exec(IMPORTS, self.namespace)
        self.agent = StudentAgent(self.namespace)
        self.link = InProcessLink(self.agent)

    def run(self, source):
        """Runs a cell."""
        text = textwrap.dedent(source)
        linecache.cache["<cell>"] = (len(text), None, text.splitlines(keepends=True), "<cell>")
        exec(compile(text, "<cell>", "exec"), self.namespace)

    def ask(self, op, **content):
        """Asks the agent and returns its answer."""
        return self.link.ask({"op": op, **content}, content.pop("buffers", ()))

    def export(self, name, *args, **kwargs):
        """Exports a function."""
        buffers = []
        trees = {"args": encode(args, into=buffers)[0], "kwargs": encode(kwargs, into=buffers)[0]}
        return self.link.ask({"op": "export", "name": name, **trees}, buffers)

    def call(self, name, *args, jit=False, **kwargs):
        """Calls a function and returns its value and what it printed."""
        buffers = []
        trees = {
            key: encode(value, into=buffers, numpy_as="jax")[0] for key, value in (("args", args), ("kwargs", kwargs))
        }
        answer = self.link.ask({"op": "call", "name": name, "jit": jit, **trees}, buffers)
        return decode(answer.content["value"], answer.buffers), answer.content["printed"]


@pytest.fixture
def notebook():
    """An empty notebook with an agent."""
    made = Notebook()
    yield made
    made.agent.close()
