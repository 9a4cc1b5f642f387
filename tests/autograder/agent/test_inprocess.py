"""The link in this process behaves as a message would, and the agent answers whatever is asked."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.agent.inprocess import InProcessLink
from autograder.faults import RaisedFault
from autograder.wire import fault_form, raised

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
OPS = ["lookup", "export", "call", "purity", "close_window", "value"]
REQUESTS = st.dictionaries(st.sampled_from(["name", "args", "kwargs", "jit", "window", "parameters"]), JSON)


class Echo:
    """An agent that answers with what it was asked."""

    def __init__(self):
        self.asked = []

    def handle(self, content, buffers):
        """Answers as it was asked, with forms that JSON does not have."""
        self.asked.append(content)
        return {"pair": (1, 2), 3: "three"}, list(buffers)


class Failing:
    """An agent that reports a fault of the student's."""

    def handle(self, content, buffers):
        """Reports that the name is not answered yet."""
        return fault_form(raised("unanswered")), []


def test_content_crosses_as_json():
    """Requests and answers are what JSON makes of them, and buffers cross as they are."""
    agent = Echo()
    answer = InProcessLink(agent).ask({"op": "echo", "pair": (1, 2)}, [b"raw"])
    assert agent.asked == [{"op": "echo", "pair": [1, 2]}]
    assert answer.content == {"pair": [1, 2], "3": "three"}
    assert answer.buffers == (b"raw",)


def test_fault_is_raised_with_the_name():
    """A fault in an answer is raised, and its sentence begins with the name that was asked for."""
    with pytest.raises(RaisedFault, match=r"^`tax` is not answered yet\.$"):
        InProcessLink(Failing()).ask({"op": "call", "name": "tax"})


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.sampled_from(OPS) | JSON, REQUESTS, st.lists(st.binary(max_size=8), max_size=2))
def test_any_request_is_answered(notebook, op, content, buffers):
    """No request makes the agent raise, and every answer is JSON."""
    answer, written = notebook.agent.handle({"op": op, **content}, buffers)
    json.dumps(answer)
    assert all(type(buffer) is bytes for buffer in written)
