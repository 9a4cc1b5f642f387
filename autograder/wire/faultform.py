"""A failure crosses as an answer with the key `fault`, and is raised again on the side that asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograder.faults import Fault, RaisedFault
from autograder.wire.reading import refuse
from autograder.wire.sentences import REASONS, raised
from autograder.wire.writing import clean

_LIMIT = 4000
_LAST_LINE = 1_000_000


def fault_form(fault: Fault) -> dict[str, Any]:
    """Writes a fault as the content of an answer: facts, of which the reader makes sentences."""
    if not isinstance(fault, RaisedFault):
        return {"fault": {"whose": "program", "detail": clean(f"{fault.message} {fault.detail}".strip(), _LIMIT)}}
    texts = {"reason": fault.reason, "type": fault.type, "cell": fault.cell, "detail": fault.detail}
    form = {key: clean(text, _LIMIT) for key, text in texts.items()}
    return {"fault": {"whose": "student", **form, "line": fault.line}}


def check_fault(content: Mapping[str, Any], *, name: str = "") -> None:
    """Raises the fault that an answer reports; does nothing when it reports none.

    Args:
        content: The answer's JSON object, unread so far.
        name: The student's name that was asked for, to begin the sentence with.

    Raises:
        RaisedFault: The student's code is at fault.
        Fault: The agent could not read the request.
        TamperFault: The report is not of the form that `fault_form` writes.
    """
    if "fault" not in content:
        return
    form = content["fault"]
    if type(form) is not dict:
        refuse("a malformed fault")
    detail = _text(form, "detail")
    if form.get("whose") == "program":
        raise Fault("The agent could not carry out a request.", detail=detail)
    reason, line = _text(form, "reason") or "raised", form.get("line", 0)
    if form.get("whose") != "student" or reason not in REASONS:
        refuse("a fault of nobody")
    if type(line) is not int or not 0 <= line <= _LAST_LINE:
        refuse("a malformed fault")
    facts = {"type": _text(form, "type")[:100], "cell": _text(form, "cell"), "detail": detail}
    raise raised(reason, name=name, line=line, **facts)


def _text(form: dict[str, Any], key: str) -> str:
    """Returns a text of a fault, empty when it is missing."""
    text = form.get(key, "")
    if type(text) is not str or len(text) > _LIMIT + 3:
        refuse("a malformed fault")
    return text
