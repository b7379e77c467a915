"""python -m autograder.misconceptions.record judges every wrong engine of a bank and writes down what is seen of it.

Each is judged in two styles, so that a mistake is known again where the engine around it walks the graph in another
way; what shows more than one thing is judged in further ones.

Run it after a change of the suites, the bank's engines or the worked solution; the tests say when.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.course import Course, Part, find_root, load_course
from autograder.judge import judge as judging
from autograder.misconceptions.bank import FOLDER, Bank, Workshop, digest_of, load_bank
from autograder.misconceptions.fingerprints import Recorded, save
from autograder.misconceptions.runs import SeenByTask, judged
from autograder.student.kitlib.seen import PASSED, Fingerprint, Seen, same

# How a node may keep its children, in place of CHILDREN: in order, and the other way round (as a walk that starts at
# the other end meets them); then in a set, whose order is another one every time, so that one run of it shows little.
CHILDREN = b"tuple(_children)"
STYLES = (CHILDREN, b"tuple(_children)[::-1]")
FURTHER_STYLES = (b"set(_children)",) * 4


def record(course: Course, part: Part, folder: Path = FOLDER) -> Recorded:
    """Judge the bank's wrong engines and write the fingerprints to `folder`."""
    bank, workshop = load_bank(part, folder), Workshop(course, part)
    recorded = Recorded(judging.suite_digest(part), judging.SEED, digest_of(bank, workshop, judging.SUITES))
    engines = [(entry, number, engine) for entry in bank.misconception for number, engine in enumerate(entry.engine)]
    files = [workshop.wrong(entry, engine) for entry, _, engine in engines]
    seen = _judged(course, part, [list(in_styles(each, STYLES)) for each in files])
    unsteady = [_differ(runs, engine.fails) for (_, _, engine), runs in zip(engines, seen, strict=True)]
    more = _judged(
        course, part, [list(in_styles(f, FURTHER_STYLES)) if u else [] for f, u in zip(files, unsteady, strict=True)]
    )
    for (entry, number, engine), first, further in zip(engines, seen, more, strict=True):
        for task in engine.fails:
            recorded.fingerprints.append(Fingerprint(entry.id, number, task, _gathered([*first, *further], task)))
    save(folder / f"{part.id}.json", recorded)
    return recorded


def _judged(course: Course, part: Part, groups: Sequence[Sequence[dict[str, bytes]]]) -> list[list[SeenByTask]]:
    """What was seen of each submission, in the groups in which they came."""
    runs = judged(course, part, [files for group in groups for files in group])
    return [[next(runs).seen for _ in group] for group in groups]


def in_styles(files: dict[str, bytes], styles: Sequence[bytes]) -> Iterator[dict[str, bytes]]:
    """The engine once in each style; once as it is where it keeps no children, or in a way of its own."""
    if not any(CHILDREN in content for content in files.values()):
        styles = [CHILDREN]
    for style in styles:
        yield {name: content.replace(CHILDREN, style) for name, content in files.items()}


def _differ(runs: Sequence[SeenByTask], tasks: Sequence[str]) -> bool:
    return any(len(found) > 1 for task in tasks for found in _gathered(runs, task).values())


def _gathered(runs: Sequence[SeenByTask], task: str) -> dict[str, list[Seen]]:
    """Per test the different ways in which it ended; tests that passed in every run are left out."""
    ways: dict[str, list[Seen]] = {}
    for run in runs:
        for name, seen in run[task].items():
            found = ways.setdefault(name, [])
            if not any(same(seen, one) for one in found):
                found.append(seen)
    return {name: found for name, found in ways.items() if found != [PASSED]}


def stale(bank: Bank, workshop: Workshop, recorded: Recorded | None) -> bool:
    """Whether the fingerprints were recorded from something else than what stands there now."""
    return recorded is None or recorded.digest != digest_of(bank, workshop, judging.SUITES)


def main() -> None:
    """Record the named parts, or every part that has a bank."""
    parser = argparse.ArgumentParser(prog="python -m autograder.misconceptions.record", description=main.__doc__)
    parser.add_argument("part", nargs="*", help="part4 ...; all when none is named")
    arguments = parser.parse_args()
    course = load_course(find_root(Path.cwd()))
    names = arguments.part or [path.stem for path in sorted(FOLDER.glob("part*.toml"))]
    for name in names:
        part = course.part(name)
        recorded = record(course, part)
        sys.stdout.write(f"{part.id}: {len(recorded.fingerprints)} fingerprints\n")
        for entry in load_bank(part).unwritten:
            sys.stdout.write(f"{part.id}.toml: {entry.id} is left out, since a PLACEHOLDER stands in it\n")


if __name__ == "__main__":
    main()
