"""A student's folder to run pytest in: the support files, a small suite, an engine; and the screens to hold it to."""

import hashlib
import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

MATERIAL = Path(__file__).parent / "material"
GOLDEN = Path(__file__).parent / "golden"
SUPPORT = Path(__file__).parents[2] / "student"


@dataclass
class Folder:
    """A released folder. run() is what a student types there."""

    path: Path
    python: str = sys.executable

    def engine(self, name: str, *changes: tuple[str, str]) -> "Folder":
        """Put an engine of material/ in as value.py, each change's first text replaced by its second once."""
        text = (MATERIAL / f"{name}.py").read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        self.write("value.py", text)
        return self

    def write(self, name: str, text: str) -> None:
        (self.path / name).write_text(text, encoding="utf-8", newline="\n")

    def names(self) -> set[str]:
        return {path.name for path in self.path.iterdir()} - {"__pycache__"}

    def run(self, *arguments: str, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
        return self._python("-m", "pytest", *arguments, cwd=cwd, **environment)

    def kit(self, *arguments: str, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
        """python kit.py ..."""
        return self._python(str(self.path / "kit.py"), *arguments, cwd=cwd, **environment)

    def run_file(self, name: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return self._python(name, cwd=None, **environment)

    def _python(self, *arguments: str, cwd: Path | None, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.python, *arguments],
            cwd=cwd or self.path,
            env=student_environment(**environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=100,
        )


def student_environment(**more: str) -> dict[str, str]:
    """This process's environment without what would change a student's run."""
    ours = ("PYTEST_", "HYPOTHESIS_", "COLUMNS", "FORCE_COLOR", "PY_COLORS", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "PYTHONIOENCODING": "utf-8", **more}


def make_folder(path: Path) -> Folder:
    shutil.copytree(SUPPORT, path, ignore=shutil.ignore_patterns("__pycache__"))
    (path / "__init__.py").unlink()
    suite = (MATERIAL / "suite.py").read_bytes()
    (path / "test_public.py").write_bytes(suite)
    description = (MATERIAL / "part.json").read_text(encoding="utf-8")
    (path / "part.json").write_text(
        description.replace("SUITE", hashlib.sha256(suite).hexdigest()[:16]), encoding="utf-8"
    )
    return Folder(path).engine("right")


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return make_folder(tmp_path / "part4")


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Hold a screen against golden/NAME.txt; with MICROGRADER_WRITE_GOLDEN=1 it is written there instead."""

    def compare(name: str, screen: str) -> None:
        file = GOLDEN / f"{name}.txt"
        if os.environ.get("MICROGRADER_WRITE_GOLDEN"):
            file.write_text(screen, encoding="utf-8", newline="\n")
        assert screen == file.read_text(encoding="utf-8")
        assert max(len(line) for line in screen.splitlines()) <= 80
        assert "\x1b" not in screen
        assert "Traceback" not in screen

    return compare


@pytest.fixture(scope="session")
def kit() -> ModuleType:
    """kit.py as a notebook in a released folder imports it."""
    sys.path.insert(0, str(SUPPORT))
    try:
        return importlib.import_module("kit")
    finally:
        sys.path.remove(str(SUPPORT))
