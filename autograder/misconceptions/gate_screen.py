"""The gate's report for a terminal of 80 columns."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from autograder.misconceptions.gate import Report
from autograder.misconceptions.mutation import idle_tests

SHOWN_TESTS = 5


def print_report(report: Report, console: Console) -> bool:
    """Print a line per row and a sentence per breach; returns whether there was none."""
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for row in report.rows:
        holds = row.note or "holds"
        table.add_row(row.what, str(row.held), _count(len(row.breaches)) if row.breaches else holds)
    part = report.part.id
    console.print(f"{part}: the gate")
    console.print(table)
    breaches = [said for row in report.rows for said in row.breaches]
    for said in breaches:
        console.print(Padding(Text(said), (0, 0, 0, 2)))
    console.print(f"{part}: {_count(len(breaches)) if breaches else 'every rule holds'}")
    return not breaches


def _count(breaches: int) -> str:
    return f"{breaches} breach{'es' if breaches > 1 else ''}"


def print_idle_tests(report: Report, console: Console) -> None:
    """Say which tests kill no mutant, or none on their own; only after a run of every test against every mutant."""
    nothing, not_alone = idle_tests(report.mutants)
    console.print(
        f"{report.part.id}: {len(nothing)} tests kill no mutant; {len(not_alone)} kill none that no other test kills"
    )
    for test in nothing[:SHOWN_TESTS]:
        console.print(Padding(Text(test), (0, 0, 0, 2)))
    if len(nothing) > SHOWN_TESTS:
        console.print(Padding(Text(f"and {len(nothing) - SHOWN_TESTS} more; the matrix has them all"), (0, 0, 0, 2)))
