"""`show_program` shows every stage of a function's way, and finds its loops and conditionals."""

from functools import partial
from html.parser import HTMLParser

import jax
import jax.numpy as jnp
import pytest
from jax import lax

from autograder import count_compiles, show_program
from autograder.tools.marking import MOST_LINES, marked
from autograder.tools.showing import Block

MARK = "# <-- "


@partial(jax.jit, static_argnames="mode")
def wander(x, unused, n, state, mode="sine"):
    """Two loops, a conditional in each, and an argument of every kind."""

    def step(_, x):
        return lax.cond(x.sum() > 3, jnp.sin if mode == "sine" else jnp.cos, lambda x: x * 2, x)

    return lax.fori_loop(0, 10, step, lax.fori_loop(0, n, step, x)) + state["k"]


VECTOR = jax.ShapeDtypeStruct((3,), jnp.float32)


@pytest.fixture(scope="module")
def shown():
    """The function above, shown for one abstract argument and some values."""
    return show_program(wander, VECTOR, 1.0, 5, {"k": jnp.float32(2), "also": (1, 2)}, mode="sine")


def test_blocks_are_those_of_the_program(shown):
    """Loops and conditionals have what decides them by name, also behind arguments that the program dropped."""
    assert shown.blocks == (
        Block("loop", 0, ("n",), None, 0, ()),
        Block("conditional", 1, ("x",), None, 2, (0,)),
        Block("loop", 2, (), 10, 0, ()),
        Block("conditional", 3, ("x", "n"), None, 2, (2,)),
    )
    assert (*shown.loops, *shown.conditionals) == tuple(shown.blocks[place] for place in (0, 2, 1, 3))


def test_blocks_are_told_in_words(shown):
    """Each loop and conditional is one line that says what decides it and where it stands."""
    assert [str(block) for block in shown.blocks] == [
        "0: loop, its number of rounds decided by n",
        "1: conditional with 2 branches, chosen by x, inside 0",
        "2: loop of 10 rounds, fixed",
        "3: conditional with 2 branches, chosen by x, n, inside 2",
    ]


def test_what_it_takes_and_returns(shown):
    """Traced arguments are named leaf by leaf, with dtype, shape and weak type; static ones are not among them."""
    assert shown.name == "wander"
    assert shown.takes == {
        "x": "float32[3]",
        "unused": "float32[] (weak)",
        "n": "int32[] (weak)",
        "state['also'][0]": "int32[] (weak)",
        "state['also'][1]": "int32[] (weak)",
        "state['k']": "float32[]",
    }
    assert shown.returns == "float32[3]"
    pair = show_program(lambda x: {"both": (x, 1)}, jnp.ones((2, 3)))
    assert pair.returns == "{'both': (float32[2,3], int32[] (weak))}"


def test_every_stage_is_there(shown):
    """The jaxpr, the StableHLO and the compiled HLO are texts of the same function."""
    assert "lambda" in shown.jaxpr
    assert "while[" in shown.jaxpr
    assert "module @jit_wander" in shown.stablehlo
    assert shown.hlo.startswith("HloModule jit_wander")
    assert __file__ not in shown.hlo
    assert "metadata=" not in shown.hlo


@pytest.mark.parametrize("part", ["jaxpr", "stablehlo", "hlo"])
def test_every_stage_is_marked(shown, part):
    """The lines that begin a loop or conditional are marked, and no other line is."""
    lines = [line for line in marked(part, getattr(shown, part)) if MARK in line]
    kinds = sorted(line.rpartition(MARK)[2] for line in lines)
    assert kinds.count("loop") == 2
    assert kinds.count("conditional") == len(kinds) - 2 > 0


@pytest.mark.parametrize("name", ["cond", "while_loop", "scan", "case"])
def test_a_name_is_no_loop(name):
    """A function that only bears the name of a loop has none, and no line of it is marked."""

    def plain(x):
        return jnp.tanh(x) + 1

    plain.__name__ = plain.__qualname__ = name
    inner = jax.jit(plain)
    shown = show_program(lambda x: inner(x) * 2, VECTOR)
    assert shown.blocks == ()
    assert MARK not in repr(shown)
    assert "no loop and no conditional" in repr(shown)


def test_cost_is_what_xla_tells():
    """The cost is XLA's: it counts a loop's body once, and a program without arithmetic has no number of operations."""

    def rounds(count):
        return show_program(lambda x: lax.fori_loop(0, count, lambda _, x: x * 2, x), VECTOR).cost

    assert rounds(10).flops == rounds(1000).flops > 0
    assert show_program(jnp.dot, jnp.ones((10, 20)), jnp.ones((20, 30))).cost.flops == 2 * 10 * 20 * 30
    copied = show_program(lambda x: x, VECTOR).cost
    assert copied.flops is None
    assert copied.bytes_accessed > 0
    assert str(copied).startswith("floating-point operations not told, bytes accessed ")


def test_an_unjitted_function_is_the_same_program(shown):
    """A function that is not jitted is shown as `jax.jit` would compile it."""

    def unjitted(x, n):
        return lax.fori_loop(0, n, lambda _, x: x * 2, x)

    plain, jitted = (show_program(f, VECTOR, 3) for f in (unjitted, jax.jit(unjitted)))
    assert (plain.stablehlo, plain.blocks) == (jitted.stablehlo, jitted.blocks)


def test_nothing_is_run_and_no_cache_changes():
    """Showing a function runs nothing, and neither fills nor empties the cache of the function."""
    ran = []

    @jax.jit
    def loud(x):
        jax.debug.callback(ran.append, x)
        return x + 1

    one = jnp.float32(1)
    assert show_program(loud, one).blocks == ()
    jax.effects_barrier()
    assert not ran
    loud(one)
    with count_compiles(loud) as compiles:
        loud(jnp.float32(2))
    assert compiles() == 0


def test_long_parts_are_cut_in_text_and_whole_in_html():
    """The text holds the beginning of a long part and says where the rest is; the HTML holds all lines, escaped."""

    def unrolled(x):
        for _ in range(50):
            x = jnp.sin(x) * x
        return x

    shown = show_program(unrolled, VECTOR)
    text, html = repr(shown), shown._repr_html_()
    more = len(shown.jaxpr.splitlines()) - MOST_LINES
    assert more > 0
    assert f"... and {more} lines more, in the attribute `jaxpr`" in text
    pages = HTMLParser()
    opened = []
    pages.handle_starttag = lambda tag, attrs: opened.append(tag)
    pages.feed(html)
    assert set(opened) == {"div", "code", "ul", "li", "details", "summary", "pre"}
    assert html.count("stablehlo.sine") == 50


def test_html_escapes_what_the_student_wrote():
    """A name or a structure that looks like HTML stays text."""
    html = show_program(lambda x: {"<script>": x}, {"<img>": 1.0})._repr_html_()
    assert "<script>" not in html
    assert "<img>" not in html
    assert "&lt;script&gt;" in html


def choose(x, s):
    """Needs its second argument as a value."""
    return x if s == "a" else -x


@pytest.mark.parametrize(
    ("f", "args", "kind", "advice"),
    [
        (3, (), TypeError, "write show_program(f, x), not show_program(f(x))"),
        (choose, (1.0, "a"), TypeError, "no array must be static: jax.jit(choose, static_argnames=...)"),
        (jnp.arange, (3,), jax.errors.ConcretizationTypeError, "or make that argument static"),
        (jax.jit(lambda x: x or 1), (1,), jax.errors.TracerBoolConversionError, "use `lax.cond`"),
        (choose, (1.0,), TypeError, "the arguments that a call would have"),
    ],
)
def test_an_error_says_what_to_do(f, args, kind, advice):
    """What cannot be shown raises as in a call, with advice in the message or in its last note."""
    with pytest.raises(kind) as caught:
        show_program(f, *args)
    assert advice in "\n".join([str(caught.value), *getattr(caught.value, "__notes__", [])])


def test_a_program_that_cannot_be_searched_says_so(monkeypatch):
    """Where loops and conditionals cannot be found, `blocks` is `None`, never an empty list, and the reason is told."""
    monkeypatch.setattr("autograder.tools.showing._MOST_OPERATIONS", 1)
    shown = show_program(jnp.sin, VECTOR)
    assert shown.blocks is None
    assert "1 are allowed" in shown.note
    assert shown.note in repr(shown)
