"""Mutants held against the suite of the part that their task belongs to: killed, or listed as equivalent, or a breach.

equivalent.toml lists those that no test can kill, with the reason. Also writes the kill matrix.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from autograder.course import Course, CourseError, Part
from autograder.course.manifest import complaint
from autograder.course.regions import parse, render, solution_file
from autograder.judge.plugin import Noted
from autograder.misconceptions.bank import FOLDER
from autograder.misconceptions.constants import part_of
from autograder.misconceptions.mutants import Mutant, mutants
from autograder.misconceptions.rows import Row
from autograder.misconceptions.trials import Trial

EQUIVALENT = FOLDER / "equivalent.toml"
MOST_EQUIVALENT = 0.03  # of all mutants of the course
ENGINE = "value.py"


class Equivalent(BaseModel):
    """Changes of one statement that no demand of the part can tell from it.

    `line` of the solution file only where the same statement stands in two places and the other one is no such case.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    task: str
    was: str
    now: tuple[str, ...] = Field(min_length=1)
    reason: str = Field(min_length=1)
    line: int | None = None


@dataclass
class Tried:
    """A mutant and how the tests ended that it was held against."""

    mutant: Mutant
    noted: list[Noted]

    @property
    def killers(self) -> list[Noted]:
        """The tests that did not pass."""
        return [entry for entry in self.noted if entry.verdict.outcome != "passed"]

    @property
    def public(self) -> bool:
        """Whether a public test kills it; they run first."""
        return any(entry.verdict.visibility == "public" for entry in self.killers)


def load_equivalents(path: Path = EQUIVALENT) -> list[Equivalent]:
    """What equivalent.toml lists. Raises CourseError, naming the entry, when it can't be read."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        return [Equivalent.model_validate(entry) for entry in raw.get("equivalent", [])]
    except FileNotFoundError:
        raise CourseError(f"{path.name} does not exist") from None
    except tomllib.TOMLDecodeError as error:
        raise CourseError(f"{path.name}: {error}") from None
    except ValidationError as error:
        raise CourseError(f"{path.name}: {complaint(error)} ({error.errors()[0]['input']!r:.80})") from None


def part_mutants(course: Course, part: Part) -> list[Mutant]:
    """The mutants of a part: of the finished code of its own tasks, in its graded files."""
    own = {task.id for task in part.tasks}
    return [
        mutant
        for name in part.graded
        for mutant in mutants((course.solutions / name).read_text(encoding="utf-8"), solution_file(course, name), name)
        if mutant.task in own
    ]


def mutated(course: Course, part: Part, worked: Mapping[str, bytes], mutant: Mutant) -> dict[str, bytes]:
    """The part's worked solution with the mutant's one change."""
    text = mutant.applied((course.solutions / mutant.file).read_text(encoding="utf-8"))
    changed = render(parse(text, mutant.file, course), part.number, worked=True)
    return {**worked, mutant.file: changed.encode()}


def trial_of(files: dict[str, bytes], mutant: Mutant, *, whole: bool) -> Trial:
    """How a mutant is tried: to the first test that fails, or by every test when the matrix is wanted."""
    return Trial(files, (mutant.task,), to_the_first=not whole)


def listed(mutant: Mutant, equivalents: Sequence[Equivalent]) -> bool:
    """Whether equivalent.toml has the mutant."""
    return any(
        (mutant.task, mutant.was) == (entry.task, entry.was)
        and mutant.now in entry.now
        and entry.line in (None, mutant.line)
        for entry in equivalents
    )


def mutation_rows(
    part: Part,
    tried: Sequence[Tried],
    equivalents: Sequence[Equivalent],
    everything: Sequence[Mutant],
    disagreements: Mapping[Mutant, str | None],
) -> list[Row]:
    """The rows about a part's mutants.

    everything     the mutants of all parts, for the share of those that are listed
    disagreements  for each listed mutant of the engine, what disagreement() said
    """
    killed, public, equal = Row("mutants: killed, or listed as equivalent"), Row("  killed by public tests alone"), []
    for each in tried:
        killed.held += 1
        public.held += each.public
        is_listed = listed(each.mutant, equivalents)
        if is_listed:
            equal.append(each.mutant)
        if each.killers and is_listed:
            name = each.killers[0].verdict.name
            killed.breaches.append(f"{each.mutant}: is listed as equivalent, but {name} kills it; take it off the list")
        elif not each.killers and not is_listed:
            killed.breaches.append(
                f"{each.mutant}: survives; write a test that kills it, or list it in {EQUIVALENT.name} with the reason"
            )
    public.note = f"{public.held / max(1, len(tried)):.0%}, shown only"
    survivors = Row("  equivalent: the reason is listed, graphs agree", len(equal))
    survivors.breaches += _wrong_entries(part, tried, equivalents)
    for mutant, said in disagreements.items():
        if said:
            survivors.breaches.append(f"{mutant}: is listed as equivalent, but {said}; write a test that kills it")
    of_all = sum(listed(mutant, equivalents) for mutant in everything)
    survivors.note = f"{of_all} of {len(everything)} in all parts"
    if of_all > MOST_EQUIVALENT * len(everything):
        survivors.breaches.append(
            f"{of_all} of {len(everything)} mutants are listed as equivalent, more than {MOST_EQUIVALENT:.0%}; write "
            "tests for some, or simplify the solution"
        )
    return [killed, public, survivors]


def _wrong_entries(part: Part, tried: Sequence[Tried], equivalents: Sequence[Equivalent]) -> Iterator[str]:
    """Entries of the list that fit no mutant: the solution has changed since."""
    there = {(each.mutant.task, each.mutant.was, each.mutant.now) for each in tried}
    for entry in equivalents:
        for now in entry.now:
            if part_of(entry.task) == part.number and (entry.task, entry.was, now) not in there:
                yield f"{EQUIVALENT.name}: there is no mutant {entry.was!r} -> {now!r} of {entry.task}; correct it"


def idle_tests(tried: Sequence[Tried]) -> tuple[list[str], list[str]]:
    """The tests that kill no mutant at all, and those that kill none which no other test kills."""
    alone: dict[str, bool] = {}
    for each in tried:
        killers = each.killers
        for entry in each.noted:
            alone.setdefault(entry.key, False)
        if len(killers) == 1:
            alone[killers[0].key] = True
    killing = {entry.key for each in tried for entry in each.killers}
    nothing = [test for test in alone if test not in killing]
    return nothing, [test for test, is_alone in alone.items() if not is_alone and test in killing]


def write_matrix(path: Path, parts: Mapping[str, Sequence[Tried]]) -> None:
    """Write the kill matrix: a row for each test, a column for each mutant; 1 killed, 0 not, empty where not run."""
    columns = [(part, each) for part, tried in parts.items() for each in tried]
    ended = [{entry.key: entry.verdict.outcome != "passed" for entry in each.noted} for _, each in columns]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["part", "test", *(str(each.mutant) for _, each in columns)])
        for part, tried in parts.items():
            for test in dict.fromkeys(entry.key for each in tried for entry in each.noted):
                cells = [
                    "" if owner != part or test not in kills else int(kills[test])
                    for (owner, _), kills in zip(columns, ended, strict=True)
                ]
                writer.writerow([part, test, *cells])
