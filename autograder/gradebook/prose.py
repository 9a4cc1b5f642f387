"""A student's text cells, made safe to show.

nbgrader's pages put the HTML that a text cell holds before whoever grades, with all that this person may do: a script
in an answer could give itself marks. So what a student wrote is rendered here, and only harmless HTML of it is kept.
"""

from __future__ import annotations

import base64
import binascii
from contextlib import suppress
from html import escape

import bleach
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

TAGS = {"a", "blockquote", "br", "code", "dd", "del", "div", "dl", "dt", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr"}
TAGS |= {"img", "li", "ol", "p", "pre", "span", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul"}
PICTURES = frozenset({"image/png", "image/jpeg", "image/gif"})
LINKS = ("http://", "https://", "mailto:", "#")
PROTOCOLS = frozenset({"http", "https", "mailto", "data"})
LONGEST = 100_000
"""Characters of a text that is rendered; a longer one is shown as it was typed."""


def harmless(source: str, attachments: object = None) -> str:
    """Returns a text cell's source as one line of HTML, which is Markdown for itself.

    Args:
        source: Markdown of a student's.
        attachments: The cell's pictures, as notebooks hold them; of any form.
    """
    html = f"<pre>{escape(source)}</pre>"
    if len(source) <= LONGEST:
        pictures = _pictures(attachments)
        renderer = IPythonRenderer(True, False, exclude_anchor_links=True, attachments=pictures)
        with suppress(Exception):  # on a missing picture or hostile text the parsers may fail in any way
            rendered = MarkdownWithMath(renderer=renderer).render(source)
            html = bleach.clean(rendered, tags=TAGS, attributes=_is_harmless, protocols=PROTOCOLS)
    html = html.replace("\\href", "href")  # in a formula it makes a link to a script
    # A blank line would end the HTML, and what follows it would be read as Markdown once more.
    return "<div>" + html.strip().replace("\r", "").replace("\n", "&#10;") + "</div>"


def _is_harmless(tag: str, name: str, value: str) -> bool:
    """Whether an attribute is kept: links to pages, and the pictures of the cell itself."""
    match tag, name:
        case "a", "href":
            return value.startswith(LINKS)
        case "img", "src":
            return value.startswith(tuple(f"data:{mime};base64," for mime in PICTURES))
        case "img", "alt":
            return True
    return False


def _pictures(attachments: object) -> dict[str, dict[str, str]]:
    pictures = {}
    for name, bundle in attachments.items() if isinstance(attachments, dict) else []:
        for mime, data in bundle.items() if isinstance(bundle, dict) else []:
            if mime in PICTURES and isinstance(data, str) and _is_base64(data):
                pictures[name] = {mime: "".join(data.split())}
    return pictures


def _is_base64(data: str) -> bool:
    try:
        base64.b64decode("".join(data.split()), validate=True)
    except (binascii.Error, ValueError):
        return False
    return True
