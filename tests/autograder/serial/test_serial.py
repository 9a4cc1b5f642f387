"""An evaluation as JSON: read strictly, by the schema that documents it."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from autograder import records, serial
from autograder.records import (
    CheckResult,
    Environment,
    Evaluation,
    LimitHit,
    Outcome,
    Repair,
    Status,
    TestResult,
)

TESTS = (
    TestResult("test_a[ü]", "It is right.", Outcome.PASSED, 1.0),
    TestResult("test_b", "It is fast.", Outcome.FAILED, 0.5, "Two\nlines <b>.", "Try.", "the student's work"),
)
EVALUATION = Evaluation(
    assignment="newton_sqrt",
    student='Zoë 数 "q"',
    status=Status.GRADED_WITH_REPAIRS,
    reason="",
    score=2.0,
    max_score=8.0,
    pending=("lowering",),
    checks=(
        CheckResult("numerics", Outcome.PARTIAL, 2.0, 3.0, TESTS),
        CheckResult("lowering", Outcome.NOT_GRADABLE, None, 5.0, ()),
    ),
    repairs=(Repair("restored_cell", "numerics", "It was changed."),),
    limits=(LimitHit("memory", "cell 3", "It took too much."),),
    environment=Environment("0.1.0", "3.11.7", "0.10.2", "0.10.2", "2.4.6", "bubblewrap"),
    digest="ab" * 32,
)


def changed(change: Callable[[dict[str, Any]], Any]) -> str:
    """Returns the evaluation as JSON with a change."""
    data = json.loads(serial.to_json(EVALUATION))
    change(data)
    return json.dumps(data)


def test_round_trip() -> None:
    """What is written is read back equal."""
    assert serial.from_json(serial.to_json(EVALUATION)) == EVALUATION


def test_same_bytes() -> None:
    """Equal evaluations give equal bytes, also after a round trip."""
    text = serial.to_json(EVALUATION)
    assert serial.to_json(serial.from_json(text)) == text
    assert text.endswith("}\n")


def test_what_is_written_fits_the_schema() -> None:
    """The documented schema is a valid one, and an independent validator accepts what is written."""
    jsonschema.Draft202012Validator.check_schema(serial.schema())
    jsonschema.Draft202012Validator(serial.schema()).validate(json.loads(serial.to_json(EVALUATION)))


@pytest.mark.parametrize(
    ("record", "path"),
    [
        (records.Evaluation, ()),
        (records.CheckResult, ("$defs", "check")),
        (records.TestResult, ("$defs", "test")),
        (records.Repair, ("$defs", "repair")),
        (records.LimitHit, ("$defs", "limit")),
        (records.Environment, ("$defs", "environment")),
    ],
)
def test_schema_names_every_field(record: Any, path: tuple[str, ...]) -> None:
    """The schema requires exactly the fields of the records, and nothing else may stand there."""
    part = serial.schema()
    for key in path:
        part = part[key]
    fields = {field.name for field in dataclasses.fields(record)}
    assert set(part["properties"]) == set(part["required"]) == fields
    assert part["additionalProperties"] is False


@pytest.mark.parametrize("outcome", Outcome)
def test_schema_knows_every_outcome(outcome: Outcome) -> None:
    """Every outcome of a check is in the schema."""
    assert outcome.value in serial.schema()["$defs"]["check"]["properties"]["outcome"]["enum"]


@pytest.mark.parametrize("status", Status)
def test_schema_knows_every_status(status: Status) -> None:
    """Every status is in the schema."""
    assert status.value in serial.schema()["properties"]["status"]["enum"]


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.pop("digest"),
        lambda d: d.update(extra=1),
        lambda d: d.update(schema_version=2),
        lambda d: d.update(status="fine"),
        lambda d: d.update(score="2"),
        lambda d: d.update(score=True),
        lambda d: d.update(score=-1),
        lambda d: d.update(pending=[]),
        lambda d: d.update(pending=["lowering", "lowering"]),
        lambda d: d.update(checks={}),
        lambda d: d["checks"][0].update(points=None),
        lambda d: d["checks"][1].update(points=0),
        lambda d: d["checks"][0]["tests"][0].update(outcome="partial"),
        lambda d: d["checks"][0]["tests"][0].update(weight=0),
        lambda d: d["checks"][0]["tests"][0].update(whose="nobody"),
        lambda d: d["limits"][0].update(cause="bad luck"),
        lambda d: d["environment"].update(sandbox="docker"),
    ],
)
def test_anything_else_is_refused(change: Callable[[dict[str, Any]], Any]) -> None:
    """A file that is not exactly an evaluation is not read as one."""
    with pytest.raises(ValueError, match="no evaluation"):
        serial.from_json(changed(change))


@pytest.mark.parametrize("text", ["", "{", "null", "[]", "NaN", serial.to_json(EVALUATION)[:-40]])
def test_half_a_file_is_refused(text: str) -> None:
    """What is no JSON object, or only the beginning of one, is refused."""
    with pytest.raises(ValueError):  # noqa: PT011  # the words are those of the JSON library
        serial.from_json(text)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_json_does_not_have_are_refused(number: str) -> None:
    """Python's own extensions of JSON are neither written nor read."""
    with pytest.raises(ValueError, match=number):
        serial.from_json(serial.to_json(EVALUATION).replace('"score": 2.0', f'"score": {number}'))
    with pytest.raises(ValueError, match="JSON compliant"):
        serial.to_json(dataclasses.replace(EVALUATION, score=float(number)))


def test_schema_is_a_fresh_copy() -> None:
    """Whoever changes the schema that they got changes nobody else's."""
    serial.schema()["properties"].clear()
    assert serial.schema()["properties"]
