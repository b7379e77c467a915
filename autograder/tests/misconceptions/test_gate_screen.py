"""The gate's report on a terminal of 80 columns, and what the command line refuses."""

from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from autograder import cli
from autograder.course import CourseError, find_root, load_course
from autograder.misconceptions import gate as gating
from autograder.misconceptions.gate import Report
from autograder.misconceptions.gate_screen import print_report
from autograder.misconceptions.rows import Row

PART = load_course(find_root(Path(__file__))).part("part4")
GOOD = Row("the same in one process and through the judge", 71)
NOTED = Row("  killed by public tests alone", 217, note="92%, shown only")
BROKEN = Row(
    "pairs of tasks: own points only, both ways", 13, ["4.5 is right and 4.4 wrong, and a test fails; do this"]
)


def printed(rows):
    console = Console(width=80, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    passed = print_report(Report(PART, rows, []), console)
    lines = console.export_text().splitlines()
    assert max(len(line) for line in lines) <= 80
    return passed, [" ".join(line.split()) for line in lines]


def test_a_row_without_a_breach_holds_and_a_note_is_shown_in_its_place():
    passed, text = printed([GOOD, NOTED])
    assert passed is True
    assert "the same in one process and through the judge 71 holds" in text
    assert "killed by public tests alone 217 92%, shown only" in text
    assert "part4: every rule holds" in text


def test_a_breach_is_counted_said_and_fails_the_part():
    passed, text = printed([GOOD, BROKEN])
    assert passed is False
    assert "pairs of tasks: own points only, both ways 13 1 breach" in text
    assert "4.5 is right and 4.4 wrong, and a test fails; do this" in text
    assert "part4: 1 breach" in text


@pytest.mark.parametrize(("rows", "code"), [([GOOD], 0), ([GOOD, BROKEN], 1)])
def test_the_command_ends_with_1_when_a_rule_is_broken(monkeypatch, rows, code):
    monkeypatch.setattr(gating, "gate", lambda course, parts, size, every_test: [Report(PART, rows, [])])
    assert CliRunner().invoke(cli.app, ["gate", "4"]).exit_code == code


def test_a_matrix_without_mutants_is_refused_with_a_reason():
    found = CliRunner().invoke(cli.app, ["gate", "4", "--size", "short", "--matrix", "m.csv"])
    assert isinstance(found.exception, CourseError)
    assert "no matrix to write" in str(found.exception)
