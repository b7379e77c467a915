"""What a notebook or a terminal can ask for: check("4.1"), hint("4.1"), and pictures.

    from kit import check, curves, draw_dot, heatmap, hint, name, when_ready

A check runs nothing in the notebook's own process: it is a fresh Python with the saved files. The pictures show the
objects that they are given, as they are.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from typing import Any, Iterator

from kit_chart import curves
from kit_draw import draw_dot
from kit_files import HERE, Stumble, read_part
from kit_heat import heatmap
from kit_screen import hint_lines, paragraph

__all__ = ["check", "curves", "draw_dot", "heatmap", "hint", "name", "when_ready"]

MEMORY = HERE / ".hints.json"  # how many hints of each task have been shown
LONGEST_CHECK = 60.0  # seconds; a check takes about one


def check(task_id: str) -> None:
    """Run one task's public tests on the saved files and print what the terminal would show."""
    try:
        read_part().task(task_id)
        print(_run(task_id).strip())
    except Stumble as stumble:
        print(paragraph(str(stumble)))


def hint(task_id: str) -> None:
    """Print the task's first hint, the next time its second, then its third. Raises Stumble for an unknown task."""
    task = read_part().task(task_id)
    if not task.hints:
        print(f"There is no hint for {task.id}.")
        return
    shown = _remembered()
    number = min(shown.get(task.id, 0) + 1, len(task.hints))
    for line in hint_lines(task, number):
        print(line.text)
    try:
        MEMORY.write_text(json.dumps({**shown, task.id: number}), encoding="utf-8")
    except OSError:
        print("(This folder cannot be written to, so the next call gives the same hint.)")


def name(**nodes: Any) -> dict[str, Any]:
    """Give each node the name it is passed under, for the pictures; return all of them, by name."""
    for label, node in nodes.items():
        node.label = label
    return nodes


@contextlib.contextmanager
def when_ready() -> Iterator[None]:
    """Run the lines below it; where they meet a task that is not written yet, say which one and go on after them."""
    try:
        yield
    except NotImplementedError as todo:
        print("still to do:", str(todo).removeprefix("TODO "))
    except RecursionError:
        print("too deep for a function that calls itself")


def _remembered() -> dict[str, int]:
    try:
        data = json.loads(MEMORY.read_text(encoding="utf-8"))
        return {str(key): max(0, int(value)) for key, value in data.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}  # no hint so far, or a damaged file, which only means to begin again


def _run(task_id: str) -> str:
    """The output of pytest for one task, from a process of its own. Raises Stumble when there is none."""
    command = [sys.executable, "-m", "pytest", "--task", task_id, "--color=no"]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    environment.pop("PYTEST_ADDOPTS", None)
    process = subprocess.Popen(
        command, cwd=HERE, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        output, _ = process.communicate(timeout=LONGEST_CHECK)
    except subprocess.TimeoutExpired:
        process.kill()
        output, _ = process.communicate()
        output += f"\nStopped after {LONGEST_CHECK:.0f} seconds.".encode()
    except KeyboardInterrupt:  # the notebook's stop button
        process.kill()
        output, _ = process.communicate()
        output += b"\nStopped."
    text = output.decode("utf-8", "replace")
    if "No module named pytest" in text:
        raise Stumble("pytest is not installed for this notebook. Run this in a cell: %pip install pytest hypothesis")
    return text
