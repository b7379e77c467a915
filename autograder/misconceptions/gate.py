"""The gate: holds the suites against stubs, constants, the reference, right and wrong engines and mutants.

It changes nothing and reports breaches. What it demands is listed in the report's rows; what a row means stands in the
module that makes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from autograder.build.assignment import part_files
from autograder.course import Course, Part
from autograder.course.code import worked_solution
from autograder.judge.plugin import Noted
from autograder.judge.verdict import Verdict
from autograder.misconceptions.bank import FOLDER, Bank, Engine, Entry, Workshop, load_bank
from autograder.misconceptions.constants import CONSTANTS, constant_bodies
from autograder.misconceptions.fingerprints import load
from autograder.misconceptions.handout import handout_rows
from autograder.misconceptions.mutants import Mutant
from autograder.misconceptions.mutation import (
    ENGINE,
    Tried,
    listed,
    load_equivalents,
    mutated,
    mutation_rows,
    part_mutants,
    trial_of,
)
from autograder.misconceptions.pairs import Pair, pairs_row, wrong_files, wrong_tasks
from autograder.misconceptions.record import stale
from autograder.misconceptions.rows import Row
from autograder.misconceptions.runs import Pool, Run, judged, references
from autograder.misconceptions.trials import Trial

REFERENCE_RUNS = 20
SHORT_RUNS = 3
GRAPHS = 2_000
LONG_GRAPHS = 100_000

# Tests that end in another way in one process than through the judge, by the nature of the two, with the reason.
# By part, engine and test. A crash or a loop that never ends is no such case: it is "not passed" in both.
_NUMBERS = "Equal numbers may be one object in one process; over the pipe each that is sent is an object of its own."
DIFFERENT_BY_NATURE: dict[tuple[str, str, str], str] = {
    ("part6", "parameters-are-numbers (6.4)", test): _NUMBERS
    for test in (
        "public test_a_network_counts_its_parameters",
        "hidden test_the_number_of_parameters_follows_from_the_sizes",
    )
}


# How much the gate does. short: no mutants, no pairs, the reference three times, for every further Python; long: full,
# with 100,000 graphs for each listed mutant, and every mutant held against every test.
Size = Literal["short", "full", "long"]


@dataclass(frozen=True)
class Case:
    """A submission of ours, and what is demanded of its verdict: that of its row."""

    row: str
    name: str
    files: dict[str, bytes]
    wrong: tuple[Entry, Engine] | None = None


@dataclass
class Report:
    """What was found of one part."""

    part: Part
    rows: list[Row]
    mutants: list[Tried]


STUB, OPEN, CONSTANT, REFERENCE, RIGHT, WRONG, SAME = (
    "stub: not done, 0 points",
    "each task's stub over the finished others",
    "constant bodies: 0 points for their task",
    "reference: full points under other hash seeds",
    "right engines: full points",
    "wrong engines: lose only their tasks, are named",
    "the same in one process and through the judge",
)


def gate(course: Course, parts: Sequence[Part], size: Size = "full", *, every_test: bool = False) -> Iterator[Report]:
    """Everything that the gate holds against the parts' suites, part by part.

    every_test   hold every mutant against every test and not only to the first that kills it, as the long size does
    Raises CourseError and JudgeError as the judge does.
    """
    everything = {part.id: part_mutants(course, part) for part in course.written_parts} if size != "short" else {}
    runs = SHORT_RUNS if size == "short" else REFERENCE_RUNS
    # Half of them with the official seed, the others each with another one.
    seeds = [0 if number < (runs + 1) // 2 else number for number in range(runs)]
    whole = every_test or size == "long"
    with Pool(course) as pool:
        # All trials are begun before anything is judged, so that no core is idle while judges start or a part ends.
        gates = [_Gate(course, part, size, pool, everything, whole) for part in parts]
        found = references(course, parts, seeds)
        for each in gates:
            yield each.report(found[each.part.id])


class _Gate:
    """One part's turn. Its trials are begun at once and waited for last: they go on while judges start and end."""

    def __init__(
        self,
        course: Course,
        part: Part,
        size: Size,
        pool: Pool,
        everything: Mapping[str, list[Mutant]],
        whole: bool,
    ) -> None:
        self.course, self.part, self.size = course, part, size
        self.bank, self.workshop = load_bank(part), Workshop(course, part)
        self.everything = everything
        self.cases = list(_cases(course, part, self.bank, self.workshop))
        self.mutants = everything.get(part.id, [])
        self.constants = [(task.id, constant) for task in part.tasks for constant in CONSTANTS]
        self.waits = [pool.tried(part, trials) for trials in self._trials(whole)]
        self.equivalents = load_equivalents()
        self.engines = [each for each in self.mutants if each.file == ENGINE and listed(each, self.equivalents)]
        graphs = LONG_GRAPHS if size == "long" else GRAPHS
        self.comparing = pool.disagreements([self._engines(mutant) for mutant in self.engines], graphs)

    def report(self, reference: list[Run]) -> Report:
        cases = self.cases
        pairs = frozenset[Pair]().union(*(run.pairs for run in reference)) if self.size != "short" else frozenset()
        wrong = wrong_tasks(pairs)
        together = [wrong_files(self.course, self.part, tasks) for tasks in wrong]
        both = list(judged(self.course, self.part, [*(case.files for case in cases), *together]))
        runs, later = both[: len(cases)], both[len(cases) :]
        verdicts = {tasks: run.verdict for tasks, run in zip(wrong, later, strict=True)}
        same, stubs, constant, mutation = (wait() for wait in self.waits)
        rows = [*self._judged_rows(cases, runs, reference), open_row(self.part, stubs)]
        rows.append(constants_row(self.constants, constant))
        rows.append(same_row(self.part, [case.name for case in cases if case.row != STUB], runs[1:], same))
        rows.append(self._fingerprints())
        tried = [Tried(mutant, noted) for mutant, noted in zip(self.mutants, mutation, strict=True)]
        if self.size != "short":
            disagreements = dict(zip(self.engines, self.comparing(), strict=True))
            all_mutants = [mutant for each in self.everything.values() for mutant in each]
            rows.append(pairs_row(pairs, verdicts))
            rows += mutation_rows(self.part, tried, self.equivalents, all_mutants, disagreements)
        return Report(self.part, [*rows, *handout_rows(self.course, self.part)], tried)

    def _trials(self, whole: bool) -> tuple[list[Trial], list[Trial], list[Trial], list[Trial]]:
        worked = self.workshop.worked
        return (
            [Trial(case.files, grafted=True) for case in self.cases if case.row != STUB],
            [
                Trial(worked_solution(self.course, self.part, but=task.id), (task.id,), only=True)
                for task in self.part.tasks
            ],
            [
                Trial(constant_bodies(self.course, self.part, (task,), constant), (task,), only=True)
                for task, constant in self.constants
            ],
            [trial_of(mutated(self.course, self.part, worked, each), each, whole=whole) for each in self.mutants],
        )

    def _engines(self, mutant: Mutant) -> tuple[bytes, bytes]:
        worked = self.workshop.worked
        return worked[ENGINE], mutated(self.course, self.part, worked, mutant)[ENGINE]

    def _judged_rows(self, cases: list[Case], runs: list[Run], reference: list[Run]) -> list[Row]:
        rows = {what: Row(what) for what in (STUB, REFERENCE, RIGHT, WRONG)}
        for number, run in enumerate(reference):
            rows[REFERENCE].held += 1
            name = f"run {number} of the reference (hash seed {number}, seed {run.verdict.seed})"
            rows[REFERENCE].breaches += [f"{name}: {said}" for said in _losses(run.verdict)]
        for case, run in zip(cases, runs, strict=True):
            rows[case.row].held += 1
            rows[case.row].breaches += [f"{case.name}: {said}" for said in _breaches(case, run.verdict)]
        return list(rows.values())

    def _fingerprints(self) -> Row:
        row = Row("fingerprints: recorded from what stands here", len(self.bank.misconception))
        recorded = load(FOLDER / f"{self.part.id}.json")
        if self.bank.misconception and stale(self.bank, self.workshop, recorded):
            row.breaches.append(
                f"{self.part.id}.json is stale; run: python -m autograder.misconceptions.record {self.part.id}"
            )
        return row


def _cases(course: Course, part: Part, bank: Bank, workshop: Workshop) -> Iterator[Case]:
    stub = {name: content for name, content in part_files(course, part).items() if name in part.graded}
    yield Case(STUB, "the stub", stub)
    for name, files in bank.right.items():
        yield Case(RIGHT, f"right/{part.id}/{name}", workshop.right(files))
    for entry in bank.misconception:
        for engine in entry.engine:
            yield Case(WRONG, f"{entry.id} ({engine.name})", workshop.wrong(entry, engine), (entry, engine))


def _breaches(case: Case, verdict: Verdict) -> Iterator[str]:
    if verdict.problem:
        yield f"could not be judged: {verdict.problem}"
    elif case.row == STUB:
        yield from _stub_breaches(verdict)
    elif case.wrong is None:
        yield from _losses(verdict)
    else:
        yield from _wrong_breaches(*case.wrong, verdict)


def _losses(verdict: Verdict) -> Iterator[str]:
    for task in verdict.tasks:
        for test in task.tests:
            if test.outcome != "passed":
                yield f"fails {test.name} of {task.id} ({test.message}); the test demands too much, or it is wrong"


def _stub_breaches(verdict: Verdict) -> Iterator[str]:
    if verdict.score:
        yield f"earns {verdict.score:g} points; find the test that passes and make it ask for something"
    for task in verdict.tasks:
        strange = [test for test in task.tests if test.outcome not in ("not_done", "blocked")]
        if strange:
            yield f"{strange[0].name} of {task.id} ends as {strange[0].outcome}; it must meet the task's TODO first"


def _wrong_breaches(entry: Entry, engine: Engine, verdict: Verdict) -> Iterator[str]:
    for task in verdict.tasks:
        wrong = [test.name for test in task.tests if test.outcome != "passed"]
        if task.id not in engine.fails:
            if wrong:
                yield f"fails {wrong[0]} of {task.id} too; name the tasks it stands on with needs=, or correct `fails`"
            continue
        if not wrong:
            yield f"passes {task.id}; write a test that tells it from the reference"
        elif task.misconception is None:
            yield f"{task.id}: is not named; record anew, or write a test that tells it from its neighbours"
        elif (task.misconception.id, task.misconception.certainty) != (entry.id, engine.named):
            found = f"{task.misconception.id} ({task.misconception.certainty})"
            yield f"{task.id}: is named {found}; write a test that tells the two apart, and record anew"


def open_row(part: Part, tried: Sequence[list[Noted]]) -> Row:
    """Hold the tests of each task that is a stub, over the finished others, against the rule: they say "not done".

    In the stub of the whole part a test may meet the TODO of another task first and say nothing of its own.
    """
    row = Row(OPEN, len(part.tasks))
    for task, noted in zip(part.tasks, tried, strict=True):
        outcomes = {entry.verdict.outcome for entry in noted}
        if "not_done" not in outcomes:
            row.breaches.append(f"no test of {task.id} says that it is not done; one of them has to meet its own TODO")
        row.breaches += [
            f"{entry.verdict.name} of {task.id} ends as {entry.verdict.outcome} when {task.id} alone is a stub; it has "
            "to meet the TODO first"
            for entry in noted
            if entry.verdict.outcome not in ("not_done", "blocked")
        ]
    return row


def constants_row(constants: Sequence[tuple[str, str]], tried: Sequence[list[Noted]]) -> Row:
    """Hold the tests of a task whose body is a constant against the rule that none passes."""
    row = Row(CONSTANT, len(constants))
    for (task, constant), noted in zip(constants, tried, strict=True):
        passed = [entry.verdict.name for entry in noted if entry.verdict.outcome == "passed"]
        if passed or not noted:
            which = passed[0] if passed else "every test, as it has none"
            row.breaches.append(
                f"{task} with a body of {constant} passes {which}; make the test ask for something that such a body "
                "can't give"
            )
    return row


def same_row(part: Part, names: Sequence[str], runs: Sequence[Run], tried: Sequence[list[Noted]]) -> Row:
    """Hold what happened in one process against what the judge said: each test passes in both or in neither."""
    row = Row(SAME, len(names))
    known = 0
    for name, run, noted in zip(names, runs, tried, strict=True):
        here = {entry.key: entry.verdict.outcome == "passed" for entry in noted}
        there = {f"{t.visibility} {t.name}": t.outcome == "passed" for task in run.verdict.tasks for t in task.tests}
        for test in sorted(here.keys() | there.keys()):
            if here.get(test) == there.get(test):
                continue
            if (part.id, name, test) in DIFFERENT_BY_NATURE:
                known += 1
                continue
            ways = ("passes", "fails") if there.get(test) else ("fails", "passes")
            row.breaches.append(
                f"{name} {ways[0]} {test} through the judge and {ways[1]} it in one process; find out which of the two "
                "is wrong, or give the reason in DIFFERENT_BY_NATURE"
            )
    row.note = f"{known} tests differ by nature" if known else ""
    return row
