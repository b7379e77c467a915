"""Flags: what is evidence for a human, and what is not."""

from __future__ import annotations

import pytest

from autograder.judge.flags import flags
from autograder.judge.plugin import Noted
from autograder.judge.verdict import Outcome, TestVerdict, Visibility


def ran(task: str, outcome: Outcome, visibility: Visibility = "hidden", needs: tuple[str, ...] = ()) -> Noted:
    verdict = TestVerdict(name=f"test_of_{task}", visibility=visibility, outcome=outcome)
    return Noted(f"{task}::{visibility}", task, needs, verdict)


def ids(source: str, *noted: Noted) -> dict[str, str]:
    return {flag.id: flag.evidence for flag in flags({"value.py": source.encode()}, noted)}


@pytest.mark.parametrize(
    ("source", "evidence"),
    [
        ("\n\nimport torch", "value.py:3 imports torch"),
        ("from numpy.linalg import norm", "value.py:1 imports numpy.linalg"),
        ("def f():\n    import micrograd.engine as m", "value.py:2 imports micrograd.engine"),
    ],
)
def test_another_library_is_named_with_its_line(source: str, evidence: str) -> None:
    assert ids(source) == {"other-library": evidence}


@pytest.mark.parametrize(
    ("source", "evidence"),
    [
        ("import gc", "value.py:1 imports gc"),
        ("import sys\nx = sys._getframe(2)", "value.py:2 uses _getframe"),
        ("def f(g):\n    return g.__closure__", "value.py:2 uses __closure__"),
        ("import os\nos.write(5, b'x')", "value.py:2 uses os.write"),
        ("import sys\nsys.setrecursionlimit(10**6)", "value.py:2 uses setrecursionlimit"),
    ],
)
def test_looking_around_in_the_process_is_named_with_its_line(source: str, evidence: str) -> None:
    assert ids(source) == {"looks-around": evidence}


def test_ordinary_code_has_no_flag() -> None:
    source = "import math\nclass Value:\n    def write(self):\n        return self.read() + math.tanh(self.data)\n"
    assert ids(source, ran("4.1", "passed"), ran("4.5", "failed", needs=("4.1",))) == {}


def test_a_file_that_is_no_python_has_no_flag_of_its_source() -> None:
    assert ids("import torch\nclass Value") == {}
    assert ids("import torch\0") == {}


def test_right_gradients_without_the_closures_they_are_made_of_are_pointed_out() -> None:
    found = ids("", ran("4.1", "failed"), ran("4.2", "passed"), ran("4.5", "passed", needs=("4.1", "4.2")))
    assert found["another-way"].startswith("4.5 passes test_of_4.5 although 4.1 passes none of its tests;")


def test_a_test_that_passed_with_the_reference_grafted_in_is_no_evidence() -> None:
    excused = ran("4.5", "passed", needs=("4.1",))
    excused.verdict.message = "judged with the kit's own 4.1 in place of yours"
    assert ids("", ran("4.1", "failed"), excused) == {}


def test_a_task_that_only_knows_the_published_numbers_is_pointed_out() -> None:
    known = [ran("3.2", "passed", "public"), ran("3.2", "failed"), ran("3.5", "passed", "public")]
    assert ids("", *known, ran("3.5", "passed"))["published-only"].startswith("3.2: every public test passes")


def test_evidence_has_a_length_that_a_page_can_hold() -> None:
    many = "\n".join(f"import numpy.part{number}" for number in range(500))
    assert len(ids(many)["other-library"]) <= 400
