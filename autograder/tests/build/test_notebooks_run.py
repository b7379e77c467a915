"""Every part's notebook runs from top to bottom in the folder that students get, as a stub and as worked solution.

The kernel is this environment's own, and can import nothing of the project but what stands in the folder. Two parts run
by default, all of them with `pytest -m slow`.
"""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from autograder.build.assignment import part_files
from autograder.course.code import worked_solution
from autograder.course.manifest import Part, find_root, load_course

COURSE = load_course(find_root(Path(__file__).parent))
ALWAYS = {"part4", "part7"}
PARTS = [
    pytest.param(part, id=part.id, marks=() if part.id in ALWAYS else pytest.mark.slow) for part in COURSE.written_parts
]
SHUT_OUT = 'import sys\nsys.modules["autograder"] = None'  # students have nothing of this repository
UNANSWERED = "(You had not put down what you expected.)"
CHECK = re.compile(r'check\("(?P<task>[\d.]+)"\)')


@pytest.fixture(autouse=True)
def a_students_jupyter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nobody's own kernels, start-up files or pytest options."""
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "1")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    for name in ("PYTEST_ADDOPTS", "PYTHONPATH", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


def execute(part: Part, folder: Path, files: dict[str, bytes]) -> nbformat.NotebookNode:
    """The part's notebook after all its cells have run in a folder of these files; a cell that fails raises."""
    folder.mkdir()
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    notebook = nbformat.read(folder / f"{part.notebook}.ipynb", as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(SHUT_OUT))
    NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    ).execute()
    return notebook


def said(cell: nbformat.NotebookNode) -> str:
    """Everything that a code cell printed or showed, as text."""
    texts = [output.get("text", "") or output.get("data", {}).get("text/plain", "") for output in cell.outputs]
    return "".join(texts)


def checks(notebook: nbformat.NotebookNode) -> dict[str, str]:
    """What each check cell said, by task."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return {found["task"]: said(cell) for cell in code if (found := CHECK.fullmatch(cell.source.strip()))}


def elsewhere(notebook: nbformat.NotebookNode) -> str:
    """What all other cells said."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return "\n".join(said(cell) for cell in code if not CHECK.fullmatch(cell.source.strip()))


@pytest.mark.parametrize("part", PARTS)
def test_on_the_worked_solution_it_runs_and_every_check_says_done(part: Part, tmp_path: Path) -> None:
    notebook = execute(part, tmp_path / part.id, part_files(COURSE, part) | worked_solution(COURSE, part))
    found = checks(notebook)
    assert list(found) == [task.id for task in part.tasks]
    for task in part.tasks:
        assert re.search(rf"^\s*{task.id} .* done ", found[task.id], re.MULTILINE), found[task.id]
    assert "still to do" not in elsewhere(notebook)
    predictions = sum(cell.source.count("guess = predict(") for cell in notebook.cells if cell.cell_type == "code")
    assert elsewhere(notebook).count(UNANSWERED) == predictions, "every prediction meets its outcome"


@pytest.mark.parametrize("part", PARTS)
def test_on_the_stub_it_runs_and_every_check_says_what_is_still_to_do(part: Part, tmp_path: Path) -> None:
    notebook = execute(part, tmp_path / part.id, part_files(COURSE, part))
    found = checks(notebook)
    assert list(found) == [task.id for task in part.tasks]
    for task in part.tasks:
        state = rf"^\s*{task.id} .* (not started|waits for [\d.]+) "
        assert re.search(state, found[task.id], re.MULTILINE), found[task.id]
        assert "TODO" in found[task.id] or "waits for" in found[task.id], found[task.id]
    assert f"still to do: {part.tasks[0].id}" in elsewhere(notebook)
