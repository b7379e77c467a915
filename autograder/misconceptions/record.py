"""python -m autograder.misconceptions.record judges every wrong engine of a bank and writes down what is seen of it.

Engines whose mistake is about the order of nodes are judged in several styles, so that the mistake is known again where
the engine around it walks the graph in another way.

Run it after a change of the suites, the bank's engines or the worked solution; the tests say when.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.course import Course, Part, find_root, load_course
from autograder.judge import judge as judging
from autograder.misconceptions.bank import FOLDER, Bank, Engine, Workshop, digest_of, load_bank
from autograder.misconceptions.fingerprints import Recorded, save
from autograder.misconceptions.runs import SeenByTask, judged
from autograder.student.kitlib.seen import PASSED, Fingerprint, Seen, same

# How a node may keep its children: in order, the other way round (as a walk that starts at the other end meets them),
# and in a set, whose order is another one every time, so that one run of it shows little.
STYLES = (
    ("tuple(_children)", "tuple(_children)"),
    ("tuple(_children)", "tuple(_children)[::-1]"),
    *[("tuple(_children)", "set(_children)")] * 4,
)


def record(course: Course, part: Part, folder: Path = FOLDER) -> Recorded:
    """Judge the bank's wrong engines and write the fingerprints to `folder`."""
    bank, workshop = load_bank(part, folder), Workshop(course, part)
    recorded = Recorded(judging.suite_digest(part), judging.SEED, digest_of(bank, workshop, judging.SUITES))
    engines = [(entry, number, engine) for entry in bank.misconception for number, engine in enumerate(entry.engine)]
    styles = [list(_styles(workshop.wrong(entry, engine), engine)) for entry, _, engine in engines]
    runs = iter(judged(course, part, [files for each in styles for files in each]))
    for (entry, number, engine), each in zip(engines, styles, strict=True):
        of_this = [next(runs).seen for _ in each]
        for task in engine.fails:
            recorded.fingerprints.append(Fingerprint(entry.id, number, task, _gathered(of_this, task)))
    save(folder / f"{part.id}.json", recorded)
    return recorded


def _styles(files: dict[str, bytes], engine: Engine) -> Iterator[dict[str, bytes]]:
    if not engine.order:
        yield files
        return
    for old, new in STYLES:
        yield {name: content.replace(old.encode(), new.encode()) for name, content in files.items()}


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
