"""Reference for `jit_quiz`: which option is right is found out by running the code in question on the JAX at hand.

Nothing here says which option is right. Each question has its code, as the notebook shows it, and a function that runs
it and names the option that describes what came of it. What a student reads of an option lies in `explanations.toml`.
"""

import io
import itertools
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from autograder.faults import CourseFault
from autograder.tools.counting import CompileWatch

EXPLANATIONS: Mapping[str, Mapping[str, str]] = tomllib.loads(
    Path(__file__).with_name("explanations.toml").read_text(encoding="utf-8")
)
"""By the number of the question: what to say of each option, and under `try` how to see it for oneself."""

WAVE = """def wave(x):
    y = jnp.sin(x)
    y = y * x
    return y + x"""

THREE_CALLS = """a = jnp.ones(1000)
b = jnp.zeros(1000)
wave(a)
wave(b)
wave(a + 5)"""

TOTAL = """@jax.jit
def total(x):
    if x.ndim == 1:
        return jnp.sum(x)
    return jnp.sum(x, axis=1)"""

CAP: Mapping[str, str] = {
    "all static": """@partial(jax.jit, static_argnames=("x", "threshold"))
def cap(x, threshold):
    if x > threshold:
        return threshold
    return x""",
    "bool": """@jax.jit
def cap(x, threshold):
    if bool(x > threshold):
        return threshold
    return x""",
    "cond": """@jax.jit
def cap(x, threshold):
    return lax.cond(x > threshold, lambda: threshold, lambda: x)""",
    "static threshold": """@partial(jax.jit, static_argnames="threshold")
def cap(x, threshold):
    if x > threshold:
        return threshold
    return x""",
}

DOUBLE = """@jax.jit
def double(x):
    print("python:", x)
    jax.debug.print("jax: {}", x)
    return 2 * x


for number in (1.0, 2.0, 3.0):
    double(number)"""

SMOOTH: Mapping[str, str] = {
    "convert n": """@jax.jit
def smooth(x, n):
    for _ in range(int(n)):
        x = (x + jnp.roll(x, 1)) / 2
    return x""",
    "fori loop": """@jax.jit
def smooth(x, n):
    return lax.fori_loop(0, n, lambda _, x: (x + jnp.roll(x, 1)) / 2, x)""",
    "plain jit": """@jax.jit
def smooth(x, n):
    for _ in range(n):
        x = (x + jnp.roll(x, 1)) / 2
    return x""",
    "static n": """@partial(jax.jit, static_argnames="n")
def smooth(x, n):
    for _ in range(n):
        x = (x + jnp.roll(x, 1)) / 2
    return x""",
}

RUN = """@partial(jax.jit, static_argnames="settings")
def run(x, settings):
    return 2 * x"""

SETTINGS: Mapping[str, str] = {
    "array": "jnp.array([3, 3])",
    "function": "jnp.tanh",
    "string": '"fast"',
    "tuple": "(3, 3)",
}

TIMERS: Mapping[str, str] = {
    "first and waiting": """start = perf_counter()
jax.block_until_ready(wave(x))
seconds = perf_counter() - start""",
    "plain": """start = perf_counter()
wave(x)
seconds = perf_counter() - start""",
    "warm": """wave(x)
start = perf_counter()
wave(x)
seconds = perf_counter() - start""",
    "warm and waiting": """jax.block_until_ready(wave(x))
start = perf_counter()
jax.block_until_ready(wave(x))
seconds = perf_counter() - start""",
}


@dataclass(frozen=True)
class Question:
    """One question of the notebook.

    Attributes:
        number: Its number, from 1.
        codes: The pieces of code that the notebook, or an option, shows.
        run: Runs them, and returns the words of the options that describe what came of it.
    """

    number: int
    codes: tuple[str, ...]
    run: Callable[[], set[str]]

    @property
    def words(self) -> tuple[str, ...]:
        """The words of its options."""
        return tuple(word for word in EXPLANATIONS[str(self.number)] if word != "try")

    @cached_property
    def right(self) -> str:
        """The word of the option that is right on this JAX.

        Raises:
            CourseFault: Not exactly one of them is.
        """
        found = self.run() & set(self.words)
        if len(found) != 1:
            raise CourseFault(f"On this JAX {len(found)} options of question {self.number} are right.")
        return found.pop()


def define(code: str, **names: Any) -> dict[str, Any]:
    """Runs a piece of code of this file as a notebook would, and returns its globals."""
    space = {"jax": jax, "jnp": jnp, "lax": lax, "partial": partial, **names}
    with jax.disable_jit(False), jax.enable_x64(False):  # whatever the grader's environment says to JAX
        exec(code, space)
    return space


@contextmanager
def compiling(*names: str) -> Iterator[Callable[[], int]]:
    """Counts, in a block, the programs with these names, and disturbs no other work of this process."""
    watch = CompileWatch()
    watch.start()
    try:
        with jax.disable_jit(False), jax.enable_x64(False):
            yield lambda: sum(compiled.function in names for compiled in watch.seen)
    finally:
        watch.stop()


def dispatched() -> set[str]:
    """Counts the programs of a first call without `jax.jit`, at a size that this process has not met."""
    wave = define(WAVE)["wave"]
    for size in itertools.islice(itertools.count(1000), 10_000):
        x = jnp.ones(size)
        with compiling("sin", "multiply", "add", "wave") as programs:
            wave(x)
        if programs():
            return {{1: "one", 3: "three", 1000: "a thousand"}.get(programs(), "")}
    return {"none"}


def hit() -> set[str]:
    """Counts the programs of three calls with other values."""
    space = define(WAVE)
    with compiling("wave") as programs:
        define(THREE_CALLS, wave=jax.jit(space["wave"]))
    return {{0: "none", 1: "one", 2: "two", 3: "three"}.get(programs(), "")}


def branched() -> set[str]:
    """Calls a function with a Python branch on the number of dimensions for two of them."""
    total = define(TOTAL)["total"]
    line, table = np.ones(3, np.float32), np.ones((2, 3), np.float32)
    try:
        with compiling("total") as programs:
            results = np.asarray(total(line)), np.asarray(total(table))
    except jax.errors.JAXTypeError:
        return {"it raises"}
    if results[0].shape != () or results[1].shape != (2,):
        return {"first branch"}
    traces = [jax.make_jaxpr(total)(x) for x in (line, table)]
    if any(" cond[" in str(trace) for trace in traces):
        return {"both branches"}
    return {"chosen while tracing"} if programs() == 2 else set()


def repaired() -> set[str]:
    """Says which ways to write `cap` give the right numbers, by one program for all."""
    calls = ((1.0, 2.0), (3.0, 2.0), (5.0, 0.5))
    return {word for word, code in CAP.items() if _serves_all(code, "cap", calls, min)}


def printed() -> set[str]:
    """Reads what three calls print."""
    text = io.StringIO()
    with redirect_stdout(text):
        define(DOUBLE)
        jax.effects_barrier()
    lines = text.getvalue().splitlines()
    python = [line for line in lines if line.startswith("python:")]
    tracers = sum("Traced" in line or "Tracer" in line for line in python)
    debugged = [line.removeprefix("jax: ") for line in lines if line.startswith("jax: ")]
    if [float(number) for number in debugged] != [1.0, 2.0, 3.0]:
        return set()
    found = {(3, 0): "both thrice", (0, 0): "debug alone", (1, 1): "once and thrice", (3, 3): "tracer thrice"}
    return {found.get((len(python), tracers), "")}


def looped() -> set[str]:
    """Says which ways to write `smooth` give the right numbers for every n, by one program for all."""

    def smoothed(x: Any, n: int) -> Any:
        for _ in range(n):
            x = (x + np.roll(x, 1)) / 2
        return x

    x = np.arange(4, dtype=np.float32)
    return {word for word, code in SMOOTH.items() if _serves_all(code, "smooth", [(x, n) for n in (3, 2)], smoothed)}


def _serves_all(code: str, name: str, calls: Any, expected: Callable[..., Any]) -> bool:
    function = define(code)[name]
    with compiling(name) as programs:
        try:
            right = all(np.allclose(function(*call), expected(*call)) for call in calls)
        except jax.errors.JAXTypeError:
            return False
    return right and programs() == 1


def refused() -> set[str]:
    """Says which values are refused as a static argument."""
    found = set()
    for word, written in SETTINGS.items():
        space = define(RUN)
        try:
            space["run"].trace(1.0, settings=eval(written, {"jnp": jnp}))
        except ValueError:
            found.add(word)
    return found


def timed() -> set[str]:
    """Says between which readings of the clock there is one call, computed to its end, and no compiling."""
    return {word for word, code in TIMERS.items() if _between_readings(code) == ["call", "wait"]}


def _between_readings(code: str) -> list[str]:
    """Runs a way to measure with a real function, and returns what happens between its two readings of the clock."""
    events: list[str] = []
    wave = jax.jit(define(WAVE)["wave"])

    def watched(x: Any) -> Any:
        with compiling("wave") as programs:
            result = wave(x)
        events.extend([*["compile"] * programs(), "call"])
        return result

    def wait(result: Any) -> Any:
        events.append("wait")
        return jax.block_until_ready(result)

    def clock() -> float:
        events.append("read")
        return 0.0

    names = {"block_until_ready": staticmethod(wait)}
    define(code, wave=watched, x=np.ones(4, np.float32), perf_counter=clock, jax=type("jax", (), names))
    first, last = (place for place, event in enumerate(events) if event == "read")
    return events[first + 1 : last]


QUESTIONS: Mapping[int, Question] = {
    number: Question(number, codes, run)
    for number, (codes, run) in enumerate(
        (
            ((WAVE,), dispatched),
            ((WAVE, THREE_CALLS), hit),
            ((TOTAL,), branched),
            (tuple(CAP.values()), repaired),
            ((DOUBLE,), printed),
            (tuple(SMOOTH.values()), looped),
            ((RUN, *SETTINGS.values()), refused),
            (tuple(TIMERS.values()), timed),
        ),
        start=1,
    )
}


def model_answers() -> dict[str, str]:
    """Returns `answer_1` and its like; a question that has no right option here is left out, and asked about later."""
    found = {}
    for number, question in QUESTIONS.items():
        with suppress(CourseFault):
            found[f"answer_{number}"] = question.right
    return found


globals().update(model_answers())
