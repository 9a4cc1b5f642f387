"""Exported programs: their numbers, their structure, and what decides their output."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from jax.extend.mlir.dialects import chlo, stablehlo

from autograder.faults import CourseFault, StudentFault, TamperFault
from autograder.link import Answer
from autograder.suite import Program, b1, f32, i32
from autograder.suite.disturbing import changed
from autograder.suite.operations import CHLO, STABLEHLO
from autograder.suite.student import Student
from autograder.wire import encode

NOTEBOOK = """
    import jax
    import jax.numpy as jnp
    from jax import lax

    def root(a, tol):
        def body(state):
            x, _, n = state
            new = (x + a / x) / 2
            return new, jnp.abs(new - x), n + 1
        start = (jnp.maximum(a, 1.0), jnp.inf * jnp.ones_like(a), 0)
        x, _, n = lax.while_loop(lambda s: (s[1] >= tol) & (s[2] < 50), body, start)
        return x, n

    def beside(a, tol):
        x, n = root(a, tol)
        return jnp.sqrt(a) + 0 * x, n

    def steps(x):
        return lax.switch(jnp.int32(x // 10), [lambda x: x * 0.5, lambda x: x + 7, lambda x: x * 3], x)

    def decoy(x):
        return jnp.where(x > 10, x + 7, x * 0.5) + 1e-9 * steps(x)

    def ten_times(x):
        return lax.fori_loop(0, 10, lambda i, y: y * 1.5, x)

    def plain(x):
        return 2 * x

    def nested(x):
        return {"b": x, "a": (x + 1, x + 2)}

    def nothing(x):
        x + 1

    def whole(x):
        return jnp.int32(x)
"""
AT = [(2.0, 1e-3), (9.0, 1e-5)]
INCOMES = [(5.0,), (15.0,), (25.0,)]


@pytest.fixture
def student(student_of: Callable[[str], Student]) -> Student:
    """A student with loops, conditionals and decoys."""
    return student_of(NOTEBOOK)


def test_program_runs(student: Student) -> None:
    """A program takes Python numbers and gives NumPy values, a tuple where there are several."""
    root, count = student.root.export(f32, f32)(2.0, 1e-6)
    assert abs(root - 2**0.5) < 1e-6
    assert (count.dtype, count.shape) == (np.int32, ())


def test_batch_is_one_request(student: Student) -> None:
    """`run` gives the results of many argument tuples in order."""
    assert [float(y) for y in student.plain.export(f32).run([(1,), (2.5,), (-3,)])] == [2, 5, -6]


def test_single_result_is_a_value_unless_a_tuple_is_asked_for(student: Student) -> None:
    """One result comes bare, or in a tuple where `returns` is one."""
    assert student.plain.export(f32, returns=f32)(1) == 2
    assert student.plain.export(f32, returns=(f32,))(1) == (2,)


def test_nested_results_are_flat(student: Student) -> None:
    """Results in dictionaries and tuples come as flat leaves, in JAX's order."""
    assert student.nested.export(f32, returns=3)(0.0) == (1, 2, 0)


@pytest.mark.parametrize(
    ("name", "returns", "sentence"),
    [
        ("plain", (f32, i32), "`plain` should return 2 values, but returns float32[]."),
        ("nested", 1, "`nested` should return one value, but returns float32[], float32[], float32[]."),
        ("nothing", None, "`nothing` returns nothing."),
        ("nothing", f32, "`nothing` should return one value, but returns nothing."),
        ("plain", f32[3], "The result of `plain` has shape (); (3,) was expected."),
        ("plain", i32, "The result of `plain` has dtype float32; one of kind integer was expected."),
        ("nested", (f32, b1, f32), "Result 2 of `nested` has dtype float32; one of kind bool was expected."),
    ],
)
def test_sentence_for_another_result(student: Student, name: str, returns: Any, sentence: str) -> None:
    """A program that returns something else is told what was expected and what came, before a suite unpacks it."""
    with pytest.raises(StudentFault) as caught:
        student.function(name).export(f32, returns=returns)
    assert caught.value.message == sentence


def test_precision_of_a_result_is_free(student: Student) -> None:
    """`returns` compares kinds: an int32 serves where any integer does."""
    assert student.whole.export(f32, returns=f32.__class__("int64"))(3.5) == 3


@pytest.mark.parametrize("arguments", [(1.0,), (1.0, 2.0, 3.0), (np.ones(1), 2.0), ("1", 2.0)])
def test_wrong_arguments_are_the_suites_fault(student: Student, arguments: tuple[Any, ...]) -> None:
    """A suite that runs a program with arguments that it was not exported for is itself at fault."""
    with pytest.raises(CourseFault, match="exported"):
        student.root.export(f32, f32)(*arguments)


def test_loop_on_the_data_is_found(student: Student) -> None:
    """A `while_loop` depends on both inputs and decides both results."""
    program = student.root.export(f32, f32)
    assert program.loops(fixed=False, depends_on_input=0)
    assert program.loops(depends_on_input=1, decides_output=0, at=AT)
    assert program.loops(decides_output=1, at=AT)
    assert not program.loops(fixed=True)


def test_fixed_loop_is_found(student: Student) -> None:
    """A `fori_loop` with constant bounds has a fixed number of iterations."""
    program = student.ten_times.export(f32)
    assert program.loops(fixed=True, decides_output=True, at=[(1.0,)])
    assert not program.loops(fixed=False)
    assert not program.loops(depends_on_input=True)


def test_loop_beside_the_answer_does_not_decide_it(student: Student) -> None:
    """A loop whose result is multiplied by zero decides its count, but not the root."""
    program = student.beside.export(f32, f32)
    assert program.loops(decides_output=1, at=AT)
    assert not program.loops(decides_output=0, at=AT)
    assert program.loops(decides_output=True, at=AT)


def test_asking_what_decides_needs_inputs(student: Student) -> None:
    """A suite that asks what decides, but gives no input, is at fault."""
    with pytest.raises(CourseFault, match="at no input"):
        student.root.export(f32, f32).loops(decides_output=True)


def test_conditional_is_found(student: Student) -> None:
    """A `switch` has its branches, depends on the input and decides the output."""
    program = student.steps.export(f32)
    assert len(program.conditionals(min_branches=3, depends_on_input=0, decides_output=True, at=INCOMES)) == 1
    assert not program.conditionals(min_branches=4)


def test_each_branch_decides_its_inputs(student: Student) -> None:
    """Disturbing one branch after the other shows which decides where."""
    deciding = student.steps.export(f32).branches_deciding(INCOMES)
    assert [{branch.branch for branch in found} for found in deciding] == [{0}, {1}, {2}]


def test_contribution_too_small_to_see_decides_nothing(student: Student) -> None:
    """A switch that adds less than rounding to the answer does not decide it."""
    program = student.decoy.export(f32)
    assert program.conditionals(min_branches=3, depends_on_input=True)
    assert not program.conditionals(min_branches=3, decides_output=True, at=INCOMES)
    assert program.branches_deciding(INCOMES) == [set(), set(), set()]


def test_choosing_another_branch_changes_the_output(student: Student) -> None:
    """Forcing a branch changes what comes out exactly where another one is taken."""
    program = student.steps.export(f32)
    (switch,) = program.conditionals()
    assert program.changed_by_choosing(switch, 1, INCOMES) == [True, False, True]


def test_trips_are_counted(student: Student) -> None:
    """The replay box counts how often a loop really runs, whatever the program says of itself."""
    program = student.root.export(f32, f32)
    (loop,) = program.loops()
    counts = [int(count) for _, count in program.run(AT)]
    assert program.trips(loop, AT) == counts


def test_limiting_a_loop_changes_the_output(student: Student) -> None:
    """A loop that ends early gives another root; one that may run on gives the same."""
    program = student.root.export(f32, f32)
    (loop,) = program.loops()
    assert program.changed_by_limiting(loop, 1, AT) == [True, True]
    assert program.changed_by_limiting(loop, 60, AT) == [False, False]


def test_operations_by_short_name(student: Student) -> None:
    """`uses` finds operations by name, and gives those that occur."""
    program = student.beside.export(f32, f32)
    assert program.uses("sqrt", "rsqrt", "while") == ("sqrt", "while")
    assert student.root.export(f32, f32).uses("sqrt", "rsqrt", "cbrt", "power") == ()


def test_misspelt_operation_is_the_suites_fault(student: Student) -> None:
    """A name that no operation has is never found, so that asking for it is a fault of the suite."""
    with pytest.raises(CourseFault, match="'exp'"):
        student.plain.export(f32).uses("sqrt", "exp")


@pytest.mark.parametrize(("dialect", "known"), [(stablehlo, STABLEHLO), (chlo, STABLEHLO | CHLO)])
def test_every_operation_of_this_jax_is_known(dialect: Any, known: frozenset[str]) -> None:
    """The names that a suite may ask for are those that the JAX at hand has."""
    names = {found.OPERATION_NAME for found in vars(dialect).values() if hasattr(found, "OPERATION_NAME")}
    assert len(names) > 40
    assert {name.partition(".")[2] for name in names} <= known


def test_size_grows_with_the_program(student: Student) -> None:
    """The size is the number of operations."""
    assert student.root.export(f32, f32).size > student.plain.export(f32).size > 0


def test_structure_needs_the_jaxpr_too(student: Student) -> None:
    """A loop counts only if the jaxpr holds one: some functions of JAX loop in StableHLO alone."""
    program = student.root.export(f32, f32)
    program.primitives.clear()
    assert program.loops() == ()
    assert program.branches_deciding(AT) == [set(), set()]


AVAL = {"dtype": "float32", "shape": []}
EXPORT = Answer({"in_avals": [AVAL], "out_avals": [AVAL], "out_tree": "*", "primitives": {"cond": 1}}, (b"program",))
LOOKUP = {"found": True, "callable": True, "jitted": True, "type": "f"}


def outputs(*values: Any) -> Answer:
    """Returns an answer of the replay box with one output per run."""
    buffers: list[bytes] = []
    trees = [encode([value], into=buffers)[0] for value in values]
    return Answer({"outputs": trees}, tuple(buffers))


@pytest.mark.parametrize(
    "answer",
    [
        {"outputs": None},
        {"outputs": []},
        {"outputs": [3]},
        {"outputs": [[1.0]]},
        outputs(np.float64(1)),
        outputs(np.ones(2, np.float32)),
        outputs(np.float32(1), np.float32(1)),
        Answer({"outputs": [[]]}),
    ],
)
def test_malformed_outputs_are_tampering(scripted: Callable[..., Any], answer: Any) -> None:
    """Outputs of another number, dtype or shape than announced are not read as numbers."""
    student, _, _ = scripted({"lookup": LOOKUP, "export": EXPORT}, {"run": answer})
    with pytest.raises(TamperFault):
        student.f.export(f32)(1.0)


def test_every_request_carries_the_program(scripted: Callable[..., Any]) -> None:
    """A request names the type of the program, so that a replay box that was replaced can answer it."""
    student, _, box = scripted({"lookup": LOOKUP, "export": EXPORT}, {"run": outputs(np.float32(1))})
    program: Program = student.f.export(f32)
    program(1.0)
    program(2.0)
    assert [request["in_avals"] for request in box.asked] == [[AVAL], [AVAL]]


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ((np.float32(1),), (np.float32(1),), set()),
        ((np.float32(1),), (np.float32(1.000001),), set()),
        ((np.float32(1),), (np.float32(1.001),), {0}),
        ((np.float32("nan"),), (np.float32("nan"),), set()),
        ((np.float32("nan"),), (np.float32(1),), {0}),
        ((np.float32("inf"),), (np.float32(1),), {0}),
        ((np.float32(0.0),), (np.float32(-0.0),), set()),
        ((np.int32(5), np.bool_(True)), (np.int32(6), np.bool_(True)), {0}),
        ((np.int32(5), np.bool_(True)), (np.int32(5), np.bool_(False)), {1}),
        ((np.ones(3),), (np.array([1, 1, 2.0]),), {0}),
    ],
)
def test_changed_ignores_rounding_alone(before: Any, after: Any, found: set[int]) -> None:
    """A change in the last bits is rounding; every other change counts."""
    assert changed(before, after) == found


def test_loop_that_waits_does_not_move_on(student_of: Callable[[str], Student]) -> None:
    """A loop that works gives something else after each round; one that waits gives it all in its last."""
    student = student_of(
        """
        import jax.numpy as jnp
        from jax import lax

        def adds(x, n):
            return lax.while_loop(lambda s: s[1] < n, lambda s: (s[0] + x, s[1] + 1), (x, 0))[0]

        def waits(x, n):
            body = lambda s: (jnp.where(s[1] == n - 1, n * x, 0.0), s[1] + 1)
            return lax.while_loop(lambda s: s[1] < n, body, (0.0, 0))[0]
        """
    )
    for name, moving in (("adds", True), ("waits", False)):
        program = student.function(name).export(f32, i32)
        (loop,) = program.loops()
        assert program.changed_by_limiting(loop, 4, [(2.5, 8), (3.0, 9)]) == [True, True]
        assert program.moves_on(loop, 4, [(2.5, 8), (3.0, 9)]) == [moving, moving]
