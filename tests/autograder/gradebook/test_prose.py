"""A student's text is shown, and can do nothing to whoever reads it."""

from __future__ import annotations

import bleach
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nbconvert.filters import markdown2html

from autograder.gradebook.prose import harmless

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](java&#115;cript:alert(1))",
    "<javascript:alert(1)>",
    '<a href="data:text/html,x">x</a>',
    "[x][y]\n\n[y]: javascript:alert(1)",
    "![x](https://example.org/seen.png)",
    "</div></div><svg/onload=alert(1)>",
    "```mermaid\n<img src=x onerror=alert(1)>\n```",
    "<style>* { display: none }</style>",
    "$<img src=x onerror=alert(1)>$",
    r"$\href{javascript:alert(1)}{x}$",
]


def shown(source: str) -> str:
    """Returns what nbgrader's pages show of a text cell."""
    html: str = markdown2html(harmless(source))
    return html


@pytest.mark.parametrize("source", HOSTILE)
def test_hostile(source: str) -> None:
    """No script, handler, style, link to a script or request to elsewhere is left."""
    html = shown(source)
    kept = bleach.clean(html, tags={"div", "p", "a", "pre", "code", "img"}, attributes={"a": ["href"], "img": ["alt"]})
    assert kept.strip() == html.strip()
    assert "\\\\href" not in html
    assert 'href="java' not in html
    assert 'href="data' not in html


def test_ordinary_text() -> None:
    """Headings, emphasis, quotes, code, formulas and comparisons look as they were meant to."""
    html = shown("# Why\n\n> *Since* $a_1 < b_2$\n\n```\nif a < b && c:\n\n    pass\n```")
    assert "<h1>Why</h1>" in html
    assert "<blockquote>&#10;<p><em>Since</em> $a_1 &lt; b_2$</p>" in html
    assert "if a &lt; b &amp;&amp; c:&#10;&#10;    pass" in html


def test_pictures() -> None:
    """A picture that was pasted into the cell is shown; what is not a picture is not."""
    bundle = {"a.png": {"image/png": "aGk=\n"}, "b.svg": {"image/svg+xml": "<svg/>"}, "c.png": {"image/png": "no!"}}
    assert '<img src="data:image/png;base64,aGk=" alt="it">' in harmless("![it](attachment:a.png)", bundle)
    for name in ("b.svg", "c.png", "missing.png"):
        assert "<img" not in harmless(f"![it](attachment:{name})", bundle)


@settings(deadline=None)
@given(source=st.text(max_size=60) | st.lists(st.sampled_from(HOSTILE), max_size=3).map("\n\n".join))
def test_one_line(source: str) -> None:
    """Whatever the text, it is one block of HTML that Markdown leaves as it is."""
    html = harmless(source)
    assert "\n" not in html
    assert markdown2html(html).strip() == html
