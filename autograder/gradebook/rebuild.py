"""The notebook that gets graded: the released one, with the student's words put back where they belong.

Which cells there are, what they are worth and what they check is the release's alone; a cell that was duplicated,
deleted, edited or stripped of its metadata in the student's copy changes nothing about that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.gradebook.notebook import Cell, to_node
from autograder.gradebook.stamp import KEY, Stamp

UNREAD = "*(No answer could be read; see the note at the top. The file itself lies among what was handed in.)*"
ELSEWHERE = "*(This answer's cell was not in the notebook handed in. The student's own cells are shown around it.)*"


@dataclass
class _Sorted:
    """The student's cells by where they go; positions are those of the release's cells, -1 is before the first."""

    answers: dict[int, list[Cell]] = field(default_factory=dict)
    edited: dict[int, Cell] = field(default_factory=dict)
    extras: dict[int, list[Cell]] = field(default_factory=dict)


def rebuild(release: NotebookNode, handed_in: list[Cell], stamp: Stamp) -> NotebookNode:
    """A new notebook from the release's cells, the student's answers and the student's own cells where they stood."""
    student = _sort(release.cells, handed_in)
    wrote_elsewhere = any(cell.kind == "markdown" for cells in student.extras.values() for cell in cells)
    cells: list[NotebookNode] = []
    if stamp.note:
        text = f"**About the notebook you handed in.** {stamp.note}"
        cells.append(nbformat.v4.new_markdown_cell(text, id="intake-note"))

    def add_own(own: Iterable[Cell]) -> None:
        for cell in own:
            cells.append(to_node(cell, f"student-{len(cells)}"))

    add_own(student.extras.get(-1, []))
    for position, original in enumerate(release.cells):
        node: Any = nbformat.from_dict(original)
        others: list[Cell] = []
        if _is_answer(node):
            if stamp.state == "unreadable":
                node.source = UNREAD
            elif position in student.answers:
                answer, others = _choose(student.answers[position], node.source)
                node.source = answer.source
                if answer.attachments:
                    node["attachments"] = answer.attachments
            elif wrote_elsewhere:
                node.source = ELSEWHERE
        elif position in student.edited:
            node.source = student.edited[position].source
        if node.cell_type == "code":
            node.outputs, node.execution_count = [], None
        cells.append(node)
        add_own(others)
        add_own(student.extras.get(position, []))
    result = nbformat.v4.new_notebook(metadata={**release.metadata, KEY: stamp.as_metadata()})
    result.cells = cells
    return result


def _sort(release: list[NotebookNode], handed_in: list[Cell]) -> _Sorted:
    marked = {node.metadata.nbgrader.grade_id: at for at, node in enumerate(release) if "nbgrader" in node.metadata}
    plain = [at for at, node in enumerate(release) if "nbgrader" not in node.metadata]
    by_text = {release[at].source.strip(): at for at in plain}
    by_id = {release[at].get("id"): at for at in plain}
    result, anchor = _Sorted(), -1
    for cell in handed_in:
        text = cell.source.strip()
        if cell.grade_id in marked:
            anchor = marked[cell.grade_id]
            if _is_answer(release[anchor]):
                result.answers.setdefault(anchor, []).append(cell)
        elif text in by_text:
            anchor = by_text[text]
        elif not text:
            continue
        elif cell.cell_id in by_id and cell.kind == release[by_id[cell.cell_id]].cell_type:
            # A cell of ours that the student wrote into, a prediction for instance.
            anchor = by_id[cell.cell_id]
            result.edited[anchor] = cell
        else:
            result.extras.setdefault(anchor, []).append(cell)
    return result


def _choose(answers: list[Cell], placeholder: str) -> tuple[Cell, list[Cell]]:
    """The answer that counts, the last one that says something, and the others, to be shown to the marker too."""
    written = [cell for cell in answers if cell.source.strip() not in ("", placeholder.strip())]
    return (written[-1], written[:-1]) if written else (answers[-1], [])


def _is_answer(node: NotebookNode) -> bool:
    return bool(node.metadata.get("nbgrader", {}).get("solution"))
