"""An evaluation as JSON and back, by the schema in `evaluation.schema.json`; equal evaluations give equal bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from typing import Any, NoReturn

import fastjsonschema

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


def schema() -> dict[str, Any]:
    """Returns the JSON Schema (draft 2020-12) of an evaluation, a fresh copy."""
    text = files("autograder").joinpath("evaluation.schema.json").read_text(encoding="utf-8")
    return json.loads(text)  # type: ignore[no-any-return]


def to_json(evaluation: Evaluation) -> str:
    """Writes an evaluation: two spaces of indentation, keys in the order of the records, a newline at the end.

    Raises:
        ValueError: A number in it is not finite, which JSON cannot say.
    """
    return json.dumps(asdict(evaluation), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def from_json(text: str) -> Evaluation:
    """Reads an evaluation strictly.

    Raises:
        ValueError: The text is no JSON, or not of the schema's form, or contradicts itself; it says where.
    """
    data = json.loads(text, parse_constant=_refuse)
    try:
        _validator()(data)
    except fastjsonschema.JsonSchemaValueException as error:
        raise ValueError(f"This is no evaluation: {error.message}.") from error
    evaluation = _evaluation(data)
    waiting = tuple(check.grade_id for check in evaluation.checks if check.points is None)
    if evaluation.pending != waiting:
        raise ValueError("This is no evaluation: its pending checks are not those without points.")
    return evaluation


def _evaluation(data: Mapping[str, Any]) -> Evaluation:
    parts = {
        "status": Status(data["status"]),
        "pending": tuple(data["pending"]),
        "checks": tuple(_check(check) for check in data["checks"]),
        "repairs": tuple(Repair(**repair) for repair in data["repairs"]),
        "limits": tuple(LimitHit(**limit) for limit in data["limits"]),
        "environment": Environment(**data["environment"]),
    }
    return Evaluation(**{**data, **parts})


def _check(data: Mapping[str, Any]) -> CheckResult:
    tests = tuple(TestResult(**{**test, "outcome": Outcome(test["outcome"])}) for test in data["tests"])
    return CheckResult(**{**data, "outcome": Outcome(data["outcome"]), "tests": tests})


@cache
def _validator() -> Any:
    # the library knows drafts up to 7; all that the schema uses means the same there
    return fastjsonschema.compile(schema() | {"$schema": "http://json-schema.org/draft-07/schema#"})


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"This is no evaluation: {constant} is no number of JSON.")
