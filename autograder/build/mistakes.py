"""The table of known mistakes that travels with a part: of what the judge recorded, the public tests' side only.

student/kitlib/mistakes.py reads it. In it are the bank's sentences and what each mistake shows in the public tests; no
wrong engine, no hidden test and no number of one.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from autograder.course import CourseError
from autograder.course.suites import suite_digest
from autograder.student.kitlib.files import content_digest
from autograder.student.kitlib.seen import Seen, seen_of

PUBLIC, HIDDEN = "public ", "hidden "


def mistakes_json(kit: Path, part_id: str) -> str | None:
    """The text of a part's mistakes.json, from the suites and the bank in the folder `kit`.

    None where the part has no bank, or where nothing was recorded with the suites that stand there: a table that does
    not fit would name wrong mistakes. Raises CourseError when the bank or the recording is damaged.
    """
    recorded = list(_recorded(kit, part_id, PUBLIC))
    if not recorded:
        return None
    bank = _bank(kit, part_id)
    rows = [(one, task, seen) for one, task, seen in recorded if one in bank]
    tests = (kit / "suites" / part_id / "test_public.py").read_bytes()
    texts = {one: bank[one] for one in dict.fromkeys(one for one, _, _ in rows)}
    lines = [f"  {_json(key)}: {_json(text)}" for key, text in texts.items()]
    prints = [f"  {_json({'id': one, 'task': task, 'seen': seen})}" for one, task, seen in rows]
    return (
        f'{{\n "tests": {_json(content_digest(tests))},\n "mistakes": {{\n'
        + ",\n".join(lines)
        + '\n },\n "fingerprints": [\n'
        + ",\n".join(prints)
        + "\n ]\n}\n"
    )


def hidden_numbers(kit: Path, part_ids: Iterable[str]) -> dict[str, set[float]]:
    """By part, every number that was recorded of its hidden tests, and of no public test of any of the parts.

    A recording that is older than the suites counts here, too: most hidden tests stay when one is corrected. Two parts'
    tests may meet in a number by chance; what a public test shows is no secret of another part's.
    """
    ids = list(part_ids)
    public = set[float]().union(*(_numbers(kit, part_id, PUBLIC) for part_id in ids))
    return {part_id: _numbers(kit, part_id, HIDDEN) - public for part_id in ids}


def _numbers(kit: Path, part_id: str, kind: str) -> set[float]:
    return {
        abs(number)
        for _, _, tests in _recorded(kit, part_id, kind, outdated=True)
        for _, ways in tests
        for row in ways
        for number in row[3]
    }


def _recorded(
    kit: Path, part_id: str, kind: str, *, outdated: bool = False
) -> Iterator[tuple[str, str, list[tuple[str, list[Any]]]]]:
    """Id, task and the failed tests of one kind, each with the ways in which it ended; in the order of recording.

    Nothing from a recording that was made with other suites than those that stand there, unless `outdated`.
    """
    path = kit / "misconceptions" / f"{part_id}.json"
    if not path.is_file():
        return
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        if not outdated and raw["suite"] != suite_digest(kit / "suites" / part_id):
            return
        for one in raw["fingerprints"]:
            tests = [(name, ways) for name, ways in one["tests"].items() if name.startswith(kind)]
            if tests:
                yield (
                    one["id"],
                    one["task"],
                    [(name.removeprefix(kind), _portable([seen_of(way) for way in ways])) for name, ways in tests],
                )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CourseError(
            f"{path.name} is damaged ({error}); run: python -m autograder.misconceptions.record {part_id}"
        ) from None


def _portable(ways: list[Seen]) -> list[list[Any]]:
    return [seen.row() for seen in dict.fromkeys(way.portable() for way in ways)]


def _bank(kit: Path, part_id: str) -> dict[str, dict[str, str]]:
    path = kit / "misconceptions" / f"{part_id}.toml"
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        return {
            one["id"]: {key: " ".join(one[key].split()) for key in ("title", "explanation", "reread")}
            for one in raw["misconception"]
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CourseError(f"{path.name} can't be read as a bank ({error!r})") from None


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
