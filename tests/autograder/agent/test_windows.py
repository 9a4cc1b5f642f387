"""A compile window counts what the student's code compiles, and notices when the counting was tampered with."""

import jax
import numpy as np
import pytest

from autograder.wire import Aval


def window_of(notebook, ask):
    """Returns the answer of a window around some requests."""
    number = notebook.ask("open_window").content["window"]
    ask()
    return notebook.ask("close_window", window=number).content


@pytest.fixture
def scale(notebook):
    """A notebook with a jitted function that was called once, from fresh caches."""
    notebook.run("@jax.jit\ndef scale(x, factor): return x * factor")
    notebook.ask("clear_caches")
    notebook.call("scale", np.ones(3, "float32"), np.float32(2))
    return notebook


def test_other_values_compile_nothing(scale):
    """Calls with other values of the same types are no events; building the arguments and canaries are none either."""
    content = window_of(scale, lambda: scale.call("scale", np.zeros(3), np.float16(5).astype("float32")))
    assert content == {"events": [], "canary": True}


def test_new_shape_is_one_event_with_its_cause(scale):
    """A call with a new shape is exactly one event, whose cause names the argument."""
    content = window_of(scale, lambda: scale.call("scale", np.ones(4, "float32"), np.float32(2)))
    assert content["events"] == [{"name": "jit(scale)", "cause": "argument x changed: shape (3) -> (4)"}]


def test_python_number_is_another_signature(scale):
    """A Python number in place of a strong scalar compiles once more, because of its weak type."""
    content = window_of(scale, lambda: scale.call("scale", np.ones(3, "float32"), 2.0))
    assert content["events"] == [{"name": "jit(scale)", "cause": "argument factor changed: weak type no -> yes"}]


def test_cleared_caches_compile_again(scale):
    """After `clear_caches` the same call compiles again."""

    def ask():
        scale.ask("clear_caches")
        scale.call("scale", np.ones(3, "float32"), np.float32(2))

    assert len(window_of(scale, ask)["events"]) == 1


def test_export_is_no_event(scale):
    """An export between two calls is in no window."""
    content = window_of(scale, lambda: scale.export("scale", Aval("float32", (3,)), Aval("float32", ())))
    assert content["events"] == []


def test_windows_may_overlap(scale):
    """Two open windows both see a compile, and each closes by its number."""
    outer = scale.ask("open_window").content["window"]
    inner = window_of(scale, lambda: scale.call("scale", np.ones(5, "float32"), np.float32(2)))
    content = scale.ask("close_window", window=outer).content
    assert (len(inner["events"]), len(content["events"])) == (1, 1)
    assert (inner["canary"], content["canary"]) == (True, True)


def test_every_compile_counts_whatever_its_name(notebook):
    """Compiles under another name, or of operations outside of jit, are events too."""
    notebook.run("def f(x):\n    return jax.jit(lambda v: v + 1)(x)")
    notebook.call("f", np.float32(1))
    content = window_of(notebook, lambda: notebook.call("f", np.float32(1)))
    assert [event["name"] for event in content["events"]] == ["jit(<lambda>)"]


def test_broken_jax_is_a_silent_canary(notebook, monkeypatch):
    """When JAX itself was broken, the window says that its canary was not seen."""
    number = notebook.ask("open_window").content["window"]
    monkeypatch.setattr("autograder.agent.windows.jit", lambda function: 1 / 0)
    assert notebook.ask("close_window", window=number).content == {"events": [], "canary": False}


def test_disabled_jit_changes_nothing(scale):
    """A notebook that left `jax.disable_jit` on is counted and called as if it had not."""
    with jax.disable_jit():
        content = window_of(scale, lambda: scale.call("scale", np.zeros(3, "float32"), np.float32(5)))
    assert content == {"events": [], "canary": True}


@pytest.fixture
def listeners():
    """Puts back the listeners that a test takes out."""
    from jax._src import monitoring  # JAX has no public list of them

    kept = list(monitoring.get_event_duration_listeners())
    yield
    jax.monitoring.clear_event_listeners()
    for listener in kept:
        jax.monitoring.register_event_duration_secs_listener(listener)


@pytest.mark.usefixtures("listeners")
@pytest.mark.parametrize("when", ["before", "inside"])
def test_unseen_canary_is_reported(notebook, when):
    """When the listeners are cleared, before the window or inside it, the canary is not seen and the answer says so."""
    if when == "before":
        jax.monitoring.clear_event_listeners()
    content = window_of(notebook, jax.monitoring.clear_event_listeners)
    assert content["canary"] is False
