"""`python kit.py carry ../part4`: a student goes on with their own code of the part before, and can undo it.

Only what passes its public tests goes along, and only when the tests of the part before still pass on the file that
comes out. What was in this folder is kept in before_carry/.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from .files import HERE, Part, Stumble, read_part
from .merge import Merged, merge
from .outcomes import passing_tasks

BACKUP = "before_carry"


def carry(part: Part, before: Path, folder: Path = HERE) -> list[str]:
    """Carry from the folder `before` into `folder`; returns what to tell. Raises Stumble when nothing can be done."""
    if not (before / "part.json").is_file():
        raise Stumble(f"{before} is not a part's folder: there is no part.json in it.")
    old = read_part(before)
    if int(old.number) >= int(part.number):
        raise Stumble(
            f"{before} holds part {old.number}, and this is part {part.number}. Run the command in the folder of the "
            "new part and name that of the part before."
        )
    shared = [name for name in old.files if name in part.files]
    if not shared:
        given = [name for name in old.files if name in part.given]
        more = f" {given[0]} is handed out finished here. To try your own: python kit.py engine mine {before}"
        raise Stumble(f"Part {part.number} has no file to write in common with part {old.number}.{more * bool(given)}")
    passing = passing_tasks(before)
    if not passing:
        raise Stumble(f"No task of part {old.number} passes its public tests in {before}, so nothing can be carried.")
    results = {name: _merged(name, old, before, folder, passing) for name in shared}
    taken = {name: result for name, result in results.items() if result.taken}
    said = [_left_line(name, left, why) for name, result in results.items() for left, why in result.left.items()]
    if not taken:
        return [*said, "Nothing was carried: there is nothing of your own to take, and no file has changed."]
    if lost := sorted(passing - _passing_with(before, {name: result.text for name, result in taken.items()})):
        raise Stumble(
            f"Put into part {part.number}'s file, your code no longer passes {', '.join(lost)} of part {old.number}; "
            "it may need something that this file lacks. Nothing was changed."
        )
    _keep_and_write(folder, {name: result.text for name, result in taken.items()})
    owners = {name: task.id for task in old.tasks for name in task.names}
    for name, result in taken.items():
        shown = [f"{own} ({owners[own]})" if own in owners else own for own in result.taken]
        said.insert(0, f"Now yours in {name}: {', '.join(shown)}.")
    return [*said, f"The files as they were are in {BACKUP}/. To go back: python kit.py carry --undo"]


def undo(folder: Path = HERE) -> list[str]:
    """Change the kept files and the present ones about, so that nothing written since the carry is lost."""
    kept = sorted(path for path in (folder / BACKUP).glob("*.py"))
    if not kept:
        raise Stumble("There is nothing to undo: no carry has kept a file in this folder.")
    try:
        for path in kept:
            now, then = (folder / path.name).read_bytes(), path.read_bytes()
            path.write_bytes(now)
            (folder / path.name).write_bytes(then)
    except OSError as problem:
        raise Stumble(f"{problem.filename} cannot be read or written: {problem.strerror}.") from problem
    names = ", ".join(path.name for path in kept)
    return [f"{names} as before the carry. What you had is in {BACKUP}/ now; the same command again brings it back."]


def _merged(name: str, old: Part, before: Path, folder: Path, passing: set[str]) -> Merged:
    own, later = _read(before / name), _read(folder / name)
    waiting = {task.id for task in old.tasks} - passing
    owners = {own_name: task.id for task in old.tasks if task.file == name for own_name in task.names}
    reasons = {left: f"{task} does not pass its public tests" for left, task in owners.items() if task in waiting}
    try:
        result = merge(own, later, reasons)
    except SyntaxError as problem:
        raise Stumble(
            f"Python cannot read {name}, line {problem.lineno}: {problem.msg}. Nothing was changed."
        ) from None
    loose = [other for other in result.taken if other not in owners and other not in result.added]
    if waiting and loose:
        # Changed, and no single task's: only when every task passes is it known to be right.
        why = f"it belongs to no task of that part, and {min(waiting)} does not pass yet"
        result = merge(own, later, {**dict.fromkeys(loose, why), **reasons})
    return result


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise Stumble(f"There is no {path.name} in {path.parent}.") from None
    except (OSError, UnicodeDecodeError):
        raise Stumble(f"{path} cannot be read as UTF-8 text.") from None


def _left_line(file: str, name: str, why: str) -> str:
    return f"Not taken: {name} in {file}, since {why}."


def _passing_with(before: Path, texts: dict[str, str]) -> set[str]:
    """The tasks of the part before that pass on a copy of its folder with these texts as its files."""
    with tempfile.TemporaryDirectory(prefix="micrograder-") as temporary:
        copy = copy_folder(before, Path(temporary))
        for name, text in texts.items():
            (copy / name).write_text(text, encoding="utf-8", newline="\n")
        return passing_tasks(copy)


def copy_folder(folder: Path, into: Path) -> Path:
    """A copy of a part's folder to run tests in; returns where it is."""
    copy = into.resolve() / folder.resolve().name
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("__pycache__", ".*", "*.zip", "*.ipynb", BACKUP))
    return copy


def _keep_and_write(folder: Path, texts: dict[str, str]) -> None:
    try:
        shutil.rmtree(folder / BACKUP, ignore_errors=True)
        (folder / BACKUP).mkdir()
        for name in texts:
            shutil.copy(folder / name, folder / BACKUP / name)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    except OSError as problem:
        raise Stumble(f"{problem.filename} cannot be written: {problem.strerror}.") from problem
