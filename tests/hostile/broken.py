"""Submissions that were broken on their way: files as they arrive, and what must come of them.

Each has the right answers unless it cannot be graded at all. `files` may hold several; intake picks.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import nbformat

from autograder.records import Status
from tests.hostile.course import RIGHT, as_bytes, notebook

Document = dict[str, Any]
RESTORED = Status.GRADED_WITH_REPAIRS


@dataclass(frozen=True, slots=True)
class Broken:
    """One broken submission.

    Attributes:
        name: Unique among all.
        tries: One sentence on what had happened to it.
        files: What was handed in: bytes by name.
        status: How its evaluation ends.
        repairs: Kinds of repairs that are listed, exactly.
        checks: Outcomes of the checks that do not pass, where it is graded.
    """

    name: str
    tries: str
    files: Mapping[str, bytes]
    status: Status = RESTORED
    repairs: frozenset[str] = frozenset()
    checks: Mapping[str, str] | None = None


def broken() -> tuple[Broken, ...]:
    """Returns all of them."""
    return (*_changed(), *_files(), *_beyond_repair())


def _right() -> Document:
    document: Document = json.loads(as_bytes(notebook(RIGHT)))
    return document


def _as_file(document: object) -> bytes:
    text = json.dumps(document)
    return re.sub(r'"digits: (\d+)"', lambda found: "9" * int(found[1]), text).encode()


def _minor(number: int) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        document["nbformat_minor"] = number
        for cell in document["cells"]:
            cell.pop("id")

    return change


def _line_ends(sign: str) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        for cell in document["cells"]:
            cell["source"] = [line.replace("\n", sign) for line in cell["source"]]

    return change


def _edit(name: str, tries: str, change: Callable[[Document], object], *repairs: str, **more: Any) -> Broken:
    document = _right()
    change(document)
    found = frozenset(repairs)
    status = RESTORED if found else Status.GRADED
    return Broken(name, tries, {"trial.ipynb": _as_file(document)}, more.pop("status", status), found, **more)


def _changed() -> tuple[Broken, ...]:
    """Notebooks whose cells and metadata were changed."""

    def strip(document: Document) -> None:
        document["metadata"] = {}
        for cell in document["cells"]:
            cell["metadata"] = {}

    def duplicate(document: Document) -> None:
        document["cells"] += copy.deepcopy(document["cells"])

    def stub_at_the_end(document: Document) -> None:
        stub = copy.deepcopy(document["cells"][1])
        stub["source"] = "def halve(*arguments):\n    raise NotImplementedError\n"
        document["cells"].append(stub)

    def reorder(document: Document) -> None:
        document["cells"].reverse()

    def delete(document: Document) -> None:
        del document["cells"][4:]
        del document["cells"][0]

    def delete_answer(document: Document) -> None:
        del document["cells"][1]

    def lock_picked(document: Document) -> None:
        document["cells"][0]["source"] = "raise SystemExit"
        document["cells"][4]["source"] = "assert True"
        document["cells"][4]["metadata"]["nbgrader"] |= {"points": 1000, "locked": False}

    def rename_ids(document: Document) -> None:
        for number, cell in enumerate(document["cells"]):
            cell["metadata"]["nbgrader"]["grade_id"] = f"cell-{number}"
            cell["id"] = "same"

    def extra(document: Document) -> None:
        for place in (0, 3, 9):
            document["cells"].insert(
                place, {"cell_type": "markdown", "metadata": {}, "source": "# Notes", "id": f"n{place}"}
            )
        own = {
            "cell_type": "code",
            "metadata": {},
            "source": "scratch = 1",
            "outputs": [],
            "execution_count": 7,
            "id": "x",
        }
        document["cells"].insert(2, own)

    def more_grade_cells(document: Document) -> None:
        forged = copy.deepcopy(document["cells"][4])
        forged["metadata"]["nbgrader"] |= {"grade_id": "bonus", "points": 50}
        document["cells"].append(forged)

    def other_kernel(document: Document) -> None:
        document["metadata"] = {
            "kernelspec": {"name": "ir", "display_name": "R", "language": "R"},
            "language_info": {"name": "R"},
        }

    def widgets(document: Document) -> None:
        state = {"state": {"a": {"model_name": "SliderModel", "state": {"value": 3}}}, "version_major": 2}
        document["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": state}
        view = {"application/vnd.jupyter.widget-view+json": {"model_id": "a", "version_major": 2}}
        output = {"output_type": "display_data", "metadata": {}, "data": view}
        document["cells"][1]["outputs"] = [output]

    def attachments(document: Document) -> None:
        picture = {"x.png": {"image/png": "iVBORw0KGgo="}, "y": 3}
        cell = {
            "cell_type": "markdown",
            "metadata": {},
            "source": "![x](attachment:x.png)",
            "attachments": picture,
            "id": "a",
        }
        document["cells"].insert(0, cell)

    def hostile_html(document: Document) -> None:
        text = "<script>document.title='owned'</script><img src=x onerror=alert(1)>"
        document["cells"].insert(0, {"cell_type": "markdown", "metadata": {}, "source": text, "id": "h"})

    def hostile_outputs(document: Document) -> None:
        for cell in document["cells"]:
            cell["outputs"] = [
                {"output_type": "stream", "name": "stdout", "text": "10/10"},
                {"output_type": "nonsense"},
                3,
            ]
            cell["execution_count"] = "many"

    def text_cell(document: Document) -> None:
        document["cells"][1] |= {"cell_type": "markdown"}

    def version_3(document: Document) -> None:
        older = nbformat.convert(nbformat.reads(json.dumps(document), as_version=4), 3)
        document.clear()
        document.update(json.loads(nbformat.v3.writes_json(older)))

    def version_2(document: Document) -> None:
        version_3(document)
        document["nbformat"] = 2
        for cell in document["worksheets"][0]["cells"]:
            cell.pop("metadata", None)

    def odd_version(document: Document) -> None:
        document |= {"nbformat": "4", "nbformat_minor": None}

    def gigantic_numbers(document: Document) -> None:
        document["metadata"]["version"] = "digits: 100000"
        for cell in document["cells"]:
            cell["execution_count"] = "digits: 5000"
            cell["metadata"]["nbgrader"]["points"] = "digits: 4000"

    def nested_output(document: Document) -> None:
        data: object = "x"
        for _ in range(300):
            data = [data]
        shown = {"output_type": "display_data", "metadata": {}, "data": {"application/json": data}}
        document["cells"][1]["outputs"] = [shown]

    def odd_signs(document: Document) -> None:
        text = "mark = 'a\u2028b\ufeff\u00a0\U0001f980\ud800'  # \x0c\x1c\u0085 \x00"
        own = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": text, "id": "o"}
        document["cells"].insert(2, own)

    return (
        _edit("stripped_metadata", "Another editor dropped all metadata.", strip, "lost_metadata", "matched_answer"),
        _edit("duplicated_cells", "Every cell is there twice.", duplicate, "duplicated_cell"),
        _edit(
            "stub_after_the_answer", "A copy of the unanswered cell stands last.", stub_at_the_end, "duplicated_cell"
        ),
        _edit("reversed_cells", "The cells stand in the opposite order.", reorder, "moved_cell"),
        _edit("deleted_cells", "The set-up and all grade cells are gone.", delete, "added_cell"),
        _edit(
            "deleted_answer",
            "An answer cell is gone; the others count.",
            delete_answer,
            "missing_answer",
            checks={"numerics": "failed", "lowering": "failed", "compiles": "failed"},
        ),
        _edit(
            "changed_locked_cells",
            "Locked cells were rewritten and made worth 1000 points.",
            lock_picked,
            "restored_cell",
        ),
        _edit(
            "changed_ids",
            "Every grade_id was changed, and all cells have one id.",
            rename_ids,
            "lost_metadata",
            "matched_answer",
        ),
        _edit("extra_cells", "The student's own cells stand between the others.", extra),
        _edit("forged_grade_cell", "A further grade cell offers 50 points.", more_grade_cells),
        _edit("other_kernel", "The metadata name another language's kernel.", other_kernel, "other_kernel"),
        _edit("widgets", "Widgets and their state are saved in the notebook.", widgets),
        _edit("attachments", "Text cells hold pictures, one of them malformed.", attachments),
        _edit("hostile_html", "A text cell holds a script for whoever grades.", hostile_html),
        _edit("hostile_outputs", "Saved outputs claim marks, and are malformed.", hostile_outputs),
        _edit("answer_in_a_text_cell", "An answer cell was turned into a text cell.", text_cell, "retyped_cell"),
        _edit("format_3", "The notebook is of format 3.", version_3, "converted_format"),
        _edit(
            "format_2",
            "The notebook is of format 2, which knows no metadata of cells.",
            version_2,
            "converted_format",
            "lost_metadata",
            "matched_answer",
        ),
        _edit("format_4_0", "The notebook is of format 4.0, without ids.", _minor(0)),
        _edit("format_4_2", "The notebook is of format 4.2, without ids.", _minor(2)),
        _edit("format_4_99", "The notebook is of format 4.99, which is yet to come, without ids.", _minor(99)),
        _edit("format_as_text", "The number of the format is a text, and its minor part nothing.", odd_version),
        _edit("crlf", "Lines of cells end as on Windows.", _line_ends("\r\n")),
        _edit("cr", "Lines of cells end as on old Macs.", _line_ends("\r")),
        _edit("gigantic_numbers", "Numbers in the file have up to 100 000 digits.", gigantic_numbers),
        _edit("nested_output", "A saved output is nested 300 deep.", nested_output),
        _edit("odd_signs", "A cell holds separators of lines, half a character and a zero byte.", odd_signs),
    )


def _files() -> tuple[Broken, ...]:
    """Right notebooks under other names, twice, and in other encodings."""
    right = as_bytes(notebook(RIGHT))
    empty = as_bytes(notebook({}))
    accented = json.dumps(_right() | {"metadata": {"author": "Zoë"}}, ensure_ascii=False)
    return (
        Broken(
            "renamed",
            "The file has another name.",
            {"my työ (1) [final].ipynb": right},
            repairs=frozenset({"renamed_file"}),
        ),
        Broken(
            "renamed_json",
            "The file's name lost its ending.",
            {"trial.json": right},
            repairs=frozenset({"renamed_file"}),
        ),
        Broken(
            "in_a_folder",
            "The file lies in a folder.",
            {"work/trial.ipynb": right},
            repairs=frozenset({"renamed_file"}),
        ),
        Broken(
            "two_notebooks",
            "An empty notebook with the right name lies beside the answered one.",
            {"trial.ipynb": empty, "trial-Copy1.ipynb": right},
            repairs=frozenset({"renamed_file", "several_notebooks"}),
        ),
        Broken(
            "utf_16",
            "The file is UTF-16.",
            {"trial.ipynb": accented.encode("utf-16")},
            repairs=frozenset({"decoded_text"}),
        ),
        Broken(
            "with_a_bom",
            "The file begins with a byte order mark.",
            {"trial.ipynb": accented.encode("utf-8-sig")},
            repairs=frozenset({"decoded_text"}),
        ),
        Broken(
            "utf_16_without_a_mark",
            "The file is UTF-16 without a byte order mark, its lines end as on Windows.",
            {"trial.ipynb": accented.replace("\n", "\r\n").encode("utf-16-be")},
            repairs=frozenset({"decoded_text"}),
        ),
        Broken(
            "utf_32",
            "The file is UTF-32.",
            {"trial.ipynb": accented.encode("utf-32")},
            repairs=frozenset({"decoded_text"}),
        ),
        Broken(
            "mixed_encodings",
            "The file is UTF-8 but for one byte.",
            {"trial.ipynb": accented.encode().replace(b"Zo", b"\xe9o")},
            repairs=frozenset({"decoded_text"}),
        ),
        Broken(
            "crlf_file",
            "Lines of the file end as on Windows.",
            {"trial.ipynb": right.replace(b"\n", b"\r\n")},
            Status.GRADED,
        ),
        Broken(
            "cr_file",
            "Lines of the file end as on old Macs.",
            {"trial.ipynb": right.replace(b"\n", b"\r")},
            Status.GRADED,
        ),
        Broken(
            "latin_1",
            "The file is Latin-1.",
            {"trial.ipynb": accented.encode("latin-1")},
            repairs=frozenset({"decoded_text"}),
        ),
    )


def _beyond_repair() -> tuple[Broken, ...]:
    """What no one can grade: it waits for a person, and has no zero."""
    right = as_bytes(notebook(RIGHT))
    other = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}).encode()
    wanted = {
        "nothing": ("Nothing was handed in.", {}),
        "empty_file": ("The file is empty.", {"trial.ipynb": b""}),
        "cut_off": ("The upload was cut off.", {"trial.ipynb": right[: len(right) // 2]}),
        "picture": ("It is a photograph.", {"trial.ipynb": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40}),
        "web_page": ("It is a web page that was saved.", {"trial.ipynb": b"<!DOCTYPE html><title>JupyterLab</title>"}),
        "nested": ("It is nested 200 000 deep.", {"trial.ipynb": b"[" * 200_000}),
        "nested_metadata": (
            "Metadata of a whole notebook are nested 200 000 deep.",
            {
                "trial.ipynb": right.replace(
                    b'"metadata": {', b'"metadata": {"a": ' + b"[" * 200_000 + b"]" * 200_000 + b", ", 1
                )
            },
        ),
        "many_values": ("It holds millions of values.", {"trial.ipynb": b'{"cells": [' + b"{}," * 3_000_000 + b"{}]}"}),
        "other_assignment": ("It is a notebook without any cell of the assignment.", {"trial.ipynb": other}),
    }
    return tuple(Broken(name, tries, files, Status.NOT_GRADABLE) for name, (tries, files) in wanted.items())
