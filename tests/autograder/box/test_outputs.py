"""Outputs of a cell are kept as a notebook keeps them, bounded, and nothing that a kernel sends can break them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.box.outputs import TRUNCATED, Outputs


def message(kind: str, **content: Any) -> dict[str, Any]:
    """A message of the output channel."""
    return {"msg_type": kind, "header": {"msg_type": kind}, "content": content}


def stream(text: str, name: str = "stdout") -> dict[str, Any]:
    """A message with printed text."""
    return message("stream", name=name, text=text)


def display(text: str, name: str | None = None) -> dict[str, Any]:
    """A message that shows something, under a name if it has one."""
    transient = {"display_id": name} if name else {}
    return message("display_data", data={"text/plain": text}, metadata={}, transient=transient)


def taken(*messages: dict[str, Any], room: int = 10_000) -> Outputs:
    """Takes messages in turn."""
    outputs = Outputs(room)
    for each in messages:
        outputs.take(each)
    return outputs


def test_printed_text_is_joined() -> None:
    """Text on one stream is one output until something else comes between."""
    outputs = taken(stream("a"), stream("b"), stream("c", "stderr"), stream("d"))

    assert [(node["name"], node["text"]) for node in outputs.nodes] == [
        ("stdout", "ab"),
        ("stderr", "c"),
        ("stdout", "d"),
    ]
    assert outputs.stdout == "abd"


def test_clear_output_clears() -> None:
    """Clearing takes effect at once, or with the next output when it is to wait for it."""
    assert taken(stream("a"), message("clear_output", wait=False)).nodes == []
    assert taken(stream("a"), message("clear_output", wait=True)).stdout == "a"
    assert taken(stream("a"), message("clear_output", wait=True), stream("b")).stdout == "b"


def test_display_is_updated() -> None:
    """An update replaces what the display of that name shows."""
    update = display("new", "d") | {"msg_type": "update_display_data"}

    assert taken(display("old", "d"), update).nodes[0]["data"] == {"text/plain": "new"}
    assert taken(display("old", "other"), update).nodes[0]["data"] == {"text/plain": "old"}


def test_long_output_is_cut() -> None:
    """What is kept is bounded, and a last line says that there was more."""
    outputs = taken(*[stream("x" * 400) for _ in range(100)], room=1000)

    assert 500 < len(outputs.stdout) < 1500
    assert outputs.nodes[-1]["text"] == TRUNCATED
    assert len(taken(stream("x" * 10**6), room=1000).stdout) == 1000


def test_large_figure_is_left_out() -> None:
    """A display that does not fit is left out as a whole."""
    assert [node.get("text") for node in taken(display("x" * 2000), room=1000).nodes] == [TRUNCATED]


@pytest.mark.parametrize(
    "hostile",
    [
        {},
        {"msg_type": "stream", "content": None},
        message("stream", name="stdout"),
        message("stream", name="stdout", text=7),
        message("stream", name=["stdout"], text="x"),
        message("display_data", data=[1], metadata={}),
        message("display_data", data={"text/plain": object()}, metadata={}),
        message("update_display_data", data={}, metadata={}, transient=[]),
        message("error", ename=1, evalue=2, traceback="x"),
        message("execute_result", data={}, metadata={}, execution_count="many"),
        message("unheard_of", data={}),
    ],
)
def test_malformed_output_is_left_out(hostile: dict[str, Any]) -> None:
    """An output that is not well formed is left out, and the next one is taken."""
    assert taken(hostile, stream("after")).stdout == "after"
    assert len(taken(hostile, stream("after")).nodes) == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KINDS = st.sampled_from(["stream", "display_data", "execute_result", "error", "clear_output", "update_display_data"])
KEYS = st.sampled_from(["name", "text", "data", "metadata", "transient", "ename", "evalue", "traceback", "wait"])


@given(KINDS, st.dictionaries(KEYS, JSON))
def test_no_content_raises(kind: str, content: dict[str, Any]) -> None:
    """Whatever JSON a message holds, taking it does not raise."""
    taken(message(kind, **content), message(kind, **content))
