"""nbgrader in this process, for the kit's own commands: the same steps as the stock commands, one student at a time."""

from __future__ import annotations

from collections.abc import Mapping

from nbgrader.apps import NbGraderAPI
from traitlets.config.loader import Config, PyFileConfigLoader

from autograder.course.manifest import Course
from autograder.gradebook.config import configure


def open_nbgrader(course: Course) -> NbGraderAPI:
    """nbgrader's API on this course, set up as the stock commands are.

    The root's nbgrader_config.py is read where there is one, so that a database named there is used here too.
    """
    if (course.root / "nbgrader_config.py").is_file():
        config = PyFileConfigLoader("nbgrader_config.py", path=str(course.root)).load_config()
    else:
        config = Config()
        configure(config, course.root)
    return NbGraderAPI(config=config)


def problem_of(result: Mapping[str, object]) -> str | None:
    """What went wrong in a call of NbGraderAPI, as one line; None when nothing did."""
    if result.get("success"):
        return None
    errors = [line for line in str(result.get("log", "")).splitlines() if line.startswith("[ERROR]")]
    last = str(result.get("error", "")).strip().splitlines()
    return errors[0].removeprefix("[ERROR]").strip() if errors else last[-1] if last else "nbgrader gave no reason"
