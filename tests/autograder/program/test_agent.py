"""The replay agent answers every request, whatever it holds, and compiles no program twice."""

from __future__ import annotations

import json

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from autograder import wire
from autograder.agent.replay import ReplayAgent
from autograder.faults import Fault, RaisedFault

F32 = jax.ShapeDtypeStruct((), "float32")
I32 = jax.ShapeDtypeStruct((), "int32")
VECTOR = jax.ShapeDtypeStruct((3,), "float32")
BIG = jax.ShapeDtypeStruct((5_000_000,), "float32")


def switched(x):
    """Is a function whose switch decides."""
    return lax.switch(jnp.clip(x, 0, 1).astype(int), [lambda x: x, lambda x: 2 * x], x)


def test_many_inputs_in_one_request(replay):
    """A program runs on all inputs of a request, and its outputs keep dtype and shape."""
    program = replay(lambda x, n: (x * n, n + 1, x > 2), VECTOR, I32)
    rows = [np.arange(3, dtype="float32"), np.ones(3, "float32")]
    runs = program.run([rows[0], np.int32(2)], [rows[1], np.int32(3)])
    assert [[leaf.tolist() for leaf in flat] for flat in runs] == [
        [[0, 2, 4], 3, [False, False, False]],
        [[3, 3, 3], 4, [False, False, False]],
    ]
    assert [leaf.dtype.name for leaf in runs[0]] == ["float32", "int32", "bool"]


def test_results_are_those_of_jax(replay):
    """A replayed program gives what the function itself gives."""

    def function(x, seed):
        noise = jax.random.normal(jax.random.key(seed), (3,))
        return jnp.linalg.cholesky(jnp.eye(3) * 2 + jnp.outer(x, x)) @ noise, jnp.sort(x), jnp.fft.fft(x)

    x = np.asarray([3.0, 1.0, 2.0], "float32")
    for replayed, direct in zip(replay(function, VECTOR, I32).run([x, np.int32(7)])[0], function(x, 7), strict=True):
        np.testing.assert_allclose(replayed, direct, rtol=1e-5)


def test_plain_numbers_take_the_dtype_of_the_program(replay):
    """A Python number is given as a scalar of the exported dtype."""
    assert replay(lambda x, n: (x, n), F32, I32).run([3, 4]) == [[3, 4]]


@pytest.mark.parametrize(
    "flat",
    [[1.0], [1.0, 2, 3], [np.float64(1), 2], [np.ones(1, "float32"), 2], [1.0, 2.5], [1.0, 2**40], ["1", 2], [None, 2]],
    ids=str,
)
def test_inputs_that_do_not_fit(replay, flat):
    """Inputs of another number, dtype or shape are no fault of the student's."""
    assert replay(lambda x, n: (x, n), F32, I32).fault("run", [flat])["whose"] == "program"


def test_64_bit_programs_run_as_they_were_exported(agent, opened):
    """A program with 64-bit types computes in 64 bits, though they are off by default."""
    with jax.enable_x64(True):
        artifact = jax.export.export(jax.jit(lambda x: [x / 3]))(jax.ShapeDtypeStruct((), "float64")).serialize()
    (flat,) = opened(bytes(artifact)).run([np.float64(1)])
    assert flat[0].dtype == np.float64
    assert flat[0] == 1 / 3


def test_empty_arrays_and_no_outputs(replay):
    """Arrays of size 0 run, and so does a program that takes or returns nothing."""
    assert replay(lambda x: x * 2, jax.ShapeDtypeStruct((0,), "float32")).run([np.ones(0, "float32")])[0][0].shape == (
        0,
    )
    assert replay(lambda x: (), F32).run([1.0]) == [[]]
    assert replay(lambda: jnp.float32(3)).run([]) == [[3]]


def test_compiles_once(replay, monkeypatch):
    """One compilation serves all runs, and one more whatever is disturbed or chosen in one conditional."""
    made = []
    compile_ = jax.stages.Lowered.compile
    monkeypatch.setattr(jax.stages.Lowered, "compile", lambda self, *a, **k: made.append(1) or compile_(self, *a, **k))
    program = replay(switched, F32)
    program.agent = ReplayAgent()
    for _ in range(3):
        program.run([0.5], [1.5])
    assert len(made) == 1
    for branch in (0, 1):
        program.disturb([0.5], kind="branch", id=0, branch=branch)
        program.disturb([0.5], kind="choice", id=0, branch=branch)
    program.disturb([0.5], kind="conditional", id=0)
    assert len(made) == 2


def test_one_program_for_all_about_a_loop(replay, monkeypatch):
    """One compilation serves whatever is disturbed, limited or counted in one loop, each input with its own limit."""
    made = []
    compile_ = jax.stages.Lowered.compile
    monkeypatch.setattr(jax.stages.Lowered, "compile", lambda self, *a, **k: made.append(1) or compile_(self, *a, **k))
    program = replay(lambda x: lax.while_loop(lambda y: y < 100, lambda y: 2 * y, x), F32)
    program.agent = ReplayAgent()
    assert program.trips(0, [3.0], [50.0]) == [6, 1]
    assert program.disturb([3.0], [3.0], [50.0], kind="limit", id=0, trips=[1, 9, 0]) == [[[6], [192], [50]]]
    assert program.disturb([3.0], kind="loop", id=0) != [[[192]]] * 2
    assert program.fault("disturb", [[3.0]], target={"kind": "limit", "id": 0, "trips": [1, 2]})["whose"] == "program"
    assert len(made) == 1


@pytest.mark.parametrize(
    "target",
    [
        None,
        {},
        {"kind": "everything", "id": 0},
        {"kind": "branch", "id": 0},
        {"kind": "branch", "id": 0, "branch": 2},
        {"kind": "branch", "id": 0, "branch": -1},
        {"kind": "choice", "id": 0, "branch": True},
        {"kind": "conditional", "id": 7},
        {"kind": "conditional", "id": "0"},
        {"kind": "loop", "id": 0},
        {"kind": "limit", "id": 0, "trips": 1},
    ],
    ids=str,
)
def test_targets_that_do_not_exist(replay, target):
    """A request about a branch, conditional or loop that the program lacks is no fault of the student's."""
    assert replay(switched, F32).fault("disturb", [[1.0]], target=target)["whose"] == "program"


def test_outputs_that_are_too_large(replay):
    """A program whose outputs cannot be sent is refused before it runs."""
    program = replay(lambda x: [x + n for n in range(4)], BIG)
    fault = program.fault("run", [[np.ones(BIG.shape, "float32")]])
    assert (fault["whose"], fault["reason"]) == ("student", "oversized")


@pytest.mark.parametrize(
    ("content", "buffers"),
    [
        ({}, []),
        ({"op": "shutdown"}, []),
        ({"op": ["run"]}, []),
        ({"op": "describe"}, []),
        ({"op": "run"}, [b"nothing"]),
        ({"op": "run", "inputs": 7}, [b"nothing"]),
    ],
    ids=str,
)
def test_malformed_requests(agent, content, buffers):
    """Whatever is asked, the answer is a fault that can be sent and raised again, never an exception."""
    answer, sent = agent.handle(content, buffers)
    with pytest.raises(Fault):
        wire.check_fault(json.loads(json.dumps(answer)))
    assert sent == []


def test_refusals_are_told_in_sentences(opened):
    """What the reader raises names the function and says what to do."""
    answer, _ = opened(b"nothing").ask("describe")
    with pytest.raises(RaisedFault, match="`tax` makes a program that cannot be graded") as caught:
        wire.check_fault(answer, name="tax")
    assert caught.value.remedy


def test_environment(agent):
    """The environment names the versions with which programs run."""
    answer, _ = agent.handle({"op": "environment"}, [])
    assert answer["jax"] == jax.__version__
    assert sorted(answer) == ["jax", "jaxlib", "numpy", "python"]


def test_programs_that_were_forgotten_are_opened_again(replay, agent):
    """The agent keeps a bounded number of programs, and opens the others anew."""
    first = replay(lambda x: x + 0.5, F32)
    assert first.run([1.0]) == [[1.5]]
    for step in range(20):
        replay(lambda x, step=step: x + step, F32).structure  # noqa: B018  # asks for it
    assert first.run([1.0]) == [[1.5]]
