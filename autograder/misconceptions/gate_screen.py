"""The gate's report for a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from autograder.course import Part
from autograder.misconceptions.gate import Row


def print_rows(part: Part, rows: list[Row], console: Console) -> bool:
    """Print a line per row and a sentence per breach; returns whether there was none."""
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for row in rows:
        table.add_row(row.what, str(row.held), f"{len(row.breaches)} breaches" if row.breaches else "holds")
    console.print(f"{part.id}: the gate")
    console.print(table)
    breaches = [said for row in rows for said in row.breaches]
    for said in breaches:
        console.print(Padding(Text(said), (0, 0, 0, 2)))
    console.print(f"{part.id}: {'every rule holds' if not breaches else f'{len(breaches)} breaches'}")
    return not breaches
