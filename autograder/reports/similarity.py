"""Pairs of submissions that share more than the stub and what most of the class writes: a list for a human to read.

Never a verdict and never in a score: short tasks have few right answers, and honest students look alike. Files are cut
into tokens by copydetect (an optional dependency); no line of a submission is run.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from autograder.course.manifest import Course, CourseError, Part
from autograder.gradebook.files import Refused, read_regular
from autograder.gradebook.page import handed_out

LIMIT = 100_000  # bytes; a larger file is no hand-written solution, and is named instead of compared
NOISE = 25  # characters of renamed code: what is shorter is chance
GUARANTEE = 30  # characters: what is at least that long is always found


@dataclass(frozen=True)
class Pair:
    """Two students' files: the characters they share beyond the stub, and their part of what is each file's own."""

    one: str
    other: str
    file: str
    shared: int
    share_of_one: float
    share_of_other: float


@dataclass(frozen=True)
class Similarities:
    """The pairs, the most alike first, and the files that were not compared, with the reason."""

    pairs: tuple[Pair, ...]
    skipped: tuple[str, ...]


def similarities(course: Course, part: Part) -> Similarities:
    """Compare what lies in submitted/ for the part. Raises CourseError without copydetect or submissions."""
    pairs: list[Pair] = []
    skipped: list[str] = []
    folders = sorted(path for path in (course.root / "submitted").glob(f"*/{part.id}") if not path.is_symlink())
    if not folders:
        raise CourseError(f"nothing is handed in: no submitted/STUDENT/{part.id} is there")
    for name in part.graded:
        files: dict[str, str] = {}
        for folder in folders:
            student = folder.parent.name
            try:
                data = read_regular(folder / name, LIMIT)
            except Refused as refused:
                skipped.append(f"{student}/{name} {refused}")
                continue
            if data is not None:
                files[student] = data.decode("utf-8", errors="replace")
        stub = handed_out(course, part, name)
        if stub is None:
            raise CourseError(f"neither release/ nor assignments/ has {part.id}/{name}; run: micrograder build")
        pairs += compare(name, stub, files)
    pairs.sort(key=lambda pair: (-max(pair.share_of_one, pair.share_of_other), -pair.shared, pair.one, pair.other))
    return Similarities(tuple(pairs), tuple(skipped))


def compare(name: str, stub: str, files: Mapping[str, str]) -> list[Pair]:
    """The pairs among `files` (text by student) that share anything beyond `stub` and what is everybody's."""
    detect = _copydetect()

    def fingerprint(text: str, window: int, known: Any) -> Any:
        return detect.CodeFingerprint(name, NOISE, window, boilerplate=known, fp=io.StringIO(text))

    handed_out = set(fingerprint(stub, 1, None).hashes)
    window = GUARANTEE - NOISE + 1
    # What more than a fifth of the class has, ten students at least, is how one writes it, not who copied whom.
    owners: Counter[int] = Counter()
    for text in files.values():
        owners.update({int(value) for value in fingerprint(text, 1, _array(handed_out)).hashes})
    most = max(10, len(files) // 5)
    known = handed_out | {value for value, count in owners.items() if count > most}
    own = {student: fingerprint(text, window, _array(known)) for student, text in files.items()}
    holders: dict[int, list[str]] = {}
    for student, print_ in own.items():
        for value in {int(value) for value in print_.hashes}:
            holders.setdefault(value, []).append(student)
    candidates = {pair for group in holders.values() for pair in combinations(sorted(group), 2)}
    pairs = []
    for one, other in sorted(candidates):
        shared, (first, second), _ = detect.compare_files(own[one], own[other])
        if shared:
            pairs.append(Pair(one, other, name, int(shared), min(1.0, float(first)), min(1.0, float(second))))
    return pairs


def _copydetect() -> Any:
    try:
        import copydetect
    except ImportError:
        raise CourseError(
            "comparing submissions needs copydetect; run: pip install -c constraints.txt -e '.[similarity]'"
        ) from None
    return copydetect


def _array(values: Iterable[int]) -> Any:
    import numpy

    return numpy.array(sorted(map(int, values)), dtype=numpy.int64)
