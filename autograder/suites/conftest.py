"""Runs a part's suites by hand: pytest autograder/suites/part4 --submission PATH [--in-process].

The judge brings its own plugin and needs none of this. --in-process is for debugging code of our own: it imports the
files into pytest's process, where a submission could do anything.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.course import find_root, load_course
from autograder.course.code import given_files
from autograder.judge.plugin import JudgePlugin
from autograder.judge.sandbox import available
from autograder.judge.students import InProcess, Remote
from autograder.judge.submission import read_submission


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the submission's path and the way to run it."""
    group = parser.getgroup("micrograder")
    group.addoption("--submission", type=Path, help="the folder or file whose code the suites are held against")
    group.addoption("--in-process", action="store_true", help="import it here, without a worker: own code only")


def pytest_configure(config: pytest.Config) -> None:
    """Register the judge's plugin for the part whose folder was named, unless the judge itself is running."""
    if any(isinstance(plugin, JudgePlugin) for plugin in config.pluginmanager.get_plugins()):
        return
    path: Path | None = config.getoption("--submission")
    if path is None:
        raise pytest.UsageError("say which code the suites are held against: --submission PATH")
    folders = {Path(argument.partition("::")[0]).resolve() for argument in config.args}
    names = {name for folder in folders for name in (folder.name, folder.parent.name) if name.startswith("part")}
    if len(names) != 1:
        raise pytest.UsageError("name one part's suites, for example autograder/suites/part4")
    course = load_course(find_root(Path(__file__).parent))
    part = course.part(names.pop())
    if config.getoption("--in-process"):
        student = InProcess(path if path.is_dir() else path.parent)
    else:
        sources = {**given_files(course, part), **read_submission(part, path).sources}
        student = Remote(available(), sources, seed=0)
    config.pluginmanager.register(JudgePlugin(part, student))
