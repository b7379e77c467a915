"""Grading with real judges in real processes, killed for real."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autograder.tests.grading.conftest import database
from autograder.tests.grading.test_grade import tree
from autograder.tests.processes import children, gone

PROGRAM = [sys.executable, "-m", "autograder.tests.grading.grade_small"]


def call(what: str, root: Path) -> str:
    return subprocess.run([*PROGRAM, what, root], check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("made") / "course"
    call("make", root)
    return root


@pytest.fixture(scope="module")
def undisturbed(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("undisturbed") / "course"
    shutil.copytree(made, root)
    said = call("grade", root)
    assert "6 submissions: 6 graded, 0 unchanged, 0 ungraded" in said
    assert "Grading: 6 of 6 (" in said
    return root


@pytest.mark.parametrize("lines", [0, 1, 4])
def test_killed_and_run_again_it_gives_what_an_undisturbed_run_gives(made, undisturbed, tmp_path, lines):
    root = tmp_path / "course"
    shutil.copytree(made, root)
    journal = root / ".micrograder" / "journal" / "part4.jsonl"
    process = subprocess.Popen([*PROGRAM, "grade", root], stdout=subprocess.PIPE, start_new_session=True, text=True)
    assert process.stdout is not None
    while lines and (not journal.exists() or journal.read_bytes().count(b"\n") < lines):
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.002)
    if not lines:
        time.sleep(1.0)  # somewhere in its start
    judges = children(process.pid)
    process.send_signal(signal.SIGKILL)
    process.wait()
    gone(judges)
    call("grade", root)
    assert database(root / "gradebook.db") == database(undisturbed / "gradebook.db")
    assert tree(root / "autograded") == tree(undisturbed / "autograded")


def test_nbgrader_autograde_afterwards_and_before_shares_what_is_known(made, undisturbed, tmp_path):
    root = tmp_path / "course"
    shutil.copytree(made, root)
    call("stock", root)
    assert database(root / "gradebook.db") == database(undisturbed / "gradebook.db")
    assert "6 submissions: 0 graded, 6 unchanged, 0 ungraded; 0 judged" in call("grade", root)
