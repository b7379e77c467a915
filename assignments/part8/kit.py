"""What a notebook or a terminal can ask for: check("4.1"), hint("4.1"), pictures, and the zip to hand in.

    from kit import check, curves, draw_dot, heatmap, hint, name, predict, step, submit, when_ready

A check runs nothing in the notebook's own process: it is a fresh Python with the saved files. (In the browser, where
there are no processes, kitlib/inside.py does the same in this one.) The pictures show the objects that they are given,
as they are. `python kit.py` says what there is for the terminal.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 10):  # before anything else is read: what follows is no Python for an older one
    raise SystemExit("This course needs Python 3.10 or newer, and this is %d.%d." % sys.version_info[:2])

import argparse
import contextlib
import importlib.util
import json
import os
import subprocess
from pathlib import Path
from typing import Any, Iterator

from kitlib.chart import curves
from kitlib.checked import Checked, show
from kitlib.draw import draw_dot
from kitlib.files import HERE, IN_BROWSER, Stumble, read_part
from kitlib.heat import heatmap
from kitlib.inside import fresh_modules, guard_cells, run_pytest
from kitlib.predict import predict
from kitlib.screen import hint_lines, paragraph
from kitlib.step import step

__all__ = ["check", "curves", "draw_dot", "heatmap", "hint", "name", "predict", "step", "submit", "when_ready"]

MEMORY = HERE / ".hints.json"  # how many hints of each task have been shown
WATCH = "Tests at every save: pip install pytest-watcher, once, and then: ptw . --now"
LONGEST_CHECK = 60.0  # seconds; a check takes about one

guard_cells()


def check(task_id: str) -> None:
    """Run one task's public tests on the saved files and show what the terminal would, framed in a notebook."""
    try:
        read_part().task(task_id)
        text = _run(task_id).strip()
    except Stumble as stumble:
        text = paragraph(str(stumble))
    show(Checked(text))


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


def submit(anyway: bool = False) -> Any:
    """Check that all is there and unbroken, pack it for handing in, and give the zip to download.

    It packs what is saved: save the notebook and the files before. With anyway=True it packs although something is
    wrong. Returns a Download for the notebook to show, or None when nothing was packed.
    """
    from kitlib.submit import Download, submit

    try:
        part = read_part()
        with fresh_modules(HERE):
            _, said, packed = submit(part, anyway, "submit(anyway=True)")
    except Stumble as stumble:
        said, packed = [str(stumble)], None
    print("\n".join(paragraph(text) for text in said))
    return Download(packed) if packed else None


def _remembered() -> dict[str, int]:
    try:
        data = json.loads(MEMORY.read_text(encoding="utf-8"))
        return {str(key): max(0, int(value)) for key, value in data.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}  # no hint so far, or a damaged file, which only means to begin again


def _run(task_id: str) -> str:
    """The output of pytest for one task, from a process of its own. Raises Stumble when there is none."""
    arguments = ["--task", task_id, "--color=no"]
    if IN_BROWSER:
        return run_pytest(arguments)
    command = [sys.executable, "-m", "pytest", *arguments]
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


def _submit(options: argparse.Namespace) -> int:
    from kitlib.submit import submit

    code, said, _ = submit(read_part(), options.anyway, "python kit.py submit --anyway")
    return _say(code, said)


def _carry(options: argparse.Namespace) -> int:
    from kitlib.carry import carry, undo

    if not options.undo and options.folder is None:
        raise Stumble("Name the folder of the part before, for example: python kit.py carry ../part4")
    return _say(0, undo() if options.undo else carry(read_part(), options.folder))


def _engine(options: argparse.Namespace) -> int:
    from kitlib.engine import engine_mine

    return _say(*engine_mine(read_part(), options.path))


def _say(code: int, paragraphs: list[str]) -> int:
    print("\n".join(paragraph(text) for text in paragraphs))
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python kit.py", description="The course's commands beside pytest.", epilog=WATCH
    )
    commands = parser.add_subparsers(metavar="COMMAND")
    submit = commands.add_parser("submit", help="check that all is there and unbroken, and pack it for handing in")
    submit.add_argument("--anyway", action="store_true", help="pack it although something is wrong")
    submit.set_defaults(run=_submit)
    carry = commands.add_parser("carry", help="go on with your own code of the part before, as far as it passes")
    carry.add_argument("folder", nargs="?", type=Path, help="the folder of the part before, for example ../part4")
    carry.add_argument("--undo", action="store_true", help="bring back the files as they were before")
    carry.set_defaults(run=_carry)
    engine = commands.add_parser("engine", help="run the tests with your own engine where one is handed out")
    engine.add_argument("whose", choices=["mine"])
    engine.add_argument("path", type=Path, help="your own value.py, or the folder that it is in")
    engine.set_defaults(run=_engine)
    return parser


def _missing_tools() -> list[str]:
    return [name for name in ("pytest", "hypothesis") if importlib.util.find_spec(name) is None]


def main(arguments: list[str] | None = None) -> int:
    """What `python kit.py ...` does; returns the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        if "run" in options:
            return options.run(options)
        parser.print_help()
        missing = _missing_tools()
        if missing:
            print(paragraph(f"\nThe tests still need {' and '.join(missing)}. Install what is missing with:"))
            print(f"  {sys.executable} -m pip install {' '.join(missing)}")
        return 0
    except Stumble as stumble:
        print(paragraph(str(stumble)))
        return 1


if __name__ == "__main__":
    sys.exit(main())
