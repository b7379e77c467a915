"""Run a part's public tests in its folder, in a process of their own, and say which tasks pass. Also the script for it.

The tests run with that folder's own conftest.py, so that a task passes here exactly if it is done there.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

LONGEST = 120.0  # seconds for all tests of a part; they take about one


def passing_tasks(folder: Path) -> set[str]:
    """The ids of the tasks of which every public test passes; empty when the tests cannot run or do not end."""
    with tempfile.TemporaryDirectory(prefix="micrograder-") as temporary:
        answer = Path(temporary, "answer.json")
        command = [sys.executable, str(Path(__file__)), str(answer)]
        try:
            subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=LONGEST)
            found = json.loads(answer.read_text(encoding="utf-8"))
        except (OSError, ValueError, subprocess.TimeoutExpired):
            return set()
    return {task for task, (passed, tests) in found.items() if passed == tests}


class _Count:
    """A pytest plugin: per task how many tests passed, and how many there are."""

    def __init__(self) -> None:
        self.tasks: dict[str, list[int]] = {}
        self._task: dict[str, str] = {}

    def pytest_collection_modifyitems(self, items: list) -> None:
        for item in items:
            marker = item.get_closest_marker("task")
            if marker and marker.args and item.path.name == "test_public.py":
                self._task[item.nodeid] = marker.args[0]
                self.tasks.setdefault(marker.args[0], [0, 0])[1] += 1

    def pytest_runtest_logreport(self, report) -> None:
        if report.when == "call" and report.passed and report.nodeid in self._task:
            self.tasks[self._task[report.nodeid]][0] += 1


def _main(answer: str) -> None:
    sys.path[0] = ""  # not this file's own folder, whose modules could be taken for the student's
    import pytest

    count = _Count()
    pytest.main([], plugins=[count])
    Path(answer).write_text(json.dumps(count.tasks), encoding="utf-8")


if __name__ == "__main__":
    _main(sys.argv[1])
