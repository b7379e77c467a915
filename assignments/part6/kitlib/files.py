"""The files of this folder: part.json, and the student's modules, taken from here and from nowhere else.

Whatever is wrong with a file becomes a Stumble, a sentence for the student. It must not import the student's code
before load() is called, and it never writes.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import importlib.util
import json
import re
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import ModuleType, TracebackType

HERE = Path(__file__).resolve().parent.parent  # the part's folder, where kit.py stands
IN_BROWSER = sys.platform == "emscripten"  # no processes, no terminal, and a small stack
OURS = re.compile(r"(conftest|kit|test_.*)\.py")


class Stumble(Exception):
    """Something stands in the way of the run; the text says what, where, and what to do about it."""


@dataclass(frozen=True)
class Task:
    """One TODO: its id ("4.1"), its title, its points, and how many of them the public tests give.

    names  the functions and methods ("Value.tanh") of `file` that it is about
    """

    id: str
    title: str
    points: Fraction
    public_points: Fraction
    file: str
    hints: tuple[str, ...]
    names: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """What part.json says: the part's tasks in order, and the names each file defines, handed in or given.

    questions  the answer cells of the notebook by their names, each with the text that an unanswered one holds
    originals  the digests of the files that are graded with the course's own copy, as they were handed out
    """

    id: str
    title: str
    files: dict[str, tuple[str, ...]]
    given: dict[str, tuple[str, ...]]
    tasks: tuple[Task, ...]
    notebook: str
    questions: dict[str, str]
    originals: dict[str, str]

    @property
    def number(self) -> str:
        """ "4" for "part4"."""
        return self.id[len("part") :]

    def task(self, task_id: str) -> Task:
        """The task with this id. Raises Stumble, naming the ids there are, when there is none."""
        for task in self.tasks:
            if task.id == task_id:
                return task
        ids = ", ".join(task.id for task in self.tasks)
        raise Stumble(f"There is no task {task_id} in part {self.number}. Its tasks are {ids}.")


@dataclass(frozen=True)
class Place:
    """A line of a student's file."""

    file: str
    line: int
    function: str = ""
    source: str = ""

    def __str__(self) -> str:
        inside = f", in {self.function}" if self.function and not self.function.startswith("<") else ""
        return f"{self.file}:{self.line}{inside}"


def read_part(folder: Path = HERE) -> Part:
    """Read part.json. Raises Stumble when it is missing or damaged."""
    try:
        data = json.loads((folder / "part.json").read_text(encoding="utf-8"))
        tasks = tuple(
            Task(
                task["id"],
                task["title"],
                Fraction(str(task["points"])),
                Fraction(str(task["public_points"])),
                task["file"],
                tuple(task["hints"]),
                tuple(task["names"]),
            )
            for task in data["tasks"]
        )
        files, given = ({name: tuple(names) for name, names in data[kind].items()} for kind in ("files", "given"))
        texts = [{str(key): str(value) for key, value in data[kind].items()} for kind in ("questions", "originals")]
        return Part(data["part"], data["title"], files, given, tasks, data["notebook"], *texts)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
        raise Stumble(
            "part.json is missing or damaged. Unzip the part's archive again and copy part.json from there into "
            f"{folder}; your own files can stay as they are."
        ) from problem


def content_digest(content: bytes) -> str:
    """Identifies the text of a file, however its lines end."""
    return hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()[:16]


def load(file: str, names: tuple[str, ...] = (), folder: Path = HERE) -> ModuleType:
    """Load one of the student's files, always from its text in this folder, and check that it defines `names`.

    A module of the same name that something else has imported, and compiled files that are out of date, are passed
    over. Raises Stumble when the file is not there, cannot be read or run, or lacks a name.
    """
    path = folder / file
    if not _stands_there(path):
        raise Stumble(_missing(path))
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None  # a path that ends in .py always has a loader
    module = importlib.util.module_from_spec(spec)
    source = path.read_bytes()
    if not _is_text(source):
        raise Stumble(f"{file} is not saved as UTF-8 text. Save it again in your editor with the encoding UTF-8.")
    sys.modules[path.stem] = module
    try:
        exec(compile(source, str(path), "exec"), module.__dict__)
    except KeyboardInterrupt:
        raise
    except BaseException as problem:  # SystemExit too: an exit() at the end of the file is a common leftover
        del sys.modules[path.stem]
        raise Stumble(_unreadable(file, problem, folder)) from problem
    for name in names:
        if not hasattr(module, name):
            raise Stumble(_lacks(path, name))
    return module


class Modules:
    """The part's modules, each loaded once and those of earlier parts first, so that all see the same classes."""

    def __init__(self, part: Part) -> None:
        self.files = {**part.given, **part.files}
        self._found: dict[str, ModuleType | Stumble] = {}

    def get(self, file: str) -> ModuleType:
        """The module of that file. Raises Stumble as load() does."""
        for name, names in self.files.items():
            if name not in self._found:
                try:
                    self._found[name] = load(name, names)
                except Stumble as stumble:
                    self._found[name] = stumble
            if name == file:
                break
        found = self._found[file]
        if isinstance(found, Stumble):
            raise found
        return found


def place_of(traceback: TracebackType | None, files: tuple[str, ...] | dict, folder: Path = HERE) -> Place | None:
    """The innermost line of one of the student's `files` that a traceback went through, or None."""
    found = None
    while traceback is not None:
        code = traceback.tb_frame.f_code
        path = Path(code.co_filename)
        if path.name in files and path.parent == folder:
            found = Place(path.name, traceback.tb_lineno, code.co_name, line_of(path, traceback.tb_lineno))
        traceback = traceback.tb_next
    return found


def line_of(path: Path, number: int) -> str:
    """One line of a file, without the space around it; empty when there is no such line."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()[number - 1].strip()
    except (OSError, IndexError):
        return ""


def todo_place(task: Task, folder: Path = HERE) -> Place | None:
    """The line where the task's TODO stands, or None when it is no longer there."""
    try:
        lines = (folder / task.file).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    wanted = re.compile(rf"TODO {re.escape(task.id)}\b")
    return next((Place(task.file, number) for number, text in enumerate(lines, 1) if wanted.search(text)), None)


def other_copies(part: Part, folder: Path = HERE) -> list[str]:
    """Files beside the part's own ones that define the same class: second downloads, renamed copies, backups."""
    names = [name for file_names in part.files.values() for name in file_names]
    return [path.name for path in _python_files(folder) if path.name not in part.files and _defines(path, names)]


def remarks(part: Part, folder: Path = HERE) -> list[str]:
    """What may make a student wonder later: second copies of the graded files, edited files of the course."""
    said = []
    if copies := other_copies(part, folder):
        graded = f"{_and(list(part.files))} {'is' if len(part.files) == 1 else 'are'} tested and graded"
        said.append(f"{_and(copies)} {'is' if len(copies) == 1 else 'are'} here too; only {graded}.")
    if edited := edited_files(part, folder):
        verb = "is" if len(edited) == 1 else "are"
        said.append(f"{_and(edited)} {verb} not as handed out any more. Your work is graded with the original.")
    return said


def _and(names: list[str]) -> str:
    return " and ".join([*filter(None, [", ".join(names[:-1])]), *names[-1:]])


def edited_files(part: Part, folder: Path = HERE) -> list[str]:
    """Files of the course that are no longer as they were handed out; grading does not look at these copies."""
    return [name for name, original in part.originals.items() if _digest(folder / name) not in (original, "")]


def _digest(path: Path) -> str:
    """Empty when there is no such file."""
    try:
        return content_digest(path.read_bytes())
    except OSError:
        return ""


def _python_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.py*") if path.suffix != ".pyc" and not OURS.fullmatch(path.name))


def _defines(path: Path, names: list[str]) -> bool:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return any(re.search(rf"^(class|def) {re.escape(name)}\b", text, re.MULTILINE) for name in names)


def _stands_there(path: Path) -> bool:
    """Whether there is a file of exactly this name: macOS and Windows find Value.py as value.py, grading does not."""
    return path.is_file() and any(other.name == path.name for other in path.parent.iterdir())


def _is_text(source: bytes) -> bool:
    try:
        return "\0" not in importlib.util.decode_source(source)
    except (UnicodeDecodeError, SyntaxError):  # SyntaxError: a coding line that names no known encoding
        return False


def _missing(path: Path) -> str:
    near = [other.name for other in _python_files(path.parent) if other.name.lower().startswith(path.stem.lower())]
    if near:
        return f"There is no {path.name} here, but there is {near[0]}. Rename it: only {path.name} is read and graded."
    return f"There is no {path.name} in {path.parent}. Put yours back there, or take it from the part's archive."


def _unreadable(file: str, problem: BaseException, folder: Path) -> str:
    if isinstance(problem, SyntaxError):
        where = Path(problem.filename or file).name
        text = f"\n    {problem.text.strip()}" if problem.text and problem.text.strip() else ""
        return f"Python cannot read {where}, line {problem.lineno}: {problem.msg}.{text}"
    place = place_of(problem.__traceback__, {file: ()}, folder)
    where = str(place or file)
    if isinstance(problem, ModuleNotFoundError):
        return (
            f"{where} imports {problem.name}, which is not there. The tasks need nothing but Python's own library; "
            "take that line out, or correct the name."
        )
    if isinstance(problem, SystemExit):
        return f"{where} ends the whole program (exit). Take that line out, so that the tests can go on after it."
    said = f": {problem}" if str(problem) else ""
    return f"{file} stops while Python reads it, at {where}: {type(problem).__name__}{said}."


def _lacks(path: Path, name: str) -> str:
    tree = ast.parse(path.read_bytes())
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    defined = {node.name: node.lineno for node in tree.body if isinstance(node, kinds)}
    kind = "class" if name[:1].isupper() else "function"
    by_lower = {other.lower(): other for other in defined}
    near = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.5)
    if near:
        other = by_lower[near[0]]
        return f"{path.name} has no {kind} {name}, but it has {other} (line {defined[other]}). Name it {name}."
    return f"{path.name} has no {kind} {name}. Its first lines may have been lost: compare it with the part's archive."
