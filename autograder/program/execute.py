"""An opened program, or a changed one, is compiled under a signature made here, and run on NumPy arrays."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax import export
from jax.core import ShapedArray

from autograder.program.artifact import Program, structs
from autograder.wire import DTYPES, Aval, raised

Array = np.ndarray[Any, Any]
ALLOWED_CALLS = frozenset(
    f"lapack_{kind}{routine}_ffi"
    for kinds, routines in (
        ("sdcz", ("potrf", "geqrf", "geev", "gesdd", "getrf", "gehrd", "gees", "trsm", "gtsv")),
        ("sd", ("orgqr", "syevd", "sytrd")),
        ("cz", ("ungqr", "heevd", "hetrd")),
    )
    for kind in kinds
    for routine in routines
)
"""Custom calls that JAX exports for the CPU: linear algebra, all of them pure. Callbacks into Python are not among
them."""


SMALL = 1024
"""Elements up to which arrays are so small that code which LLVM has not optimised is quick enough to run them."""


class NotRunnable(Exception):
    """XLA could not compile or run a program; whose fault that is depends on whether we changed it."""


Run = Callable[[Sequence[Array]], list[Array]]


def compiled(program: Program) -> Run:
    """Compiles a program; the result runs it on flat inputs of exactly its types.

    Raises:
        RaisedFault: It calls code outside of itself that is not allowed.
        NotRunnable: XLA cannot compile it; the result raises it where the program fails when it runs.
    """
    _check_custom_calls(program.custom_calls)
    with jax.enable_x64(True):  # a program may have been exported with 64-bit types; others are not affected
        arguments = structs(program.in_avals)
        ready = dataclasses.replace(
            signature(program.in_avals, program.out_avals),
            mlir_module_serialized=program.code,
            module_kept_var_idx=program.kept,
        )
        try:
            executable = jax.jit(ready.call).lower(*arguments).compile(_options(program))
        except Exception as error:  # XLA and MLIR raise several kinds
            raise NotRunnable(f"It cannot be compiled: {error}") from error

    def run(inputs: Sequence[Array]) -> list[Array]:
        with jax.enable_x64(True):
            try:
                return [np.asarray(output) for output in executable(*inputs)]
            except Exception as error:  # XLA raises several kinds
                raise NotRunnable(f"It fails when it runs: {error}") from error

    return run


def _options(program: Program) -> dict[str, str | bool]:
    """Returns options of XLA that spare half of the time it takes to compile the small programs of exercises.

    LLVM, where it optimises, may round a product and a sum once instead of twice. So loops are optimised, as they are
    on a student's machine: one that ends there must end here.
    """
    options: dict[str, str | bool] = {"xla_cpu_parallel_codegen_split_count": "1"}
    if jax.__version_info__ < (0, 11):  # later versions of XLA have no such choice
        options["xla_cpu_use_fusion_emitters"] = False
    if program.largest <= SMALL and not program.loops:
        options["xla_backend_optimization_level"] = "0"
    return options


def signature(in_avals: Sequence[Aval], out_avals: Sequence[Aval]) -> export.Exported:
    """Returns a program of our own with the given types, to be filled with other code."""
    template = _template()
    inputs, outputs = (
        [ShapedArray(aval.shape, DTYPES[aval.dtype]) for aval in avals] for avals in (in_avals, out_avals)
    )
    unsharded: dict[str, Any] = {
        field.name: (None,) * len(inputs if field.name.lstrip("_").startswith("in_") else outputs)
        for field in dataclasses.fields(template)
        if field.name.endswith(("_shardings", "_shardings_hlo")) and type(getattr(template, field.name)) is tuple
    }
    return dataclasses.replace(
        template,
        in_tree=jax.tree.structure((tuple(inputs), {})),
        out_tree=jax.tree.structure(tuple(outputs)),
        in_avals=tuple(inputs),
        out_avals=tuple(outputs),
        **unsharded,
    )


@functools.cache
def _template() -> export.Exported:
    """Exports a program without inputs and outputs, once: each export takes a trace, a lowering and a serialisation."""
    return export.export(jax.jit(lambda: ()), platforms=["cpu"])()


def _check_custom_calls(targets: Sequence[str]) -> None:
    for target in targets:
        if "callback" in target:
            raise raised("callback", detail=f"It calls {target}.")
        if target not in ALLOWED_CALLS:
            raise raised("refused", detail=f"It calls {target}.")
