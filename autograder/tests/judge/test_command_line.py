"""`micrograder judge` as a person and a program see it: exit codes, one-line errors, and a verdict that can be read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder import cli
from autograder.course import Course
from autograder.judge import judge as judging
from autograder.judge.verdict import Verdict
from autograder.judge.zygote import ZygoteError

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], small: None, course: Course) -> Run:
    """run("judge", ...): exit code, output, error output; called in the course's folder."""
    monkeypatch.chdir(course.root)

    def call(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["micrograder", *words])
        with pytest.raises(SystemExit) as left:
            cli.main()
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return call


@pytest.fixture
def handed_in(tmp_path: Path, reference: str) -> Path:
    (tmp_path / "value.py").write_text(reference)
    return tmp_path


def test_the_json_is_the_verdict(run: Run, handed_in: Path) -> None:
    code, out, err = run("judge", "part4", str(handed_in), "--json", "--seed", "3")
    verdict = Verdict.model_validate(json.loads(out))
    assert (code, err) == (0, "")
    assert (verdict.score, verdict.max, verdict.seed, verdict.part) == (16.0, 16.0, 3, "part4")


def test_a_bad_submission_is_a_verdict_and_no_failure(run: Run, handed_in: Path) -> None:
    (handed_in / "value.py").write_text("def broken(:\n")
    code, out, err = run("judge", "4", str(handed_in))
    assert (code, err) == (0, "")
    assert "part4: 0 of 16 points" in out
    assert "value.py is not valid Python at value.py:1" in out
    assert "Traceback" not in out


def test_a_message_can_be_printed_where_only_ascii_can(handed_in: Path, course: Course) -> None:
    (handed_in / "value.py").write_text("raise ValueError('Gr\u00f6\u00dfe \u4f60')\n", encoding="utf-8")
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(Path(__file__).parents[3])}
    command = [sys.executable, "-m", "autograder.cli", "judge", "part4", str(handed_in), "--course", str(course.root)]
    for extra in ([], ["--json"]):
        done = subprocess.run([*command, *extra], env=environment, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
    problem = json.loads(done.stdout)["problem"]
    assert problem == "importing value.py raised ValueError at value.py:1: Gr\u00f6\u00dfe \u4f60"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["part4", "{here}/nothing"], "does not exist"),
        (["part4", "{here}/" + "n" * 5_000], "File name too long"),
        (["part4", "{here}/notes.txt"], "notes.txt is none of part4's graded files"),
        (["part9", "{here}"], "there is no part 'part9'"),
        (["part1", "{here}"], "has no tasks yet"),
        (["part4", "{here}", "--course", "{here}"], "no course here"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_2(run: Run, handed_in: Path, words: list[str], said: str) -> None:
    (handed_in / "notes.txt").write_text("")
    code, out, err = run("judge", *(word.format(here=handed_in) for word in words))
    assert (code, out) == (2, "")
    assert said in err
    assert err.startswith("micrograder: ")
    assert err.count("\n") == 1


def test_a_level_that_is_not_there_is_one_line_and_exit_2(
    run: Run, handed_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.judge.sandbox.bubblewrap.find", lambda: None)
    judging.demand.__globals__["probe"].cache_clear()
    try:
        code, out, err = run("judge", "part4", str(handed_in), "--sandbox", "strong")
    finally:
        judging.demand.__globals__["probe"].cache_clear()
    assert (code, out) == (2, "")
    assert "Level strong is not possible here: bubblewrap is not installed" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("words", [[], ["part4"], ["part4", "x", "--sandbox", "steel"], ["part4", "x", "--nonsense"]])
def test_words_that_cannot_be_understood_are_exit_2(run: Run, words: list[str]) -> None:
    code, _, err = run("judge", *words)
    assert code == 2
    assert "Traceback" not in err


def test_a_judge_that_fails_itself_says_nothing_about_the_submission(
    run: Run, handed_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(level: str) -> None:
        raise ZygoteError("it does not start")

    monkeypatch.setattr("autograder.judge.students.get_zygote", fail)
    code, out, err = run("judge", "part4", str(handed_in))
    assert (code, out) == (3, "")
    assert err.startswith("micrograder: the sandbox (level ")
    assert err.endswith("failed: it does not start\n")
