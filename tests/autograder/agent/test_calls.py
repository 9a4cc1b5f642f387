"""Calls, values and look-ups answer with what the student's code made, or with its failure; never with an exception."""

import json

import jax
import numpy as np
import pytest

from autograder.faults import Fault, RaisedFault, StudentFault
from autograder.wire import Opaque, as_numpy, decode, encode


def test_numbers_arrive_as_suite_authors_expect(notebook):
    """NumPy values arrive as strong JAX arrays unless marked, Python numbers as they are."""
    notebook.run("def f(*args): return [(type(a).__name__, getattr(a, 'weak_type', None)) for a in args]")
    value, _ = notebook.call("f", np.float32(1), np.ones(2), as_numpy(np.ones(2)), as_numpy(np.float32(1)), 1.5, 2)
    assert value == [
        ("ArrayImpl", False),
        ("ArrayImpl", False),
        ("ndarray", None),
        ("float32", None),
        ("float", None),
        ("int", None),
    ]


def test_weak_arrays_stay_weak(notebook):
    """A weakly typed JAX array without dimensions arrives weak."""
    notebook.run("def f(x): return x.weak_type, x.dtype.name")
    assert notebook.call("f", jax.numpy.asarray(1.0))[0] == (True, "float32")


def test_numpy_arguments_can_be_written_to(notebook):
    """An argument marked as NumPy is an array of the student's own."""
    notebook.run("def f(x):\n    x += 1\n    return x")
    assert notebook.call("f", as_numpy(np.zeros(2)))[0].tolist() == [1, 1]


def test_value_and_print_come_back(notebook):
    """A call gives its value, and what it printed from Python and from the program."""
    notebook.run("def f(x, *, y):\n    print('hello')\n    jax.debug.print('x = {}', x)\n    return {'sum': x + y}")
    value, printed = notebook.call("f", np.float32(1), y=2)
    assert value["sum"] == 3
    assert printed == "hello\nx = 1.0\n"


def test_printing_is_bounded(notebook):
    """Of what a call prints only the beginning is kept."""
    notebook.run("def f():\n    for _ in range(3000): print('x' * 99)")
    assert len(notebook.call("f")[1]) == 10_000


def test_jitted_wrapper_is_kept(notebook):
    """With `jit` the function is called through one wrapper per name, so a second call compiles nothing."""
    notebook.run("def f(x): return lax.cond(x > 0, lambda v: v, lambda v: -v, x)")
    assert notebook.call("f", np.float32(-2), jit=True)[0] == 2
    window = notebook.ask("open_window").content["window"]
    assert notebook.call("f", np.float32(-3), jit=True)[0] == 3
    assert notebook.ask("close_window", window=window).content["events"] == []


def test_jitted_wrapper_follows_the_name(notebook):
    """When the name stands for another function, the wrapper is made anew."""
    notebook.run("def f(x): return x")
    notebook.call("f", np.float32(1), jit=True)
    notebook.run("def f(x): return -x")
    assert notebook.call("f", np.float32(1), jit=True)[0] == -1


def test_a_call_does_not_tell_the_exceptions_text(notebook):
    """What an exception says may hold an input, so it is in the detail and not in the message."""
    notebook.run("def f(x):\n    raise type(f'Secret{x}', (Exception,), {})(f'x was {x}')")
    with pytest.raises(RaisedFault) as found:
        notebook.call("f", 4321)
    assert "4321" not in found.value.message + found.value.remedy
    assert "x was 4321" in found.value.detail


@pytest.mark.parametrize(
    "error",
    [
        "KeyboardInterrupt()",
        "SystemExit(0)",
        "GeneratorExit()",
        "MemoryError()",
        "type('E', (Exception,), {'__str__': lambda self: 1 / 0, '__repr__': lambda self: 1 / 0})()",
        "type('E', (BaseException,), {'__class__': property(lambda self: 1 / 0)})()",
        "ExceptionGroup('many', [ValueError(1)])",
    ],
)
def test_any_exception_is_an_answer(notebook, error):
    """Whatever is raised, of whatever class, is a fault of the student's."""
    notebook.run(f"def f(): raise {error}")
    with pytest.raises(StudentFault, match=r"^`f` raised "):
        notebook.call("f")


def test_values_are_read(notebook):
    """A variable comes back as its value, and what is no value as an opaque stand-in."""
    notebook.run("predictions = [True, np.bool_(False), 1, np.array([True])]")
    notebook.run("class C: pass\nthing = C()\nkey = jax.random.key(0)")
    answer = notebook.ask("value", name="predictions")
    assert json.dumps(dict(answer.content))
    first, second, third, fourth = _decoded(answer)
    assert (first, second, third, fourth.tolist()) == (True, np.False_, 1, [True])
    assert isinstance(_decoded(notebook.ask("value", name="thing")), Opaque)
    assert isinstance(_decoded(notebook.ask("value", name="key")), Opaque)
    with pytest.raises(RaisedFault, match=r"^`missing` is not defined\."):
        notebook.ask("value", name="missing")


def _decoded(answer):
    return decode(answer.content["value"], answer.buffers)


def test_tracer_used_outside_its_function_is_explained(notebook):
    """A traced value that was kept and used again fails by JAX's own error, with what to do."""
    notebook.run("kept = []\njax.jit(lambda v: kept.append(v))(1.0)\ndef f(x): return kept[0] + x")
    with pytest.raises(RaisedFault, match="used again") as found:
        notebook.call("f", np.float32(1))
    assert found.value.type == "UnexpectedTracerError"
    assert "do not store them" in found.value.remedy


def test_leaked_tracer_is_opaque(notebook):
    """A tracer that a student kept is told as what it is, and harms nothing."""
    notebook.run("kept = []\n@jax.jit\ndef f(x):\n    kept.append(x)\n    return x")
    notebook.call("f", np.float32(1))
    assert "Tracer" in _decoded(notebook.ask("value", name="kept"))[0].type


@pytest.mark.parametrize(
    ("source", "facts"),
    [
        ("f = jax.jit(lambda x: x)", {"found": True, "callable": True, "jitted": True}),
        ("def f(x): return x", {"found": True, "callable": True, "jitted": False, "type": "function"}),
        (
            "class F:\n    def __call__(self): pass\nf = F()",
            {"found": True, "callable": True, "jitted": False, "type": "F"},
        ),
        ("f = 'lower'", {"found": True, "callable": False, "jitted": False, "type": "str"}),
        ("", {"found": False, "callable": False, "jitted": False, "type": ""}),
    ],
)
def test_look_up(notebook, source, facts):
    """A name is looked up without calling anything."""
    notebook.run(source)
    assert facts.items() <= notebook.ask("lookup", name="f").content.items()


def test_look_up_of_a_hostile_object(notebook):
    """An object is judged by its type, whatever it says of itself, and none of its code runs."""
    notebook.run(
        """
        class F:
            __class__ = type(jax.jit(abs))
            lower = print
            def __call__(self): pass
            def __getattr__(self, name): raise ValueError
        f, g = F(), jax.jit(abs)
        """
    )
    assert [notebook.ask("lookup", name=name).content["jitted"] for name in "fg"] == [False, True]


@pytest.mark.parametrize("signature", ["property(lambda self: 1 / 0)", "3"])
def test_hostile_signature_is_passed_over(notebook, signature):
    """A signature that cannot be read hides nothing: the call decides."""
    notebook.run(f"class F:\n    __signature__ = {signature}\n    def __call__(self, x): return x + 1\nf = F()")
    assert notebook.call("f", np.float32(1))[0] == 2


def test_environment_names_versions(notebook):
    """The environment is told by versions."""
    content = notebook.ask("environment").content
    assert content["jax"] == jax.__version__
    assert sorted(content) == ["jax", "jaxlib", "numpy", "python"]


@pytest.mark.parametrize(
    "request_",
    [
        {},
        {"op": "nothing"},
        {"op": "call"},
        {"op": "call", "name": "f"},
        {"op": "call", "name": "f", "args": []},
        {"op": "call", "name": ["f"], "args": encode(())[0]},
        {"op": "close_window", "window": 7},
        {"op": "close_window"},
        {"op": "value", "name": 3},
    ],
)
def test_malformed_request_is_not_the_students_fault(notebook, request_):
    """A request that the agent cannot read is a fault of this program."""
    notebook.run("def f(): return 1")
    with pytest.raises(Fault) as found:
        notebook.link.ask(request_)
    assert not isinstance(found.value, StudentFault)


def test_faults_of_the_agent_are_not_the_students(notebook, monkeypatch):
    """An exception in the agent's own code, outside the student's, costs the student nothing."""
    monkeypatch.setattr("autograder.agent.student.encode", lambda value: 1 / 0)
    notebook.run("x = 1")
    with pytest.raises(Fault) as found:
        notebook.ask("value", name="x")
    assert not isinstance(found.value, StudentFault)
    assert "ZeroDivisionError" in found.value.detail
