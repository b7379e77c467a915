"""The hashes under which verdicts are kept: everything that can change one is in them, and nothing else.

Reads code, suites and the course's files; it must not look at a gradebook or run anything.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import platform
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from autograder.course import Course, Part
from autograder.course.regions import render, solution_file
from autograder.judge import judge as judging
from autograder.judge.submission import Submission
from autograder.judge.verdict import Level
from autograder.judge.zygote import Budget

PACKAGE = Path(__file__).resolve().parent.parent
# The code that a test's end depends on.
JUDGE = ("judge", "worker", "student/kitlib/observe.py", "student/kitlib/seen.py")
NAMING = "misconceptions"


@dataclass(frozen=True)
class Keys:
    """How a part is judged here and now, as hashes.

    base    judge, worker, sandbox level, Python, libraries, reference and given files, points, seed
    tests   per test file ("part4/test_hidden.py") and function: its own text and what all tests of its file share
    whole   all of that, and what names a mistake: two verdicts with the same one on the same submission are equal
    """

    part: str
    level: Level
    seed: int
    base: str
    tests: dict[str, str]
    whole: str

    def test(self, nodeid: str) -> str:
        """The hash of the test with this node id; "" when there is no such test."""
        file, _, name = nodeid.partition("::")
        return self.tests.get(f"{file}::{name.partition('::')[0].partition('[')[0]}", "")


def keys_of(course: Course, part: Part, level: Level, *, seed: int = 0) -> Keys:
    """The keys of judging `part` at this level by the suites as they are now."""
    folder = judging.SUITES
    base = _hash(
        _code(), *versions().values(), level, str(seed), repr(Budget()), _manifest(part), _reference(course, part)
    )
    shared = _shared(folder)
    tests: dict[str, str] = {}
    for path in sorted((folder / part.id).glob("*.py")):
        for name, digest in _tests_in(path.read_bytes()):
            tests[f"{part.id}/{path.name}::{name}"] = _hash(shared, digest)
    return Keys(part.id, level, seed, base, tests, _hash(base, *code_of(part).values()))


@functools.cache
def versions() -> dict[str, str]:
    """Python and the libraries that a verdict stands on, by name."""
    python = " ".join(f"{sys.version} {sys.implementation.name} {sys.platform} {platform.machine()}".split())
    return {"Python": python, **{name: version(name) for name in ("pytest", "hypothesis", "pluggy", "pydantic")}}


def code_of(part: Part) -> dict[str, str]:
    """The hashes of the kit's files that verdicts on `part` stand on, by what a person calls them."""
    folder, naming = judging.SUITES, PACKAGE / NAMING
    named = sorted([*naming.glob("*.py"), *naming.glob(f"{part.id}.toml"), *naming.glob(f"{part.id}.json")])
    return {
        "the judge's code": _code(),
        f"the suites of {part.id}": _hash(_shared(folder), _files(sorted((folder / part.id).glob("*.py")))),
        "the known mistakes": _files(named),
    }


def submission_key(submission: Submission) -> str:
    """Identifies a submission's content, and what is missing of it."""
    missing = [f"{name}\0{submission.missing[name]}" for name in sorted(submission.missing)]
    return _hash(*(part for name in sorted(submission.sources) for part in (name, submission.sources[name])), *missing)


def _manifest(part: Part) -> str:
    """What course.toml says of a part that a verdict shows; its due date is not among that."""
    return repr((part.id, part.graded, part.given, part.tasks, part.public_share))


def _reference(course: Course, part: Part) -> str:
    """The files that students get finished, and the worked solution that stands in for failed tasks."""
    texts = [render(solution_file(course, name), part.number) for name in part.given]
    texts += [render(solution_file(course, name), part.number, worked=True) for name in part.graded]
    return _hash(*texts)


@functools.lru_cache(maxsize=64)
def _tests_in(source: bytes) -> tuple[tuple[str, str], ...]:
    """For each top-level test function or class of a file: its name, and the hash of it and of all that is no test."""
    lines = source.splitlines(keepends=True)
    spans: list[tuple[str, int, int]] = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name.lower().startswith("test"):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            spans.append((node.name, first - 1, node.end_lineno or node.lineno))
    taken = {line for _, first, last in spans for line in range(first, last)}
    rest = b"".join(line for number, line in enumerate(lines) if number not in taken and line.strip())
    return tuple((name, _hash(rest, b"".join(lines[first:last]))) for name, first, last in spans)


@functools.cache
def _code() -> str:
    """The judge's code as this process has loaded it; a change on the disk counts from the next start on."""
    paths: list[Path] = []
    for name in JUDGE:
        place = PACKAGE / name
        paths += sorted(place.glob("*.py")) if place.is_dir() else [place]
    return _files(paths)


def _shared(folder: Path) -> str:
    """What all parts' suites share."""
    return _files(path for path in sorted(folder.glob("*")) if path.suffix in (".py", ".ini"))


def _files(paths: Iterable[Path]) -> str:
    return _hash(*(part for path in paths for part in (path.name, path.read_bytes())))


def _hash(*parts: str | bytes) -> str:
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(f"{len(data)}\0".encode() + data)
    return total.hexdigest()[:40]
