"""The arithmetic of a score, and the document."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction

import pytest
from pydantic import ValidationError

from autograder.judge.verdict import TaskVerdict, TestVerdict, Verdict, task_points

SHARE = Fraction(2, 5)


def letters(public: str, hidden: str) -> list[TestVerdict]:
    """One test per letter: p for a passed one, anything else failed."""
    kinds = [("public", letter) for letter in public] + [("hidden", letter) for letter in hidden]
    return [
        TestVerdict(name=str(i), visibility=kind, outcome="passed" if letter == "p" else "failed")  # type: ignore[arg-type]
        for i, (kind, letter) in enumerate(kinds)
    ]


@pytest.mark.parametrize(
    ("public", "hidden", "expected"),
    [
        ("pp", "pppp", Fraction(3)),
        ("p.", "....", Fraction(3, 5)),
        ("..", "p...", Fraction(9, 20)),
        ("p.", "ppp.", Fraction(3, 5) + Fraction(27, 20)),
        ("pp", "", Fraction(3)),
        ("", "p..", Fraction(1)),
        ("..", "....", Fraction(0)),
    ],
)
def test_a_share_is_split_evenly_over_its_tests(public: str, hidden: str, expected: Fraction) -> None:
    assert task_points(Fraction(3), SHARE, letters(public, hidden)) == expected


def test_a_full_score_is_exactly_the_maximum() -> None:
    for points, public, hidden in itertools.product((Fraction("0.1"), Fraction("0.7"), Fraction(3)), (3, 7), (6, 11)):
        earned = [task_points(points, SHARE, letters("p" * public, "p" * hidden)) for _ in range(10)]
        assert sum(earned, Fraction(0)) == 10 * points


@pytest.mark.parametrize("outcome", ["failed", "not_done", "blocked", "error", "timeout", "crashed"])
def test_only_a_passed_test_earns(outcome: str) -> None:
    test = TestVerdict(name="t", visibility="hidden", outcome=outcome)  # type: ignore[arg-type]
    assert task_points(Fraction(3), SHARE, [test]) == 0


def test_the_document_has_the_agreed_shape() -> None:
    verdict = Verdict(
        part="part4",
        sandbox="good",
        suite="s",
        submission="t",
        seed=3,
        score=1.5,
        max=2.0,
        tasks=[TaskVerdict(id="4.1", title="closure of +", score=1.5, max=2.0, tests=letters("p", "."))],
    )
    document = json.loads(verdict.to_json())
    assert list(document) == [
        *("schema", "part", "sandbox", "suite", "submission", "seed", "score", "max", "problem", "tasks", "flags")
    ]
    assert document["schema"] == 1
    assert list(document["tasks"][0]["tests"][1]) == ["name", "visibility", "outcome", "message", "seconds"]
    assert Verdict.model_validate(document) == verdict


def test_an_unknown_outcome_is_refused() -> None:
    with pytest.raises(ValidationError):
        TestVerdict(name="t", visibility="hidden", outcome="skipped")  # type: ignore[arg-type]
