"""Opens mutated artifacts, each in a process of its own, and prints how each of these processes ended.

Run by `test_mutations`: MLIR's reader may crash on damaged bytes; a replay box contains that, a test process would not.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from collections import Counter

import jax
from jax import lax

from autograder import wire
from autograder.agent.replay import ReplayAgent
from autograder.faults import Fault
from autograder.program.structure import read_structure

SECONDS = 20


def honest() -> bytes:
    """Exports a program with a loop and a conditional."""

    def function(x, n):
        total = lax.fori_loop(0, n, lambda i, s: s * x, x)
        return [lax.switch(n, [lambda v: v, lambda v: v * 2, lambda v: v - 1], total)]

    avals = jax.ShapeDtypeStruct((), "float32"), jax.ShapeDtypeStruct((), "int32")
    return bytes(jax.export.export(jax.jit(function), platforms=["cpu"])(*avals).serialize())


def mutated(artifact: bytes, draw: random.Random) -> bytes:
    """Changes, drops or inserts a few bytes."""
    data = bytearray(artifact)
    for _ in range(draw.choice([1, 1, 2, 4, 16])):
        place, length = draw.randrange(len(data)), draw.randrange(1, 20)
        kind = draw.random()
        if kind < 0.7:
            data[place] = draw.randrange(256)
        elif kind < 0.85:
            del data[place : place + length]
        else:
            data[place:place] = draw.randbytes(length)
    return bytes(data)


def answered(artifact: bytes) -> bool:
    """Tells whether the agent gives a structure or a fault, in the agreed forms."""
    answer, _ = ReplayAgent().handle({"op": "describe"}, [artifact])
    content = json.loads(json.dumps(answer))
    try:
        wire.check_fault(content)
    except Fault:
        return True
    read_structure(content["structure"])
    return True


def ending(artifact: bytes) -> str:
    """Opens an artifact in a new process; returns `answered`, the signal that ended it, or what went wrong."""
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        code = 1
        try:
            code = 0 if answered(artifact) else 1
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    return "answered" if os.WEXITSTATUS(status) == 0 else "failed"


if __name__ == "__main__":
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    draw = random.Random(seed)
    original = honest()
    print(json.dumps(Counter(ending(mutated(original, draw)) for _ in range(count))))
