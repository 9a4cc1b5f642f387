"""The examples in `docs/tools.md` are true."""

import doctest
import itertools
import re
from pathlib import Path

from autograder import tools

PAGE = Path(__file__).parents[3] / "docs" / "tools.md"


def test_examples_give_what_they_show(monkeypatch):
    """Every example on the page, run in its order, gives the output that it shows."""
    clock = (1.5**tick for tick in itertools.count()).__next__  # what is measured later takes longer, by far
    for timer in (tools.bench, tools.assert_faster):
        monkeypatch.setitem(timer.__kwdefaults__, "clock", clock)
    text = PAGE.read_text(encoding="utf-8")
    examples = "\n".join(re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "tools.md", str(PAGE), 0)
    lines: list[str] = []
    outcome = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=lines.append)
    assert outcome.attempted > 10
    assert outcome.failed == 0, "".join(lines)


def test_every_tool_has_a_heading():
    """A tool without a section of its own is not documented."""
    headings = re.findall(r"^## `(\w+)`", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(headings) == sorted(tools.__all__)
