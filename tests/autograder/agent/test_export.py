"""A function is exported as a program in which every argument is traced, or the student reads why it cannot be."""

import jax
import numpy as np
import pytest

from autograder.faults import RaisedFault
from autograder.wire import Aval

F32 = Aval("float32", ())


def run_program(answer, *inputs):
    """Runs an exported program, as the replay box does, and returns its flat outputs."""
    return [np.asarray(value) for value in jax.export.deserialize(bytearray(answer.buffers[0])).call(*inputs)]


def test_program_computes_what_the_function_does(notebook):
    """The artifact is a program of the function, and the answer describes its arguments and results."""
    notebook.run("@jax.jit\ndef f(x, n): return x * n, x > 0")
    answer = notebook.export("f", Aval("float32", (3,)), Aval("int32", ()))
    doubled, positive = run_program(answer, np.float32([1, -2, 3]), np.int32(2))
    assert doubled.tolist() == [2, -4, 6]
    assert positive.tolist() == [True, False, True]
    assert answer.content["in_avals"] == [{"dtype": "float32", "shape": [3]}, {"dtype": "int32", "shape": []}]
    assert answer.content["out_avals"] == [{"dtype": "float32", "shape": [3]}, {"dtype": "bool", "shape": [3]}]
    assert answer.content["out_tree"] == "(*, *)"


@pytest.mark.parametrize(
    ("definition", "structure"),
    [
        ("class R(NamedTuple):\n    root: object\n    n: object", "R(root=*, n=*)"),
        ("@dataclass\nclass R:\n    root: object\n    n: object", "R(root=*, n=*)"),
        ("def R(root, n): return {'root': root, 'n': [n, None, ()]}", "{'n': [*, None, ()], 'root': *}"),
        ("def R(root, n): return root, (n,)", "(*, (*,))"),
        (
            "class R:\n    def __init__(self, a, b): self.a, self.b = a, b\n"
            "jax.tree_util.register_pytree_node(R, lambda r: ((r.a, r.b), None), lambda aux, kids: R(*kids))",
            "R(*, *)",
        ),
    ],
    ids=["namedtuple", "dataclass", "dict", "nested", "registered"],
)
def test_results_of_any_structure(notebook, definition, structure):
    """Named tuples, dataclasses, containers and registered pytrees leave as flat results and a description."""
    notebook.run(
        f"from typing import NamedTuple\nfrom dataclasses import dataclass\n{definition}\ndef f(x): return R(x + 1, 2)"
    )
    answer = notebook.export("f", F32)
    assert answer.content["out_tree"] == structure
    assert sorted(float(value) for value in run_program(answer, np.float32(4))) == [2, 5]


def test_arguments_of_any_structure(notebook):
    """Avals inside containers become the program's arguments in order; any other value is built in."""
    notebook.run(
        "def f(params, mode, *, scale): return params['w'] * params['b'][0] * scale + (1 if mode == 'a' else 0)"
    )
    answer = notebook.export("f", {"w": F32, "b": [F32]}, "a", scale=np.float32(3))
    assert len(answer.content["in_avals"]) == 2
    assert run_program(answer, np.float32(2), np.float32(5))[0] == 31


@pytest.mark.parametrize("shape", [(0,), (), (2, 3)])
def test_shapes(notebook, shape):
    """Any shape can be exported, the empty one too."""
    notebook.run("def f(x): return jnp.where(x > 0, x, 0.0)")
    answer = notebook.export("f", Aval("float32", shape))
    assert run_program(answer, np.ones(shape, "float32"))[0].shape == shape


def test_debug_output_leaves_no_trace(notebook):
    """`jax.debug.print` and `jax.debug.callback`, in branches and loops too, leave nothing in the program."""
    notebook.run(
        """
        def body(i, x):
            jax.debug.print("{}", x)
            return lax.cond(x > 0, lambda v: (jax.debug.callback(print, v), v + 1)[1], lambda v: v, x)
        @jax.jit
        def f(x):
            jax.debug.print("start {x}", x=x)
            return lax.fori_loop(0, 3, body, x)
        """
    )
    answer = notebook.export("f", F32)
    assert not [name for name in answer.content["primitives"] if "debug" in name]
    assert run_program(answer, np.float32(1))[0] == 4


def test_debug_output_speaks_again_afterwards(notebook):
    """After an export a call of the same jitted function prints as before it."""
    notebook.run("@jax.jit\ndef f(x):\n    jax.debug.print('x is {}', x)\n    return x")
    assert notebook.call("f", np.float32(1))[1] == "x is 1.0\n"
    notebook.export("f", F32)
    assert notebook.call("f", np.float32(2))[1] == "x is 2.0\n"


def test_trace_is_fresh(notebook):
    """A global that changed after the last call is read anew, though the function's own cache holds the old program."""
    notebook.run("rate = 2.0\n@jax.jit\ndef f(x): return x * rate")
    assert notebook.call("f", np.float32(3))[0] == 6
    notebook.run("rate = 5.0")
    assert run_program(notebook.export("f", F32), np.float32(3))[0] == 15


def test_primitives_are_counted_in_nested_programs(notebook):
    """Primitives of branches and loops, and of what these hold, are counted by name."""
    notebook.run(
        """
        @jax.jit
        def f(x):
            step = lambda v: lax.switch(jnp.int32(v), [jnp.sin, jnp.cos, lambda u: jnp.sin(jnp.sin(u))], v)
            return lax.while_loop(lambda v: v < 3, step, x)
        """
    )
    primitives = notebook.export("f", F32).content["primitives"]
    assert (primitives["while"], primitives["cond"]) == (1, 1)
    assert (primitives["sin"], primitives["cos"]) == (3, 1)


@pytest.mark.parametrize(
    ("source", "reason", "kind"),
    [
        ("def f(x): return x if x > 0 else -x", "raised", "TracerBoolConversionError"),
        ("def f(x): return sum(range(jnp.int32(x)))", "raised", "TracerIntegerConversionError"),
        ("def f(x): return np.sqrt(x)", "raised", "TracerArrayConversionError"),
        ("def f(x): return float(x)", "raised", "ConcretizationTypeError"),
        ("@partial(jax.jit, static_argnums=0)\ndef f(x): return 1.0", "static", "ValueError"),
        (
            "@partial(jax.jit, static_argnames='x')\ndef f(x): return 1.0 if isinstance(x, float) else 2.0",
            "static",
            "ValueError",
        ),
        ("def f(x): raise NotImplementedError", "unanswered", "NotImplementedError"),
        (
            "@jax.jit\ndef f(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()",
            "unanswered",
            "NotImplementedError",
        ),
        ("def f(x): return lax.reduce_precision(x, 5, 5) + x.nothing", "raised", "AttributeError"),
        ("def f(x): return jax.pure_callback(np.sin, x, x)", "callback", ""),
        (
            "from jax.experimental import io_callback\n"
            "def f(x): return lax.cond(x > 0, lambda v: io_callback(np.sin, v, v), lambda v: v, x)",
            "callback",
            "",
        ),
        ("def f(x): return 'a string'", "result", "TypeError"),
        ("def f(x): return f(x)", "raised", "RecursionError"),
        ("def f(x, y): return x", "signature", "TypeError"),
        ("def f(*, x): return x", "signature", "TypeError"),
        ("f = 3", "uncallable", ""),
        ("", "undefined", "NameError"),
        ("def f(x): raise SystemExit", "raised", "SystemExit"),
    ],
)
def test_refusal_says_why(notebook, source, reason, kind):
    """What cannot be exported is the student's fault, with a reason and the exception's class."""
    notebook.run(source)
    with pytest.raises(RaisedFault) as found:
        notebook.export("f", F32)
    assert (found.value.reason, found.value.type) == (reason, kind)
    assert found.value.message.startswith("`f` ")


def test_what_jax_has_not_implemented_is_no_empty_answer(notebook):
    """`NotImplementedError` out of JAX, with a text, is not taken for an unanswered task."""
    notebook.run("def f(x): return unfinished(x)")
    notebook.namespace["unfinished"] = _unfinished
    with pytest.raises(RaisedFault) as found:
        notebook.export("f", F32)
    assert (found.value.reason, found.value.type) == ("raised", "")


def _unfinished(x):
    """Stands for a function of JAX: its globals are not the notebook's."""
    raise NotImplementedError("no rule for this primitive")


def test_too_large_a_program_is_refused(notebook, monkeypatch):
    """A program beyond the limit is the student's fault, before it is sent."""
    monkeypatch.setattr("autograder.agent.export.LARGEST", 6_000)
    notebook.run("def f(x):\n    for _ in range(2000): x = x * 1.5\n    return x")
    with pytest.raises(RaisedFault, match="too large"):
        notebook.export("f", F32)


def test_program_tells_no_path_and_no_time(notebook):
    """Equal code gives equal bytes, with no name of a file in them."""
    notebook.run("def f(x): return jnp.sin(x)")
    first, second = (notebook.export("f", F32).buffers[0] for _ in range(2))
    assert first == second
    assert b".py" not in first
    assert b"<cell>" not in first


def test_place_is_the_innermost_line_of_the_student(notebook):
    """The line told is the deepest one in the student's own code, below any of JAX."""
    notebook.run("def helper(v):\n    return v if v else -v\n\n@jax.jit\ndef f(x):\n    return helper(x)")
    with pytest.raises(RaisedFault, match="at line 2:") as found:
        notebook.export("f", F32)
    assert found.value.line == 2


def test_caches_and_bindings_of_the_student_are_put_back(notebook):
    """A refused export leaves JAX's debug primitives as they were."""
    notebook.run("def f(x): return x if x > 0 else -x\ndef g(x):\n    jax.debug.print('{}', x)\n    return x")
    with pytest.raises(RaisedFault):
        notebook.export("f", F32)
    assert notebook.call("g", np.float32(1))[1] == "1.0\n"
