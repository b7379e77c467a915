"""solutions/ -> assignments/: what nbgrader calls the source version of each part, built whole or not at all.

Nothing secret may be among what `part_files` gives; the leak scan holds the release against that. Releasing is
release.py's.
"""

from __future__ import annotations

import json
import tempfile
import tomllib
from pathlib import Path

import autograder
from autograder.build.changes import CHANGELOG, changelog
from autograder.build.mistakes import mistakes_json
from autograder.build.notebook import build_notebook
from autograder.build.readme import with_points
from autograder.course.manifest import Course, CourseError, Part
from autograder.course.regions import SolutionFile, render, solution_file
from autograder.student.kitlib.files import content_digest
from autograder.student.kitlib.merge import names_by_task

PACKAGE = Path(autograder.__file__).parent
HINTS_PER_TASK = 3
# What of autograder/student/ goes with every part: its modules, and pytest's settings.
TRAVELLING = {".py", ".ini"}
# Left behind by running pytest or a notebook inside a built folder: neither drift nor anybody's work.
BYPRODUCTS = {".hints.json", "__pycache__", ".pytest_cache", ".hypothesis", ".ipynb_checkpoints"}


def kit_folder(course: Course) -> Path:
    """The folder `autograder/` whose suites and student files belong to this course: its own, or the installed one."""
    own = course.root / "autograder"
    return own if (own / "suites").is_dir() else PACKAGE


def build(course: Course, check: bool = False) -> list[str]:
    """Build assignments/ from solutions/, for every part that has tasks.

    check   write nothing
    Returns the names (under the course's root, sorted) of the files that were missing, stray or different; with
    `check` they still are. Raises CourseError when a part cannot be built; then assignments/ is as it was.
    """
    wanted = {part.id: part_files(course, part) for part in course.written_parts}
    changed = []
    for part_id in sorted({*wanted, *_entries(course.assignments)}):
        names = _differences(course, part_id, wanted.get(part_id, {}))
        if names and not check:
            _replace_folder(course.assignments / part_id, wanted.get(part_id))
        changed += names
    return changed


def drift(course: Course, part: Part) -> list[str]:
    """What `build(course, check=True)` would return, for one part alone."""
    return _differences(course, part.id, part_files(course, part))


def part_files(course: Course, part: Part) -> dict[str, bytes]:
    """The files of assignments/`part`, by name: stub, notebook, texts, public tests, student files, part.json.

    Raises CourseError, naming the file and where possible the line, when one of them cannot be made.
    """
    sources = {name: solution_file(course, name) for name in (*part.graded, *part.given)}
    kit = kit_folder(course)
    if not (kit / "student").is_dir():
        raise CourseError(f"{kit / 'student'} does not exist, and every part needs what stands there")
    files = {name: render(source, part.number).encode() for name, source in sources.items()}
    files[f"{part.notebook}.ipynb"] = build_notebook(course, part).encode()
    files["README.md"] = with_points(_read(course, course.solutions / part.id / "README.md").decode(), part).encode()
    files[CHANGELOG] = changelog(course, part).encode()
    files["test_public.py"] = _read(course, kit / "suites" / part.id / "test_public.py")
    files["part.json"] = _part_json(course, part, sources, files).encode()
    for path in sorted((kit / "student").rglob("*")):
        name = path.relative_to(kit / "student").as_posix()
        if path.suffix in TRAVELLING and name != "__init__.py":
            files[name] = _read(course, path)
    if table := mistakes_json(kit, part.id):
        files["mistakes.json"] = table.encode()
    return files


def _part_json(course: Course, part: Part, sources: dict[str, SolutionFile], files: dict[str, bytes]) -> str:
    """What the kit must know of the part; `files` are the ones built so far, the notebook and the tests among them."""
    hints = _hints(course, part)
    tasks = []
    for task in part.tasks:
        homes = [name for name in part.graded if task.id in sources[name].tasks()]
        if len(homes) != 1:
            where = " and ".join(homes) or "no file"
            raise CourseError(f"task {task.id} ({task.title}) has code in {where}; it needs one graded file")
        if task.id not in sources[homes[0]].stubbed_tasks():
            raise CourseError(f"solutions/{homes[0]}: task {task.id} has no '#: stub'")
        tasks.append(
            {
                "id": task.id,
                "title": task.title,
                "points": float(task.points),
                "public_points": float(task.points * part.public_share),
                "file": homes[0],
                "names": names_by_task(files[homes[0]].decode()).get(task.id, []),
                "hints": hints[task.id],
            }
        )
    data = {
        "part": part.id,
        "title": part.title,
        "files": {name: list(names) for name, names in part.graded.items()},
        "given": {name: list(names) for name, names in part.given.items()},
        "tasks": tasks,
        "notebook": f"{part.notebook}.ipynb",
        "questions": _untouched_answers(part, files[f"{part.notebook}.ipynb"]),
        "originals": {name: content_digest(files[name]) for name in ["test_public.py", *part.given]},
        "public_share": float(part.public_share),
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _untouched_answers(part: Part, notebook: bytes) -> dict[str, str]:
    """For every written question the name of its cell and the text that stands in it before it is answered."""
    cells = {cell["metadata"].get("nbgrader", {}).get("grade_id"): cell for cell in json.loads(notebook)["cells"]}
    return {question.grade_id: "".join(cells[question.grade_id]["source"]) for question in part.questions}


def _hints(course: Course, part: Part) -> dict[str, list[str]]:
    path = course.solutions / part.id / "hints.toml"
    name = path.relative_to(course.root).as_posix()
    try:
        raw = tomllib.loads(_read(course, path).decode())
    except tomllib.TOMLDecodeError as error:
        raise CourseError(f"{name}: {error}") from None
    if unknown := sorted(set(raw) - {task.id for task in part.tasks}):
        raise CourseError(f"{name}: {part.id} has no task {unknown[0]!r}")
    hints = {}
    for task in part.tasks:
        entry = raw.get(task.id)
        given = entry.get("hints") if isinstance(entry, dict) else None
        if not isinstance(given, list) or not all(isinstance(hint, str) and hint.strip() for hint in given):
            raise CourseError(f'{name}: task {task.id} needs ["{task.id}"] with hints = [{HINTS_PER_TASK} texts]')
        if len(given) != HINTS_PER_TASK:
            raise CourseError(f"{name}: task {task.id} has {len(given)} hints; it needs {HINTS_PER_TASK}")
        hints[task.id] = given
    return hints


def _read(course: Course, path: Path) -> bytes:
    """A text file's bytes with plain newlines, so that a checkout on Windows builds the same."""
    try:
        return path.read_text(encoding="utf-8").encode()
    except FileNotFoundError:
        raise CourseError(f"{course.shown(path)} does not exist, and the build needs it") from None
    except UnicodeDecodeError:
        raise CourseError(f"{course.shown(path)} is not UTF-8 text") from None


def _differences(course: Course, part_id: str, expected: dict[str, bytes]) -> list[str]:
    stands = _read_folder(course.assignments / part_id)
    names = sorted(name for name in {*stands, *expected} if stands.get(name) != expected.get(name))
    return [f"{course.assignments.name}/{part_id}/{name}".rstrip("/") for name in names]


def _entries(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name not in BYPRODUCTS] if folder.is_dir() else []


def _read_folder(folder: Path) -> dict[str, bytes]:
    """Every file under `folder` by its relative name; {"": bytes} when it is itself a file."""
    if folder.is_file():
        return {"": folder.read_bytes()}
    found = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder)
        if path.is_file() and not BYPRODUCTS.intersection(name.parts):
            found[name.as_posix()] = path.read_bytes()
    return found


def _replace_folder(folder: Path, files: dict[str, bytes] | None) -> None:
    """Put a folder with exactly `files` in the place of what stands there; None leaves nothing there."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".building-") as temporary:
        old, new = Path(temporary, "old"), Path(temporary, "new")
        if files is not None:
            new.mkdir()
            for name, content in files.items():
                (new / name).parent.mkdir(exist_ok=True)
                (new / name).write_bytes(content)
        if folder.exists():
            folder.rename(old)
        if files is not None:
            try:
                new.rename(folder)
            except OSError:
                old.rename(folder)
                raise
