"""Gathers the outputs of a cell as notebook nodes, bounded and checked: they come from a hostile kernel."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import output_from_msg
from nbformat.validator import ValidationError, validate

CELL_BYTES = 2**20
"""How much of a cell's output is kept."""

TRUNCATED = "\n[The rest of this cell's output is not kept: it is too long.]\n"
_KINDS = frozenset({"stream", "display_data", "execute_result", "error"})


class Outputs:
    """The outputs of one cell, in the order in which they came.

    Args:
        room: Bytes that are kept.
    """

    def __init__(self, room: int = CELL_BYTES) -> None:
        self._room = room
        self._full = False
        self._clear_next = False
        self._displays: dict[str, list[NotebookNode]] = {}
        self.nodes: list[NotebookNode] = []

    @property
    def stdout(self) -> str:
        """What was printed."""
        return "".join(node["text"] for node in self.nodes if node.get("name") == "stdout")

    def take(self, message: Mapping[str, Any]) -> None:
        """Adds the output that a message of the output channel holds; one that is not well formed is left out."""
        kind, content = message.get("msg_type"), message.get("content")
        if not isinstance(content, dict) or self._full:
            return
        if kind == "clear_output":
            self._clear_next = True
            if not content.get("wait"):
                self._clear()
        elif kind == "update_display_data":
            self._update(content)
        elif kind in _KINDS:
            self._add(message, content)

    def _add(self, message: Mapping[str, Any], content: dict[str, Any]) -> None:
        try:
            size = len(json.dumps(content))
            if message["msg_type"] == "stream" and size > self._room:
                content["text"] = content["text"][: self._room]
            elif size > self._room:
                self._close()
                return
            node = output_from_msg(message)
            validate(node, ref="output", version=4, version_minor=5)
        except (ValidationError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return
        if self._clear_next:
            self._clear()
        self._room -= size
        last = self.nodes[-1] if self.nodes else {}
        if node["output_type"] == "stream" and last.get("name") == node["name"]:
            last["text"] += node["text"]
        else:
            self.nodes.append(node)
            self._name(node, content)
        if self._room < 0:
            self._close()

    def _name(self, node: NotebookNode, content: Mapping[str, Any]) -> None:
        transient = content.get("transient")
        name = transient.get("display_id") if isinstance(transient, dict) else None
        if isinstance(name, str):
            self._displays.setdefault(name, []).append(node)

    def _update(self, content: dict[str, Any]) -> None:
        """Replaces what a display shows, within this cell."""
        transient = content.get("transient")
        name = transient.get("display_id") if isinstance(transient, dict) else None
        try:
            size = len(json.dumps(content))
            kind = {"msg_type": "display_data"}
            fresh = output_from_msg({**kind, "header": kind, "content": content})
            validate(fresh, ref="output", version=4, version_minor=5)
        except (ValidationError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return
        self._room -= size
        if self._room < 0:
            self._close()
        elif isinstance(name, str):
            for node in self._displays.get(name, []):
                node["data"], node["metadata"] = fresh["data"], fresh["metadata"]

    def _clear(self) -> None:
        self.nodes.clear()
        self._displays.clear()
        self._clear_next = False

    def _close(self) -> None:
        self._full = True
        self.nodes.append(NotebookNode(output_type="stream", name="stderr", text=TRUNCATED))
