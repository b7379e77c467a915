"""Starts the jail's test driver at a level and as a user, and demands levels where a machine must have them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PACKAGE = HERE.parent.parent
ORDINARY_USER = 12345
LEVELS = ("weak", "good", "strong")


def unavailable(level: str, reason: str) -> None:
    """Skip; but fail where MICROGRADER_DEMAND_LEVEL names this level or a better one, as it does in CI."""
    demanded = os.environ.get("MICROGRADER_DEMAND_LEVEL")
    if demanded and LEVELS.index(level) <= LEVELS.index(demanded):
        pytest.fail(f"level {demanded} is demanded here, but: {reason}")
    pytest.skip(reason)


class Driver:
    """The driver process; `ask` sends one request and returns its answer."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.about = self.read()

    def read(self) -> dict:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the driver ended without an answer"
        return json.loads(line)

    def ask(self, do: str, **request: object) -> dict:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"do": do, **request}) + "\n")
        self.process.stdin.flush()
        return self.read()

    def run(self, snippet: str, **request: object) -> dict:
        return self.ask("run", snippet=snippet, **request)


def ordinary_python(tree: Path) -> str | None:
    """A Python that an ordinary user can start: this one's base, or the system's if it is new enough."""
    base = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    for candidate in (base, "/usr/bin/python3"):
        test = [candidate, "-I", "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
        try:
            code = subprocess.run(test, user=ORDINARY_USER, group=ORDINARY_USER, extra_groups=[], cwd=tree, check=False)
        except OSError:
            continue
        if code.returncode == 0:
            return candidate
    return None


@contextmanager
def tree() -> Iterator[Path]:
    """A copy of what the driver needs, where every user can read it."""
    folder = Path(tempfile.mkdtemp(prefix="micrograder-jail-"))
    folder.chmod(0o777)
    judge = folder / "autograder" / "judge"
    judge.mkdir(parents=True)
    for name in ("sandbox.py", "bubblewrap.py"):
        shutil.copy(PACKAGE / "judge" / name, judge)
    for worker in (folder / "autograder" / "worker", folder / "bench" / "worker"):
        shutil.copytree(PACKAGE / "worker", worker, ignore=shutil.ignore_patterns("__pycache__"))
    for package in (judge, judge.parent):
        (package / "__init__.py").touch()
    shutil.copy(HERE / "jail_workbench.py", folder / "bench" / "worker" / "workbench.py")
    shutil.copy(HERE / "jail_driver.py", folder / "driver.py")
    subprocess.run(["chmod", "-R", "a+rX", str(folder)], check=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def driver(level: str, ordinary: bool) -> Iterator[Driver]:
    """A driver at that level, as this user or (when this is root) as an ordinary one; skips where there is none."""
    with tree() as folder:
        python, identity = sys.executable, {}
        if ordinary:
            if os.geteuid() != 0:
                pytest.skip("this is an ordinary user already")
            found = ordinary_python(folder)
            if found is None:
                pytest.skip("an ordinary user can start no Python >= 3.11 here")
            python, identity = found, {"user": ORDINARY_USER, "group": ORDINARY_USER, "extra_groups": []}
        process = subprocess.Popen(
            [python, "-I", "-S", "-B", str(folder / "driver.py"), level],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            **identity,
        )
        try:
            running = Driver(process)
            if not running.about["works"]:
                unavailable(level, running.about["sentence"])
            yield running
        finally:
            process.kill()
            process.communicate()
