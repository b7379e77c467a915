"""Every golden folder gets the verdict that stands in it; golden_verdicts.py says how they are written anew."""

from __future__ import annotations

import json

import pytest

from autograder.course import Course
from autograder.tests.judge.golden_verdicts import GOLDEN, judged, kept, scenarios

RIGHT = {"reference", "prints_10_mb"}


@pytest.mark.parametrize("scenario", scenarios())
def test_the_verdict_on_a_golden_folder_is_the_expected_one(course: Course, small: None, scenario: str) -> None:
    expected = json.loads((GOLDEN / scenario / "expected.json").read_text(encoding="utf-8"))
    assert kept(judged(course, scenario)) == expected


@pytest.mark.parametrize("scenario", [name for name in scenarios() if name not in RIGHT])
def test_whoever_is_wrong_is_told_why(scenario: str) -> None:
    expected = json.loads((GOLDEN / scenario / "expected.json").read_text(encoding="utf-8"))
    assert expected["score"] < 16.0
    for task in expected["tasks"].values():
        for said in task["tests"].values():
            assert said == "passed: " or len(said.partition(": ")[2]) > 10


def test_there_is_a_golden_folder_for_every_kind_of_bad_input() -> None:
    zero = [name for name in scenarios() if json.loads((GOLDEN / name / "expected.json").read_text())["score"] == 0]
    assert {"stub", "blank", "all_none", "missing_file", "syntax_error", "missing_class"} <= set(zero)
    assert {"raises_at_import", "loops_at_import", "exits_at_import"} <= set(zero)
