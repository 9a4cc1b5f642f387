"""Artifacts are opened as hostile bytes: a forged one is refused with a fault of the student's."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jax import export
from jax.extend import mlir
from jax.extend.mlir import ir
from jax.extend.mlir.dialects import stablehlo

from autograder.agent.replay import ReplayAgent
from autograder.program import artifact as artifacts
from autograder.program.artifact import structs
from autograder.program.execute import SMALL, _options, signature
from autograder.program.module import bindings
from autograder.wire import Aval

F32 = jax.ShapeDtypeStruct((), "float32")
I32 = jax.ShapeDtypeStruct((), "int32")


def exported(function=lambda x: x * 2, *avals) -> export.Exported:
    """Exports a function as the student's kernel does."""
    return export.export(jax.jit(lambda *arguments: jax.tree.leaves(function(*arguments))))(*(avals or (F32,)))


def forged(text: str) -> bytes:
    """Puts hand-written operations in the place of an honest program's."""
    with bindings():
        mlir.deserialize_portable_artifact(exported().mlir_module_serialized)  # loads the dialect of functions
        module = ir.Module.parse(text)
        code = mlir.serialize_portable_artifact(module, stablehlo.get_current_version(), False)
    return bytes(dataclasses.replace(exported(), mlir_module_serialized=code).serialize())


def refusal(opened: Callable[[bytes], object], artifact: bytes, *, op: str = "describe") -> tuple[str, str]:
    """Returns reason and detail of the fault that an artifact gives."""
    fault = opened(artifact).fault(op, [[np.float32(1)]])
    assert fault["whose"] == "student"
    return fault["reason"], fault["detail"]


def test_honest_program(opened):
    """A program that was exported as it should be is opened."""
    assert opened(bytes(exported().serialize())).run([np.float32(3)]) == [[6]]


def test_largest_array():
    """What a program computes on the way, in a branch too, counts for its largest array."""
    program = exported(lambda x: jax.lax.cond(x > 0, lambda y: jnp.sum(jnp.full((30, 50), y)), lambda y: y, x))
    assert artifacts.open_artifact(bytes(program.serialize())).largest == 1500
    assert artifacts.open_artifact(bytes(exported().serialize())).largest == 1


def test_loops():
    """A program that loops is known, wherever the loop stands."""
    looping = exported(lambda x: jax.lax.cond(x > 0, lambda y: jax.lax.fori_loop(0, 3, lambda i, z: z * y, y), abs, x))
    loops = artifacts.open_artifact(bytes(looping.serialize()))
    assert loops.loops
    assert "xla_backend_optimization_level" not in _options(loops)
    plain = artifacts.open_artifact(bytes(exported().serialize()))
    assert not plain.loops
    assert _options(plain)["xla_backend_optimization_level"] == "0"
    assert "xla_backend_optimization_level" not in _options(dataclasses.replace(plain, largest=SMALL + 1))


def test_signature_is_that_of_an_export():
    """A signature that is made for some types is what JAX exports for them, but for names and code."""
    takes, gives = (Aval("float32", ()), Aval("bfloat16", (2, 3)), Aval("int64", (0,))), (Aval("bool", (4,)),)
    with jax.enable_x64(True):
        honest = export.export(jax.jit(lambda *_: (jnp.zeros(4, bool),)), platforms=["cpu"])(*structs(takes))
        made = signature(takes, gives)
    names = {field.name for field in dataclasses.fields(honest)} - {"fun_name", "mlir_module_serialized", "_get_vjp"}
    assert {name: getattr(made, name) for name in names} == {name: getattr(honest, name) for name in names}


@pytest.mark.parametrize("size", [SMALL, SMALL + 1])
def test_small_and_large_programs_compute_the_same(opened, size):
    """How hard XLA optimises a program decides nothing about what comes out of it."""
    x = np.linspace(0.5, 3, size, dtype="float32")
    function = lambda x: (jnp.sin(x) * x + jnp.exp(-x) / x, jnp.sum(jnp.cumsum(x) * x))  # noqa: E731
    program = exported(function, jax.ShapeDtypeStruct((size,), "float32"))

    (outputs,) = opened(bytes(program.serialize())).run([x])

    for found, expected in zip(outputs, function(x), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-5)


@given(st.binary(max_size=400))
def test_random_bytes(data):
    """Bytes that are no artifact are refused, whatever they are."""
    content, buffers = ReplayAgent().handle({"op": "describe"}, [data])
    assert content["fault"]["reason"] == "refused"
    assert buffers == []


@pytest.mark.parametrize("kept", [0, 1, 8, 100, 1000])
def test_truncated_artifact(opened, kept):
    """The beginning of an artifact is refused."""
    assert refusal(opened, bytes(exported().serialize())[:kept])[0] == "refused"


def test_code_that_is_no_module(opened):
    """An artifact whose code is not MLIR at all is refused."""
    artifact = dataclasses.replace(exported(), mlir_module_serialized=b"#!/bin/sh\nexit 0\n").serialize()
    assert refusal(opened, bytes(artifact))[0] == "refused"


def test_large_artifact(opened, monkeypatch):
    """An artifact with more bytes than allowed is refused unread."""
    monkeypatch.setattr(artifacts, "MOST_BYTES", 1000)
    assert refusal(opened, bytes(exported().serialize()) + b"\0" * 1000)[0] == "oversized"


def test_unrolled_program(opened, monkeypatch):
    """A program with more operations than allowed is refused."""
    monkeypatch.setattr(artifacts, "MOST_OPERATIONS", 50)

    def unrolled(x):
        for _ in range(60):
            x = jnp.sin(x)
        return x

    assert refusal(opened, bytes(exported(unrolled).serialize()))[0] == "oversized"


def test_calls_that_multiply(opened):
    """Functions that call each other twice, level upon level, are refused by their size before they are inlined."""
    levels = "".join(
        f"func.func private @f{n}(%x: tensor<f32>) -> tensor<f32> {{\n"
        f"  %a = call @f{n + 1}(%x) : (tensor<f32>) -> tensor<f32>\n"
        f"  %b = call @f{n + 1}(%a) : (tensor<f32>) -> tensor<f32>\n  return %b : tensor<f32>\n}}\n"
        for n in range(40)
    )
    text = f"""
func.func public @main(%x: tensor<f32>) -> tensor<f32> {{
  %a = call @f0(%x) : (tensor<f32>) -> tensor<f32>
  return %a : tensor<f32>
}}
{levels}
func.func private @f40(%x: tensor<f32>) -> tensor<f32> {{ return %x : tensor<f32> }}
"""
    assert refusal(opened, forged(text))[0] == "oversized"


@pytest.mark.parametrize("chain", [["f"], ["f", "g"]])
def test_functions_that_call_themselves(opened, chain):
    """Recursion, which no JAX program has, is refused."""
    functions = "".join(
        f"func.func private @{name}(%x: tensor<f32>) -> tensor<f32> {{\n"
        f"  %a = call @{after}(%x) : (tensor<f32>) -> tensor<f32>\n  return %a : tensor<f32>\n}}\n"
        for name, after in zip(chain, chain[1:] + chain[:1], strict=True)
    )
    text = f"""
func.func public @main(%x: tensor<f32>) -> tensor<f32> {{
  %a = call @f(%x) : (tensor<f32>) -> tensor<f32>
  return %a : tensor<f32>
}}
{functions}"""
    assert refusal(opened, forged(text))[0] == "refused"


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("xla_python_cpu_callback", "callback"),
        ("xla_ffi_python_cpu_callback", "callback"),
        ("xla_ffi_partitioned_python_cpu_callback", "callback"),
        ("system", "refused"),
        ("__gpu$xla.gpu.triton", "refused"),
    ],
)
def test_custom_calls(opened, target, reason):
    """A custom call that is not JAX's own linear algebra is named in the structure, and never compiled."""
    text = f"""
func.func public @main(%x: tensor<f32>) -> tensor<f32> {{
  %a = stablehlo.custom_call @"{target}"(%x) {{api_version = 2 : i32}} : (tensor<f32>) -> tensor<f32>
  return %a : tensor<f32>
}}"""
    artifact = forged(text)
    assert opened(artifact).structure.custom_calls == (target,)
    assert refusal(opened, artifact, op="run")[0] == reason


@pytest.mark.parametrize(
    "operation",
    [
        "%t = stablehlo.create_token : !stablehlo.token\n"
        '  %a, %u = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)',
        "%r = stablehlo.replica_id : tensor<ui32>\n  %a = stablehlo.convert %r : (tensor<ui32>) -> tensor<f32>",
        '%a = "stablehlo.all_reduce"(%x) ({\n'
        "  ^bb0(%l: tensor<f32>, %r: tensor<f32>):\n"
        "    %s = stablehlo.add %l, %r : tensor<f32>\n    stablehlo.return %s : tensor<f32>\n"
        "  }) {replica_groups = dense<[[0]]> : tensor<1x1xi64>} : (tensor<f32>) -> tensor<f32>",
    ],
    ids=["infeed", "replica_id", "all_reduce"],
)
def test_operations_that_talk_to_others(opened, operation):
    """Operations that need other devices or the host are refused."""
    text = f"func.func public @main(%x: tensor<f32>) -> tensor<f32> {{\n  {operation}\n  return %a : tensor<f32>\n}}"
    assert refusal(opened, forged(text))[0] == "refused"


def test_gigantic_values(opened):
    """A small text that stands for an array of gigabytes is refused before it is compiled."""
    text = """
func.func public @main(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<1.0> : tensor<100000x100000xf32>
  %s = stablehlo.slice %c [0:1, 0:1] : (tensor<100000x100000xf32>) -> tensor<1x1xf32>
  %a = stablehlo.reshape %s : (tensor<1x1xf32>) -> tensor<f32>
  return %a : tensor<f32>
}"""
    assert refusal(opened, forged(text))[0] == "oversized"


def test_shapes_that_are_not_fixed(opened):
    """A program for symbolic shapes is refused."""
    (size,) = export.symbolic_shape("n")
    artifact = export.export(jax.jit(lambda x: [x * 2]))(jax.ShapeDtypeStruct((size,), "float32")).serialize()
    assert refusal(opened, bytes(artifact))[0] == "refused"


def test_dynamic_shapes_in_the_code(opened):
    """Code that computes arrays of unknown shape is refused."""
    text = """
func.func public @main(%x: tensor<f32>) -> tensor<f32> {
  %n = stablehlo.convert %x : (tensor<f32>) -> tensor<i32>
  %s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %c = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  %a = stablehlo.reduce(%c init: %x) applies stablehlo.add across dimensions = [0]
    : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  return %a : tensor<f32>
}"""
    assert refusal(opened, forged(text))[0] == "refused"


@pytest.mark.parametrize(
    "entry",
    [
        "@main(%x: tensor<f32>) -> tensor<3xf32> {\n"
        "  %a = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<3xf32>\n"
        "  return %a : tensor<3xf32> }",
        "@main(%x: tensor<f32>) -> tensor<i32> {\n"
        "  %a = stablehlo.convert %x : (tensor<f32>) -> tensor<i32>\n  return %a : tensor<i32> }",
        "@main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) { return %x, %x : tensor<f32>, tensor<f32> }",
        "@main(%x: tensor<3xf32>) -> tensor<3xf32> { return %x : tensor<3xf32> }",
        "@main() -> tensor<f32> {\n  %a = stablehlo.constant dense<1.0> : tensor<f32>\n  return %a : tensor<f32> }",
        "@other(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }",
    ],
    ids=["output shape", "output dtype", "outputs", "input shape", "inputs", "name"],
)
def test_wrong_signature(opened, entry):
    """Code whose entry is not of the type that the artifact declares is refused."""
    assert refusal(opened, forged(f"func.func public {entry}"))[0] == "refused"


@pytest.mark.parametrize("kept", [(1,), (0, 0), (7,)])
def test_inputs_that_are_not_declared(opened, kept):
    """An artifact that takes inputs it does not have is refused."""
    artifact = bytes(dataclasses.replace(exported(), module_kept_var_idx=kept).serialize())
    assert refusal(opened, artifact)[0] == "refused"


def test_other_platform(opened):
    """A program for another platform is refused."""
    artifact = export.export(jax.jit(lambda x: [x]), platforms=["tpu"])(F32).serialize()
    assert refusal(opened, bytes(artifact))[0] == "refused"


def test_several_platforms(opened):
    """A program for several platforms, which asks where it runs, is refused."""
    artifact = export.export(jax.jit(lambda x: [x]), platforms=["cpu", "tpu"])(F32).serialize()
    assert refusal(opened, bytes(artifact))[0] == "refused"


@pytest.mark.parametrize("change", [{"nr_devices": 2}, {"calling_convention_version": 99}])
def test_other_header(opened, change):
    """A program for several devices, or of another calling convention, is refused."""
    assert refusal(opened, bytes(dataclasses.replace(exported(), **change).serialize()))[0] == "refused"


def test_forged_trees_do_no_harm(opened):
    """How an artifact says its inputs and outputs are nested is not used."""
    tree = jax.tree.structure(((), {"a": {"b": (0,)}}))
    artifact = bytes(dataclasses.replace(exported(), in_tree=tree).serialize())
    assert opened(artifact).run([np.float32(3)]) == [[6]]


def test_functions_named_by_other_means_than_a_call(opened):
    """A custom call that hands a function to its target is refused."""
    text = """
func.func public @main(%x: tensor<f32>) -> tensor<f32> {
  %a = stablehlo.custom_call @lapack_spotrf_ffi(%x) {called_computations = [@f]} : (tensor<f32>) -> tensor<f32>
  return %a : tensor<f32>
}
func.func private @f(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }"""
    assert refusal(opened, forged(text))[0] == "refused"


def test_a_program_that_xla_refuses(opened):
    """A program that is well formed but that XLA does not compile is the student's."""
    text = """
func.func public @main(%x: tensor<f32>) -> tensor<f32> {
  %a = stablehlo.custom_call @lapack_spotrf_ffi(%x) : (tensor<f32>) -> tensor<f32>
  return %a : tensor<f32>
}"""
    assert refusal(opened, forged(text), op="run")[0] == "broken"


def test_donated_inputs_are_ordinary(opened):
    """A program that donates its inputs can run many times."""
    donating = export.export(jax.jit(lambda x: [x + 1], donate_argnums=0))(jax.ShapeDtypeStruct((3,), "float32"))
    ones = np.ones(3, "float32")
    for flat in opened(bytes(donating.serialize())).run([ones], [ones]):
        assert flat[0].tolist() == [2, 2, 2]


def test_unreachable_functions_are_ignored(opened):
    """Code that the entry never reaches is no part of the program."""
    text = """
func.func public @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }
func.func private @decoy(%x: tensor<f32>, %i: tensor<i32>) -> tensor<f32> {
  %a = "stablehlo.case"(%i) ({ stablehlo.return %x : tensor<f32> }) : (tensor<i32>) -> tensor<f32>
  return %a : tensor<f32>
}"""
    structure = opened(forged(text)).structure
    assert (structure.conditionals, dict(structure.operations)) == ((), {"func.return": 1})


def test_if_operation(opened):
    """`stablehlo.if` is a conditional whose branch 0 runs when the predicate is true."""
    text = """
func.func public @main(%x: tensor<f32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.compare GT, %x, %z : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %a = "stablehlo.if"(%p) ({
    %b = stablehlo.add %x, %x : tensor<f32>
    stablehlo.return %b : tensor<f32>
  }, {
    %w = stablehlo.while(%i = %x) : tensor<f32>
      cond { %l = stablehlo.compare LT, %i, %z : (tensor<f32>, tensor<f32>) -> tensor<i1>
             stablehlo.return %l : tensor<i1> }
      do { %o = stablehlo.constant dense<1.0> : tensor<f32>
           %n = stablehlo.add %i, %o : tensor<f32>
           stablehlo.return %n : tensor<f32> }
    stablehlo.return %w : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %a : tensor<f32>
}"""
    program = opened(forged(text))
    (conditional,), (loop,) = program.structure.conditionals, program.structure.loops
    assert (conditional.branches, conditional.depends_on, loop.inside) == (2, (0,), (0,))
    assert program.decides([np.float32(2)], [np.float32(-2)], kind="branch", id=0, branch=0) == [True, False]
    (chosen,) = program.disturb([np.float32(2)], [np.float32(-2)], kind="choice", id=0, branch=0)
    assert chosen == [[4], [-4]]
    assert program.trips(1, [np.float32(2)], [np.float32(-2.5)]) == [0, 3]


def test_deeply_nested_code(opened):
    """Code that is nested too deeply to be walked is refused."""
    depth = 1200
    inner = "%a0 = stablehlo.abs %x : tensor<f32>\n"
    for n in range(depth):
        inner = (
            f'%a{n + 1} = "stablehlo.case"(%i) ({{\n{inner}\nstablehlo.return %a{n} : tensor<f32>\n}})'
            " : (tensor<i32>) -> tensor<f32>\n"
        )
    text = f"""
func.func public @main(%x: tensor<f32>) -> tensor<f32> {{
  %i = stablehlo.convert %x : (tensor<f32>) -> tensor<i32>
  {inner}
  return %a{depth} : tensor<f32>
}}"""
    assert refusal(opened, forged(text))[0] == "oversized"
