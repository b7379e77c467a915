"""A notebook that nobody vouches for, reduced to what grading needs: its cells' texts and which cell is which.

Nothing else of the file survives: no outputs, no metadata, no versions. Whatever cannot be understood is left out.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, Literal

import nbformat
from nbformat import NotebookNode

from autograder.judge.safe_text import plain

CELL_LIMIT = 200_000  # characters of one cell; a written answer is a thousandth of it
CELLS_LIMIT = 2_000
PICTURES = {"image/png", "image/jpeg", "image/gif", "image/webp"}
_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")

Kind = Literal["code", "markdown"]


class Unreadable(Exception):
    """The file is not a notebook; the message ends the sentence "part4.ipynb ..."."""


@dataclass(frozen=True)
class Cell:
    """One cell as handed in; raw cells count as code, so that they are shown as they are written."""

    kind: Kind
    source: str
    grade_id: str | None = None
    cell_id: str | None = None
    attachments: dict[str, dict[str, str]] = field(default_factory=dict)


def read_cells(data: bytes) -> list[Cell]:
    """The cells of a notebook file of any nbformat; raises Unreadable when it is not a notebook at all."""
    try:
        document = json.loads(data)
    except RecursionError:
        raise Unreadable("is nested too deeply to be a notebook") from None
    except (ValueError, UnicodeDecodeError):
        raise Unreadable("is damaged (it is not JSON)") from None
    if not isinstance(document, dict):
        raise Unreadable("is not a notebook")
    cells = document.get("cells")
    if cells is None and isinstance(document.get("worksheets"), list):
        cells = _from_worksheets(document["worksheets"])
    if not isinstance(cells, list):
        raise Unreadable("is not a notebook (it has no cells)")
    return [cell for cell in map(_cell, cells[:CELLS_LIMIT]) if cell is not None]


def to_notebook(cells: list[Cell], metadata: dict[str, Any]) -> NotebookNode:
    """A valid notebook of the current format that holds these cells, for nbgrader to open."""
    notebook = nbformat.v4.new_notebook(metadata=metadata)
    for number, cell in enumerate(cells):
        node = to_node(cell, f"cell-{number}")
        if cell.cell_id:
            node.metadata["was"] = cell.cell_id
        if cell.grade_id:
            node.metadata["grade_id"] = cell.grade_id
        notebook.cells.append(node)
    return notebook


def from_notebook(notebook: NotebookNode) -> list[Cell]:
    """The cells that to_notebook wrote."""
    return [
        Cell(
            kind="markdown" if node.cell_type == "markdown" else "code",
            source=node.source,
            grade_id=node.metadata.get("grade_id"),
            cell_id=node.metadata.get("was"),
            attachments=node.get("attachments", {}),
        )
        for node in notebook.cells
    ]


def to_node(cell: Cell, cell_id: str) -> NotebookNode:
    """One cell as nbformat writes it, without outputs and with no metadata but ours."""
    if cell.kind == "code":
        return nbformat.v4.new_code_cell(source=cell.source, id=cell_id)
    node = nbformat.v4.new_markdown_cell(source=cell.source, id=cell_id)
    if cell.attachments:
        node["attachments"] = cell.attachments
    return node


def _cell(raw: Any) -> Cell | None:
    if not isinstance(raw, dict):
        return None
    source = raw.get("source", raw.get("input", ""))
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    if not isinstance(source, str):
        return None
    metadata = raw.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    return Cell(
        kind="markdown" if raw.get("cell_type") in ("markdown", "heading") else "code",
        source=visible(source, CELL_LIMIT),
        grade_id=_name(nbgrader.get("grade_id")) if isinstance(nbgrader, dict) else None,
        cell_id=_name(raw.get("id")),
        attachments=_attachments(raw.get("attachments")),
    )


def visible(text: str, limit: int) -> str:
    """`text` with its lines and tabs kept and every other invisible character written out, cut after `limit`.

    (plain() is for sentences: it makes one line of everything.)
    """
    shown = "".join(map(_shown, text[:limit].replace("\r\n", "\n").replace("\r", "\n")))
    return f"{shown}\n[cut here: the cell is too long]" if len(text) > limit else shown


def _shown(character: str) -> str:
    # Ordinary text is the fast path; plain() knows which characters hide.
    if character in " \n\t" or character.isalnum() or (character.isascii() and character.isprintable()):
        return character
    return plain(character) or " "


def _name(value: Any) -> str | None:
    return plain(value, 200) if isinstance(value, str) and value else None


def _attachments(raw: Any) -> dict[str, dict[str, str]]:
    """Only pictures, and only what is really base64: the text ends up inside an attribute of a page."""
    if not isinstance(raw, dict):
        return {}
    kept: dict[str, dict[str, str]] = {}
    for name, forms in raw.items():
        pictures = {
            mime: "".join(body.split())
            for mime, body in (forms.items() if isinstance(forms, dict) else ())
            if mime in PICTURES and isinstance(body, str) and _BASE64.fullmatch(body)
        }
        if pictures:
            kept[plain(name, 200)] = pictures
    return kept


def _from_worksheets(worksheets: list[Any]) -> list[Any]:
    """nbformat 3 kept its cells on sheets, and a code cell's text under "input" (see _cell)."""
    sheets = [sheet.get("cells") for sheet in worksheets if isinstance(sheet, dict)]
    return [cell for cells in sheets if isinstance(cells, list) for cell in cells]
