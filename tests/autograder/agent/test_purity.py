"""A function that depends on a global, or changes one while it is traced, is found; a pure one is not."""

import numpy as np
import pytest

from autograder.wire import Aval, encode

F32 = Aval("float32", ())
X = Aval("float32", (8,))


@pytest.fixture
def examined(notebook):
    """Runs a cell and returns what the agent says of the function `f` in it."""

    def examine(source, *args, parameters=("lr", "w", "x")):
        notebook.run(source)
        buffers = []
        tree, _ = encode(args or (F32, X), into=buffers, numpy_as="jax")
        request = {"op": "purity", "name": "f", "args": tree, "parameters": list(parameters)}
        return dict(notebook.link.ask(request, buffers).content)

    return examine


NOTHING = {"depends_on": [], "changed": [], "printed": "", "repeatable": True}


@pytest.mark.parametrize("source", ["def f(w, x): return w * x", "@jax.jit\ndef f(w, x): return helper(w) * x * SCALE"])
def test_pure_function_has_nothing_found(examined, source):
    """Globals of a parameter's name, arrays, helper functions and constants do not make a pure function impure."""
    data = "lr = 0.1\nw = 3\nx = jnp.ones(8)\ndata = {'y': np.ones(3)}\nkey = jax.random.key(0)\nSCALE = 2.0\n"
    assert examined(f"{data}def helper(v): return v + 1\n{source}") == NOTHING


@pytest.mark.parametrize(
    ("value", "poisoned"),
    [("0.5", "changed"), ("3", "changed"), ("True", "changed"), ("(0.5, 1)[0]", "changed"), ("jnp.ones(8)", "changed")],
)
def test_global_named_like_a_parameter(examined, value, poisoned):
    """A global `lr` that the function reads is found by another value and by its absence, also behind a cache."""
    found = examined(f"lr = {value}\n@jax.jit\ndef f(w, x): return w * x * lr\nf(1.0, jnp.ones(8))")
    assert found["depends_on"] == [{"name": "lr", "poisoned": poisoned, "deleted": "raised"}]


@pytest.mark.parametrize(
    "value",
    [
        "jnp.ones(8)",
        "np.ones(8)",
        "jnp.arange(8)",
        "jnp.ones(8, bool)",
        "jnp.ones(8, jnp.bfloat16)",
        "[jnp.ones(8)]",
        "{'a': np.ones(8)}",
        "jax.random.key(0)",
    ],
)
def test_global_that_holds_arrays(examined, value):
    """A global array of any dtype, and a container of arrays, is found under any name."""
    use = "jax.random.normal(data, (8,))" if "key" in value else "jax.tree.leaves(data)[0]"
    found = examined(f"data = {value}\ndef f(w, x): return w * x + {use}")
    assert found["depends_on"] == [{"name": "data", "poisoned": "changed", "deleted": "raised"}]


def test_arrays_that_nothing_can_be_computed_with(examined):
    """A tracer that leaked into a global, and an array that was donated, disturb nobody."""
    found = examined(
        "leaked, given = [], jnp.ones(3)\n@jax.jit\ndef leaks(v):\n    leaked.append(v)\n    return v\n"
        "leaks(1.0)\njax.jit(lambda a: a + 1, donate_argnums=0)(given)\ndef f(w, x): return w * x"
    )
    assert found == NOTHING


def test_two_globals_are_told_apart(examined):
    """Each global is spoilt by itself, so the one that matters is named and the other is not."""
    found = examined("lr = 0.1\nx = jnp.ones(8)\nw = 2.0\ndef f(a, b): return a * b * w")
    assert [one["name"] for one in found["depends_on"]] == ["w"]


def test_a_fallback_for_a_missing_global_does_not_hide_it(examined):
    """A function that catches the absence of a global is found by another value."""
    found = examined(
        "lr = 0.1\ndef f(w, x):\n    try: rate = lr\n    except NameError: rate = 0.1\n    return w * x * rate"
    )
    assert found["depends_on"] == [{"name": "lr", "poisoned": "changed", "deleted": "same"}]


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        ("seen = []\ndef f(w, x):\n    seen.append(1)\n    return w * x", ["seen"]),
        ("count = 0\ndef f(w, x):\n    global count\n    count += 1\n    return w * x", ["count"]),
        ("state = {'n': {'k': 0}}\n@jax.jit\ndef f(w, x):\n    state['n']['k'] += 1\n    return w * x", ["state"]),
        ("log = np.zeros(3)\ndef f(w, x):\n    log[0] += 1\n    return w * x", ["log"]),
        ("def f(w, x):\n    f.calls = getattr(f, 'calls', 0) + 1\n    return w * x", ["f"]),
        ("def f(w, x, memo=[]):\n    memo.append(1)\n    return w * x", ["f"]),
        ("class C: n = 0\nc = C()\ndef f(w, x):\n    c.n += 1\n    return w * x", ["c"]),
        (
            "def make():\n    kept = []\n    def g(w, x):\n        kept.append(1)\n        return w * x\n"
            "    return jax.jit(g)\nf = make()",
            ["f"],
        ),
    ],
    ids=["list", "global", "nested", "numpy", "attribute", "default", "instance", "closure"],
)
def test_what_a_trace_changes(examined, source, changed):
    """A trace that changes a global, a closure, a default or an attribute is found, by the name of what it changed."""
    assert examined(source)["changed"] == changed


def test_what_a_trace_prints(examined):
    """Printing from Python while tracing is a side effect; `jax.debug.print` is none."""
    source = "def f(w, x):\n    {}\n    return w * x"
    assert examined(source.format("print('tracing')"))["printed"] == "tracing\n"
    assert examined(source.format("jax.debug.print('{}', w)"))["printed"] == ""


def test_a_called_function_is_examined_too(examined):
    """With values in place of abstract arguments the function is called: a Python loop that cannot be exported."""
    source = "lr = 0.5\ndef f(w, x):\n    while float(w) < 4: w = w + {}\n    return w * x"
    args = (np.float32(1), np.ones(8, "float32"))
    assert examined(source.format("0.5"), *args) == NOTHING
    found = examined(source.format("lr"), *args)
    assert found["depends_on"] == [{"name": "lr", "poisoned": "changed", "deleted": "raised"}]


def test_a_function_that_never_repeats_is_told(examined):
    """A function whose fresh traces differ without any change is reported as not repeatable."""
    assert examined("import random\ndef f(w, x): return w * x * random.random()")["repeatable"] is False


def test_globals_are_put_back(notebook, examined):
    """After the examination every global is the very object that it was."""
    notebook.run("lr = 0.5\nx = jnp.ones(8)\ndef f(w, v): return w * v * lr * x")
    before = dict(notebook.namespace)
    examined("")
    assert {key: id(value) for key, value in notebook.namespace.items()} == {
        key: id(value) for key, value in before.items()
    }
