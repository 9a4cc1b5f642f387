"""Grading runs of hidden suites: every ending has its outcome, and nothing passes by accident."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from autograder.faults import CourseFault, Fault, HostFault, LimitFault, StudentFault, TamperFault
from autograder.records import Outcome, TestResult
from autograder.suite.asking import LinkPair
from autograder.suite.run import SuiteRun, run_suite
from autograder.wire import raised

Run = Callable[..., SuiteRun]

SECRET = "987654"
COULD_NOT = "This could not be checked: the check itself is at fault, not your work."


class RaisingLink:
    """A kernel whose every answer is a fault.

    Args:
        fault: What to raise.
    """

    def __init__(self, fault: Exception) -> None:
        self.fault = fault

    def ask(self, content: Any, buffers: Any = (), *, timeout: float | None = None) -> Any:
        """Raises the fault."""
        raise self.fault


def only(run: SuiteRun) -> TestResult:
    """Returns the one result of check `c`."""
    (result,) = run.results["c"]
    return result


def test_results_come_in_order_with_title_and_weight(run: Run) -> None:
    """A result has the first line of the docstring as its title, and the weight of its mark."""
    done = run('''
        @pytest.mark.weight(2.5)
        def test_b():
            """The root is right.

            More for the author.
            """

        def test_a_of_words():
            pass
    ''')
    assert [(r.name, r.title, r.outcome, r.weight) for r in done.results["c"]] == [
        ("test_b", "The root is right.", Outcome.PASSED, 2.5),
        ("test_a_of_words", "a of words", Outcome.PASSED, 1.0),
    ]
    assert done.details == {}


def test_title_names_the_parameters(run: Run) -> None:
    """`{id}` in the first line of a docstring stands for the name of the test's parameters, never for their values."""
    done = run('''
        @pytest.mark.parametrize("number", [pytest.param(987654, id="call 1"), 987654])
        def test_it(number):
            """The prediction for {id} is right."""
    ''')
    assert [result.title for result in done.results["c"]] == [
        "The prediction for call 1 is right.",
        "The prediction for number is right.",
    ]


@pytest.mark.parametrize(
    ("fault", "outcome", "whose"),
    [
        (StudentFault("It said so."), Outcome.FAILED, "the student's work"),
        (LimitFault("It said so.", cause="wall"), Outcome.FAILED, "the student's work"),
        (TamperFault("It said so."), Outcome.NOT_GRADABLE, "the student's work"),
        (CourseFault("It said so."), Outcome.NOT_GRADABLE, "the course"),
        (HostFault("It said so."), Outcome.NOT_GRADABLE, "the host"),
        (Fault("It said so."), Outcome.NOT_GRADABLE, "this program"),
    ],
)
@pytest.mark.parametrize("place", ["call", "fixture", "module fixture", "teardown"])
def test_fault_decides_the_outcome(run: Run, fault: Fault, outcome: Outcome, whose: str, place: str) -> None:
    """A fault of the student fails the test wherever it is raised; every other one makes it not gradable."""
    scope = "module" if place == "module fixture" else "function"
    asks = {"call": ("", "student.f"), "teardown": ("yield\n            student.f", "")}.get(place, ("student.f", ""))
    done = run(
        f"""
        @pytest.fixture(scope="{scope}")
        def program(student):
            {asks[0] or "pass"}

        def test_it(student, program):
            {asks[1] or "pass"}
        """,
        links=LinkPair(RaisingLink(fault), RaisingLink(fault)),
    )
    result = only(done)
    assert (result.outcome, result.whose, result.message) == (outcome, whose, "It said so.")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("assert secret == 1", "What this test asks for does not hold."),
        ("assert secret == 1, 'The root is wrong.'", "The root is wrong."),
        ("assert secret == 1, 'The root\\nis wrong.'", "The root\nis wrong."),
        ("assert not [secret, 2], ''", "What this test asks for does not hold."),
        ("pytest.fail('The root is wrong.')", "The root is wrong."),
        ("fail('The root is wrong.')", "The root is wrong."),
        ("np.testing.assert_allclose(secret, 1)", "What this test asks for does not hold."),
        ("np.testing.assert_array_equal([secret], [1])", "What this test asks for does not hold."),
        ("assert_close(secret, 1)", "The result is off by a relative error of about 1e+06 (allowed: 1e-05)."),
    ],
)
def test_failure_shows_what_the_author_said_alone(run: Run, body: str, message: str) -> None:
    """The student reads the author's words; the values that pytest adds are for the staff."""
    done = run(f"import numpy as np\nsecret = {SECRET}\n\n\ndef test_it():\n    {body}\n")
    result = only(done)
    assert (result.outcome, result.message) == (Outcome.FAILED, message)
    assert SECRET not in repr(result)
    assert "test_it" in done.details["c/test_it"]


def test_details_hold_the_values(run: Run) -> None:
    """The staff reads the values that the student does not."""
    done = run(f"def test_it():\n    secret = {SECRET}\n    assert secret == 1, 'The root is wrong.'\n")
    assert f"assert {SECRET} == 1" in done.details["c/test_it"]
    assert "_pytest" not in done.details["c/test_it"]


@pytest.mark.parametrize(
    "body",
    [
        "def test_it(): 1 / 0",
        "def test_it(): raise SystemExit(0)",
        "class Odd(AssertionError):\n    def __str__(self): return 1 / 0\ndef test_it(): raise Odd",
        "def test_it(): pytest.skip('later')",
        "def test_it(): pytest.xfail('later')",
        "def test_it(): pytest.exit('later')",
        "def test_it(missing): pass",
        "def test_it(): return False",
        "async def test_it(): assert 0",
        "def test_it(subtests):\n    with subtests.test(): assert 0",
        "@pytest.mark.skip\ndef test_it(): pass",
        "@pytest.mark.skipif(True, reason='later')\ndef test_it(): pass",
        "@pytest.mark.xfail\ndef test_it(): assert 0",
        "@pytest.mark.xfail(strict=False)\ndef test_it(): pass",
        "@pytest.mark.weight(0)\ndef test_it(): pass",
        "@pytest.mark.weight(float('nan'))\ndef test_it(): pass",
        "@pytest.mark.weight('2')\ndef test_it(): pass",
        "@pytest.mark.weight(True)\ndef test_it(): pass",
        "@pytest.fixture\ndef broken(): assert 0\ndef test_it(broken): pass",
        "@pytest.fixture\ndef broken():\n    yield\n    assert 0\ndef test_it(broken): pass",
        "def test_it(reference): reference.root(2)",
        "def test_it(reference): reference.check(2)",
        "def test_it(): assert_close(*range(2), nonsense=1)",
    ],
)
def test_course_fault_is_not_gradable(run: Run, body: str) -> None:
    """Whatever a suite does that is neither a pass nor a clear failure costs nothing and earns nothing."""
    result = only(
        run(body, reference="def root(a):\n    raise KeyError(987654)\ndef check(a):\n    assert a == 987654\n")
    )
    assert (result.outcome, result.whose, result.message) == (Outcome.NOT_GRADABLE, "the course", COULD_NOT)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "x = 1",
        "def check_it(): pass",
        "import nowhere_to_be_found",
        "def test_it(:",
        "1 / 0",
        "pytest.skip('all', allow_module_level=True)",
        "@pytest.mark.wieght(2)\ndef test_it(): pass",
        "def test_it():\n    assert (1 == 2, 'always true')",
        "class TestIt:\n    def __init__(self): pass\n    def test_it(self): pass",
        "@pytest.mark.parametrize('a', [])\ndef test_it(a): pass",
        "def test_it(): yield",
    ],
)
def test_file_without_proper_tests_is_not_gradable(run: Run, body: str) -> None:
    """A check whose file is empty, broken, or holds a test that cannot fail is never a pass."""
    results = run(body).results["c"]
    assert results
    assert any(result.outcome is Outcome.NOT_GRADABLE for result in results)
    assert {result.whose for result in results if result.outcome is not Outcome.PASSED} == {"the course"}


def test_missing_file_is_not_gradable(tmp_path: Path) -> None:
    """A check without a file is not gradable, and says which file is missing to the staff."""
    links = LinkPair(RaisingLink(Fault("")), RaisingLink(Fault("")))
    done = run_suite(tmp_path, links, grade_ids=["c"])
    assert only(done).outcome is Outcome.NOT_GRADABLE
    assert "test_c.py" in done.details["c/test_c.py"]


def test_failing_subtest_of_unittest_fails(run: Run) -> None:
    """A failure inside `subTest` is not swallowed."""
    body = "def test_it(self):\n        with self.subTest():\n            assert 0\n"
    done = run(f"import unittest\nclass TestIt(unittest.TestCase):\n    {body}")
    assert only(done).outcome is Outcome.FAILED


def test_broken_class_makes_the_check_not_gradable(run: Run) -> None:
    """A file of which a part cannot be collected keeps its other tests, and is not gradable as a whole."""
    results = run(
        "class TestIt:\n    def __init__(self): pass\n    def test_a(self): pass\ndef test_b(): pass\n"
    ).results["c"]
    assert sorted(result.outcome for result in results) == [Outcome.NOT_GRADABLE, Outcome.PASSED]


def test_broken_file_leaves_the_others_alone(tmp_path: Path) -> None:
    """A check that cannot be collected does not touch the next check."""
    (tmp_path / "test_a.py").write_text("1 / 0\n", encoding="utf-8")
    (tmp_path / "test_b.py").write_text("def test_it(): pass\n", encoding="utf-8")
    done = run_suite(tmp_path, LinkPair(RaisingLink(Fault("")), RaisingLink(Fault(""))), grade_ids=["a", "b"])
    assert [done.results[g][0].outcome for g in ("a", "b")] == [Outcome.NOT_GRADABLE, Outcome.PASSED]


def test_tests_after_an_exit_are_not_gradable(run: Run) -> None:
    """A test that ends pytest takes nothing from the tests after it but their marks: a person decides."""
    results = run("def test_a(): pytest.exit('now')\ndef test_b(): pass\n").results["c"]
    assert [result.outcome for result in results] == [Outcome.NOT_GRADABLE] * 2


def test_interrupt_goes_to_the_person(run: Run) -> None:
    """Ctrl-C ends the run instead of marking a submission."""
    with pytest.raises(KeyboardInterrupt):
        run("def test_it(): raise KeyboardInterrupt\n")


def test_values_of_parameters_are_not_in_names(run: Run) -> None:
    """A parameter is named by its argument, since its value may be a hidden input; an id of the author's is kept."""
    done = run(f"""
        @pytest.mark.parametrize("a", [{SECRET}, "text", pytest.param(3, id="small")])
        def test_it(a):
            pass
    """)
    assert [result.name for result in done.results["c"]] == ["test_it[a0]", "test_it[a1]", "test_it[small]"]


def test_hint_is_shown_for_a_failure_alone(run: Run) -> None:
    """The mark's hint goes with a failure; what the fault itself advises is nearer."""
    done = run("""
        @pytest.mark.hint("Look at the loop.")
        class TestIt:
            def test_a(self): assert 0
            def test_b(self): fail("No.", hint="Look at the start.")
            def test_c(self): 1 / 0
            def test_d(self): pass
    """)
    assert [result.hint for result in done.results["c"]] == ["Look at the loop.", "Look at the start.", "", ""]


def test_unanswered_needs_no_hint(run: Run) -> None:
    """Advice on an answer that is not there yet would only puzzle."""
    fault = raised("unanswered", name="f")
    links = LinkPair(RaisingLink(fault), RaisingLink(fault))
    result = only(run("@pytest.mark.hint('Look at the loop.')\ndef test_it(student): student.f\n", links=links))
    assert (result.message, result.hint) == ("`f` is not answered yet.", "")


def test_message_is_clean_and_bounded(run: Run) -> None:
    """No control character, no change of direction and no endless text reaches a page."""
    done = run("def test_it(): fail('a\\x1b[2Jb\\u202ec\\x00d\\nnext' + 'x' * 5000)\n")
    message = only(done).message
    assert message.startswith("a[2Jbcd\nnextx")
    assert len(message) == 1000


def test_warnings_never_fail_a_test(run: Run) -> None:
    """A suite may warn, whatever the process around it makes of warnings."""
    done = run(
        "import warnings\ndef test_it():\n    warnings.warn('old')\n    warnings.warn('older', DeprecationWarning)\n"
    )
    assert only(done).outcome is Outcome.PASSED


def test_timeout_mark_goes_with_every_request(run: Run, scripted: Callable[..., Any]) -> None:
    """A request carries the deadline of its own test, and none where the test has no mark."""
    _, kernel, box = scripted({"lookup": {"found": True, "callable": True, "jitted": True, "type": "f"}})
    run(
        "@pytest.mark.timeout(3)\ndef test_a(student): student.f\ndef test_b(student): student.g\n",
        links=LinkPair(kernel, box),
    )
    assert kernel.timeouts == [3.0, None]


def test_surroundings_do_not_decide(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a configuration, a conftest nor environment variables around the suite change what comes of it."""
    for folder in (tmp_path, tmp_path / "suite"):
        folder.mkdir(exist_ok=True)
        (folder / "pytest.ini").write_text("[pytest]\naddopts = --collect-only\n", encoding="utf-8")
        (folder / "conftest.py").write_text("raise RuntimeError\n", encoding="utf-8")
    monkeypatch.setenv("PYTEST_ADDOPTS", "--collect-only")
    monkeypatch.setenv("PYTEST_PLUGINS", "nowhere_to_be_found")
    monkeypatch.chdir(tmp_path)
    assert only(run("def test_it(): pass\n")).outcome is Outcome.PASSED
    assert os.environ["PYTEST_ADDOPTS"] == "--collect-only"


@pytest.fixture
def loaded() -> Iterator[None]:
    """A module of the name of a test file, as a run around this one may have loaded."""
    sys.modules["test_c"] = sys.modules[__name__]
    yield
    del sys.modules["test_c"]


@pytest.mark.usefixtures("loaded")
def test_module_of_the_same_name_is_left_alone(run: Run) -> None:
    """A suite's file is loaded anew, and what the process had loaded under its name stays."""
    assert only(run("def test_here(): pass\n")).name == "test_here"
    assert sys.modules["test_c"] is sys.modules[__name__]


def test_changed_file_is_read_again(run: Run) -> None:
    """A second run in the same process sees the file as it is then."""
    assert only(run("def test_first(): pass\n")).name == "test_first"
    assert only(run("def test_second_one(): pass\n")).name == "test_second_one"


def test_nothing_is_printed(run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    """A run is silent, also where a test prints or fails."""
    run("import sys\nprint('loud')\ndef test_it():\n    print('loud', file=sys.stderr)\n    assert 0\n")
    assert capfd.readouterr() == ("", "")


def test_runs_inside_an_event_loop_and_in_threads(run: Run) -> None:
    """A run works inside a running event loop, and two threads take turns."""

    async def graded() -> SuiteRun:
        return run("def test_it(): pass\n")

    assert only(asyncio.run(graded())).outcome is Outcome.PASSED
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda _: run("def test_it(): pass\n"), range(2)))
    assert [only(each).outcome for each in done] == [Outcome.PASSED] * 2


@pytest.mark.parametrize("name", ["a[b]", "a::b", "a b'c", "Übung 数"])
def test_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    """Brackets, colons, blanks and letters of any script in the path are no obstacle."""
    folder = tmp_path / name
    folder.mkdir()
    (folder / "reference.py").write_text("ROOT = 2\n", encoding="utf-8")
    (folder / "test_c.py").write_text("def test_it(reference): assert reference.ROOT == 3, 'No.'\n", encoding="utf-8")
    done = run_suite(folder, LinkPair(RaisingLink(Fault("")), RaisingLink(Fault(""))), grade_ids=["c"])
    assert only(done).message == "No."


def test_moved_suite_is_judged_the_same(tmp_path: Path) -> None:
    """What pytest cached of a suite in one folder does not change whose fault a failure is in another."""
    import shutil

    links = LinkPair(RaisingLink(Fault("")), RaisingLink(Fault("")))
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    (first / "test_c.py").write_text("def test_it(): assert 0, 'No.'\n", encoding="utf-8")
    before = only(run_suite(first, links, grade_ids=["c"]))
    shutil.copytree(first, second)
    assert only(run_suite(second, links, grade_ids=["c"])) == before
    assert before.outcome is Outcome.FAILED


def test_remark_is_shown_beside_a_pass_alone(run: Run) -> None:
    """What a test remarks is its message if it passes; of a failure the student reads the failure."""
    passed = only(
        run("""
            def test_it(remark):
                remark("first")
                remark("That is why.")
        """)
    )
    assert (passed.outcome, passed.message, passed.whose) == (Outcome.PASSED, "That is why.", "")
    failed = only(
        run("""
            def test_it(remark):
                remark("That is why.")
                fail("No.")
        """)
    )
    assert (failed.outcome, failed.message) == (Outcome.FAILED, "No.")
