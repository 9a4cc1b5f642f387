"""Which call compiled is measured, and the cause is the argument and the attribute that changed."""

from collections import namedtuple
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from autograder.tools import call, count_compiles, explain_recompile
from autograder.tools.signatures import ATTRIBUTES, distance, signature_of

THREE, FOUR = np.ones(3, np.float32), np.ones(4, np.float32)
Pair = namedtuple("Pair", "left right")


def make_scale():
    """Returns a jitted function that JAX has not seen."""

    @jax.jit
    def scale(x, factor=2.0):
        return jax.tree.leaves(x)[0] * jax.tree.leaves(factor)[0]

    return scale


def make_power(**static):
    """Returns a jitted function with a static argument."""

    def power(x, n=2):
        return x * 2 if n else x

    return jax.jit(power, **static)


class ByIdentity:
    """An object that equals itself alone."""

    def __repr__(self):
        return "ByIdentity()"


@pytest.mark.parametrize(
    ("first", "second", "argument", "attribute", "before", "after"),
    [
        (call(THREE), call(FOUR), "x", "shape", "(3,)", "(4,)"),
        (call(THREE), call(np.ones(3, np.int32)), "x", "dtype", "float32", "int32"),
        (call(np.float32(1)), call(1.0), "x", "weak type", "no", "yes"),
        (call({"a": THREE}), call({"a": FOUR}), "x['a']", "shape", "(3,)", "(4,)"),
        (call({"a": 1}), call({"a": 1, "b": 2}), "x", "tree structure", "{'a': ~int32[]}", None),
        (call((1, 2)), call([1, 2]), "x", "tree structure", "(~int32[], ~int32[])", "[~int32[], ~int32[]]"),
        (call((1, 2)), call(Pair(1, 2)), "x", "tree structure", None, None),
        (call(THREE), call(THREE, 2.0), "factor", "argument form", "left out", "by position"),
        (call(THREE, 2.0), call(THREE, factor=2.0), "factor", "argument form", "by position", "by keyword"),
        (call(THREE), call(x=THREE), "x", "argument form", "by position", "by keyword"),
    ],
)
def test_the_one_thing_that_differs_is_named(first, second, argument, attribute, before, after):
    """The cause of a compile is the argument and the attribute in which the call differs, from what to what."""
    explained = explain_recompile(make_scale(), first, second)
    assert explained.compiled == (True, True)
    assert explained[0].causes == ("first call",)
    (change,) = explained[1].changes
    assert explained[1].causes == (attribute,)
    assert (change.argument, change.attribute) == (argument, attribute)
    assert before in (None, change.before)
    assert after in (None, change.after)


@pytest.mark.parametrize("static", [{"static_argnames": "n"}, {"static_argnums": 1}, {"static_argnums": -1}])
@pytest.mark.parametrize(("before", "after"), [(2, 3), (1, True), (1, 1.0), ("a", "b"), ((1, 2), (1, 3))])
def test_static_value_is_named(static, before, after):
    """Another value of a static argument is the cause, however it is declared; 1, 1.0 and True are three values."""
    explained = explain_recompile(make_power(**static), call(THREE, before), call(THREE, after), call(THREE, before))
    assert explained.compiled == (True, True, False)
    assert explained[1].causes == ("static value",)
    assert str(explained[1].changes[0]) == f"static value of n: {before!r} -> {after!r}"


def test_static_object_by_identity_is_another_value():
    """Of static objects that equal only themselves each is another value, also if all look alike."""
    explained = explain_recompile(make_power(static_argnums=1), call(THREE, ByIdentity()), call(THREE, ByIdentity()))
    assert explained.compiled == (True, True)
    assert str(explained[1].changes[0]) == "static value of n: ByIdentity() -> another ByIdentity()"


def test_omitted_static_default_is_compared_by_its_value():
    """A static default that is left out differs from another value in value and form, and from the same in form."""
    explained = explain_recompile(
        make_power(static_argnames="n"), call(THREE), call(THREE, n=3), call(THREE, n=2), call(THREE)
    )
    assert explained.compiled == (True, True, True, False)
    assert explained[1].causes == ("argument form", "static value")
    assert (explained[2].causes, explained[2].nearest) == (("argument form",), 1)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (call(THREE), call(THREE * 5)),
        (call(1.0), call(2.5)),
        (call(THREE), call(np.ones(3))),  # float64 is truncated where x64 is off
        (call(THREE), call(jnp.ones(3))),
        (call({"a": 1, "b": 2}), call({"b": 5, "a": 6})),
        (call(x=1, factor=2), call(factor=3, x=4)),
    ],
)
def test_equal_signatures_share_a_program(first, second):
    """Where JAX sees the same, nothing compiles, and the call with the same signature is named."""
    explained = explain_recompile(make_scale(), call(FOUR), first, second)
    assert explained.compiled[1:] == (True, False)
    assert (explained[2].causes, explained[2].nearest, explained[2].changes) == (("same signature",), 2, ())


def test_nearest_call_has_the_fewest_differences():
    """A call is compared with the earlier one that differs in the fewest attributes, the first of several."""
    explained = explain_recompile(make_scale(), call(THREE), call(1.0), call(1), call(np.float32(1)))
    assert [one.nearest for one in explained] == [0, 1, 2, 1]
    assert explained[1].causes == ("shape", "weak type")
    assert explained[2].causes == ("dtype",)
    assert explained[3].causes == ("shape",)


def test_another_structure_is_farther_than_another_type():
    """Of two calls that differ in one attribute the one with the same structure is nearer: the other hides the rest."""
    explained = explain_recompile(make_scale(), call((THREE,)), call([THREE]), call([FOUR]))
    assert (explained[2].causes, explained[2].nearest) == (("shape",), 2)


def test_every_change_of_a_tree_is_listed_and_its_attribute_counts_once():
    """Several arrays of one argument that change alike are one cause."""
    explained = explain_recompile(make_scale(), call((THREE, THREE)), call((FOUR, FOUR)))
    assert [change.argument for change in explained[1].changes] == ["x[0]", "x[1]"]
    assert explained[1].causes == ("shape",)
    assert distance(explained[1].changes) == (1, 0)


def test_what_was_compiled_before_is_no_compile():
    """A program that was there before the calls is used, and it is said that it was."""
    scale = make_scale()
    scale(FOUR)
    explained = explain_recompile(scale, call(FOUR), call(THREE), call(THREE), call(FOUR))
    assert explained.compiled == (False, True, False, False)
    assert explained[0].causes == ("compiled before",)
    assert "was there already" in explained[0].why


def test_first_call_of_a_known_function_says_what_jax_says():
    """The first call of the list may compile because of an earlier call outside of it: JAX's words are added."""
    scale = make_scale()
    scale(FOUR)
    explained = explain_recompile(scale, call(THREE))
    assert explained[0].causes == ("first call",)
    assert "shape (4) -> (3)" in explained[0].why


def test_new_function_object_is_the_cause_whatever_the_arguments():
    """A Python function that jits a new function at each call compiles at each call, and that is the cause."""

    def careless(x):
        return jax.jit(lambda y: y + 1)(x)

    explained = explain_recompile(careless, call(THREE), call(THREE), call(FOUR))
    assert explained.compiled == (True, True, True)
    assert [one.causes for one in explained[1:]] == [("new function object",)] * 2
    assert "has not seen this function" in explained[1].why


def test_same_function_object_is_shared():
    """A Python function that jits the same function at each call compiles once for each signature."""

    def plus_one(y):
        return y + 1

    explained = explain_recompile(lambda x: jax.jit(plus_one)(x), call(THREE), call(THREE), call(FOUR))
    assert explained.compiled == (True, False, True)
    assert explained[2].causes == ("shape",)


def test_emptied_cache_is_not_blamed_on_the_arguments():
    """A compile that no argument explains has the cause `unknown`, or is one of a function that JAX sees anew."""
    scale = make_scale()

    def forgetful(x):
        jax.clear_caches()
        return scale(x)

    explained = explain_recompile(forgetful, call(THREE), call(THREE))
    assert explained.compiled == (True, True)
    assert explained[1].causes in (("unknown",), ("new function object",))
    assert explained[1].changes == ()


def test_setting_of_jax_is_unknown():
    """What the cache looks at beside the arguments, such as a setting, is not made up as a cause."""
    scale, precisions = make_scale(), iter(["float32", "bfloat16"])

    def switching(x):
        with jax.default_matmul_precision(next(precisions)):
            return scale(x)

    explained = explain_recompile(switching, call(THREE), call(THREE))
    assert explained.compiled == (True, True)
    assert explained[1].causes == ("unknown",)
    assert explained[1].why.startswith("same signature as in call 1; ")


def test_several_programs_of_one_call_are_counted():
    """A Python function that is not jitted compiles a program for each operation, and all count."""
    explained = explain_recompile(lambda x: (x + 1) * 2, call(jnp.ones((2, 5))), call(jnp.ones((2, 5))))
    assert explained[0].compiles >= 2
    assert explained[0].what == f"compiled {explained[0].compiles} programs"
    assert explained[1].what == "no compile"


def test_count_is_that_of_the_counter():
    """What is said to compile is what `count_compiles` counts in the same calls."""
    calls = [call(THREE), call(FOUR), call(THREE), call(THREE, factor=1.0)]
    with count_compiles() as compiles:
        explained = explain_recompile(make_scale(), *calls)
    assert sum(one.compiles for one in explained) == compiles() == 3


@pytest.mark.parametrize(
    ("second", "says"),
    [
        (call(FOUR), "shape"),
        (call(np.ones(3, np.int32)), "dtype"),
        (call((THREE,)), "structure"),
        (call(THREE, 2.0), "positional arguments"),
        (call(THREE, factor=2.0), "'factor'"),
    ],
)
def test_jax_says_the_same(second, says):
    """Where one thing differs, JAX's own explanation names it as well, and is kept."""
    explained = explain_recompile(make_scale(), call(THREE), second)
    assert says in explained[1].jax


def test_variable_arguments_are_told_apart():
    """Of `*args` and `**kwargs` each argument is compared by itself."""

    @jax.jit
    def add(*numbers, **named):
        return sum(numbers) + sum(named.values())

    explained = explain_recompile(add, call(1, b=2), call(1, 2, b=2), call(1, 2, b=2.0), call(1, 2, c=2))
    assert [str(one.changes[0]) for one in explained[1:]] == [
        "argument form of numbers[1]: left out -> by position",
        "dtype of b: int32 -> float32",
        "argument form of b: by keyword -> left out",
    ]


def test_table_is_what_one_reads():
    """The `repr` is a table: number, call, whether it compiled, and why."""
    text = repr(explain_recompile(make_scale(), call(THREE), call([1, {"a": 2.0}]), call(THREE)))
    assert text.splitlines() == [
        "scale: 2 of 3 calls compiled",
        "1  scale(float32[3])                     compiled    first call",
        "2  scale([~int32[], {'a': ~float32[]}])  compiled    "
        "tree structure of x: float32[3] -> [~int32[], {'a': ~float32[]}] (against call 1)",
        "3  scale(float32[3])                     no compile  same signature as in call 1",
    ]


def test_no_call_is_an_empty_table():
    """Without calls nothing compiles, and the table has no rows."""
    explained = explain_recompile(make_scale())
    assert (len(explained), explained.compiled, repr(explained)) == (0, (), "scale: 0 of 0 calls compiled")


def test_something_else_than_a_call_is_refused():
    """An argument that was not written as `call(...)` is an error that says what to write."""
    with pytest.raises(TypeError, match=r"Call 2 is of type ndarray; write `call\(\.\.\.\)`"):
        explain_recompile(make_scale(), call(THREE), THREE)


def test_wrong_arguments_are_an_error():
    """Arguments that the function does not take raise what the call itself would raise."""
    with pytest.raises(TypeError, match="unexpected keyword argument 'speed'"):
        explain_recompile(make_scale(), call(THREE, speed=1))


def test_error_says_in_which_call():
    """An exception of the function passes through, with a note on the call."""

    @jax.jit
    def sign(x):
        return 1 if x > 0 else -1

    with pytest.raises(jax.errors.TracerBoolConversionError) as caught:
        explain_recompile(sign, call(1.0))
    assert caught.value.__notes__[-1] == "This was call 1 of explain_recompile: sign(~float32[])"


def test_calls_do_not_compare_by_their_arrays():
    """Two calls are equal only if they are one object, so that comparing them never compares arrays."""
    assert call(THREE) != call(THREE)


def test_jax_still_tells_static_arguments():
    """JAX's own record of static arguments, which it does not publish, is where it was."""
    assert signature_of(make_power(static_argnums=1), call(THREE, 2)).arguments["n"].static


def test_static_is_guessed_where_jax_does_not_tell():
    """Of a function without such a record, what JAX cannot trace is taken for static."""

    def plain(x, mode):
        return x

    signature = signature_of(partial(plain), call(THREE, "a"))
    assert [one.static for one in signature.arguments.values()] == [False, True]


def test_attributes_are_those_of_the_page():
    """Every attribute that can be a cause is named in the documentation of the tool."""
    from pathlib import Path

    page = (Path(__file__).parents[3] / "docs" / "tools.md").read_text(encoding="utf-8")
    assert all(f"`{attribute}`" in page for attribute in (*ATTRIBUTES, "unknown", "compiled before", "same signature"))
