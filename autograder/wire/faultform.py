"""A failure crosses as an answer with the key `fault`, and is raised again on the side that asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograder.faults import Fault, RaisedFault, StudentFault
from autograder.wire.reading import refuse
from autograder.wire.writing import clean

_TEXTS = ("whose", "type", "message", "remedy", "detail", "cell")
_LIMIT = 4000


def fault_form(fault: Fault) -> dict[str, Any]:
    """Writes a fault as the content of an answer."""
    facts: dict[str, Any] = {
        "whose": "student" if isinstance(fault, StudentFault) else "program",
        "type": getattr(fault, "type", ""),
        "message": fault.message,
        "remedy": fault.remedy,
        "detail": fault.detail,
        "cell": getattr(fault, "cell", ""),
    }
    texts = {key: clean(facts[key], _LIMIT) for key in facts}
    line = getattr(fault, "line", 0)
    return {"fault": texts | {"line": line if type(line) is int else 0}}


def check_fault(content: Mapping[str, Any]) -> None:
    """Raises the fault that an answer reports; does nothing when it reports none.

    Args:
        content: The answer's JSON object, unread so far.

    Raises:
        RaisedFault: The student's code is at fault.
        Fault: The agent could not read the request.
        TamperFault: The report is not of the form that `fault_form` writes.
    """
    if "fault" not in content:
        return
    form = content["fault"]
    if type(form) is not dict or set(form) != {*_TEXTS, "line"}:
        refuse("a malformed fault")
    if not all(type(form[key]) is str and len(form[key]) <= _LIMIT + 3 for key in _TEXTS):
        refuse("a malformed fault")
    if type(form["line"]) is not int or not 0 <= form["line"] < 2**31:
        refuse("a malformed fault")
    if form["whose"] == "program":
        raise Fault(form["message"], remedy=form["remedy"], detail=form["detail"])
    if form["whose"] != "student":
        refuse("a fault of nobody")
    facts = {key: form[key] for key in ("type", "cell", "line", "remedy", "detail")}
    raise RaisedFault(form["message"], **facts)
