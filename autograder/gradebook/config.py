"""Everything nbgrader has to be told for this course; the root's nbgrader_config.py only calls configure()."""

from __future__ import annotations

import os
import shutil
import sysconfig
import warnings
from pathlib import Path

import nbgrader
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ComputeChecksums,
    GetGrades,
    LimitOutput,
    LockCells,
    OverwriteCells,
    OverwriteKernelspec,
    SaveCells,
)
from sqlalchemy.exc import SAWarning
from traitlets.config import Config

from autograder.course.manifest import load_course
from autograder.gradebook import autograde
from autograder.gradebook.exchange import FeedbackToSenders, make_exchange
from autograder.gradebook.guides import MarkingGuides
from autograder.gradebook.late import LateRule, watch_marks
from autograder.gradebook.preprocessors import (
    AnswerComments,
    DropCells,
    JudgeVerdicts,
    MarkUngraded,
    PutCourse,
    RebuildFromRelease,
    RefreshPenalty,
    SaveScores,
    WaitingAnswers,
)
from autograder.gradebook.zip_collect import LmsCollector, LmsExtractor

TEMPLATES = Path(__file__).parent / "templates"
FORMGRADER = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader"

# Never copied, neither to students nor back. Nothing secret may stand in assignments/ in the first place; the hidden
# suites' names are here only so that a slip of the hand stays at home.
IGNORE = [
    ".ipynb_checkpoints",
    "*.pyc",
    "__pycache__",
    "feedback",
    ".hypothesis",
    ".pytest_cache",
    ".ruff_cache",
    ".micrograder",
    ".git",
    ".DS_Store",
    "hidden",
    "test_hidden*",
]


def configure(c: Config, root: Path) -> None:
    """Set nbgrader up for the course at `root`; `c` is what get_config() returns in a config file.

    Raises CourseError when the course cannot be read. What is set in the config file afterwards, another db_url for
    instance, wins.
    """
    course = load_course(root)
    root = course.root
    c.CourseDirectory.root = str(root)
    c.CourseDirectory.course_id = "micrograder"
    c.CourseDirectory.source_directory = "assignments"
    c.CourseDirectory.ignore = IGNORE
    # A TA's open formgrader holds the database for a moment; waiting is better than losing a batch to it.
    c.CourseDirectory.db_url = f"sqlite:///{root / 'gradebook.db'}?timeout=60"
    make_exchange(root / "exchange")
    c.Exchange.root = str(root / "exchange")
    c.ExchangeFactory.release_feedback = FeedbackToSenders
    # The formgrader's list of the settings can't show classes; it is for hunting faults of several config files.
    c.FormgradeExtension.debug = False

    # Without InstantiateTests (it starts kernels) and ClearSolutions (it would overwrite the placeholders of the
    # written answers): assignments/ is built without solutions.
    c.GenerateAssignment.preprocessors = [
        LockCells,
        ClearOutput,
        CheckCellMetadata,
        ComputeChecksums,
        SaveCells,
        ClearHiddenTests,
        ClearMarkScheme,
        ComputeChecksums,
        CheckCellMetadata,
    ]

    # Else nbgrader silently replaces the student's files by the stubs before they are graded.
    c.Autograde.exclude_overwriting = {part.id: list(part.graded) for part in course.written_parts}
    c.Autograde.sanitize_preprocessors = [
        MarkUngraded,
        PutCourse,
        RebuildFromRelease,
        ClearOutput,
        OverwriteKernelspec,
        OverwriteCells,
        CheckCellMetadata,
    ]
    c.Autograde.autograde_preprocessors = [
        JudgeVerdicts,
        LimitOutput,
        SaveScores,
        DropCells,
        AnswerComments,
        AssignLatePenalties,
        CheckCellMetadata,
    ]
    c.AssignLatePenalties.plugin_class = LateRule
    c.LateRule.course_root = str(root)
    c.CourseStep.course_root = str(root)
    c.JudgeVerdicts.submitted = str(root / "submitted")

    c.ZipCollectApp.extractor_plugin = LmsExtractor
    c.LmsExtractor.course_root = str(root)
    c.ZipCollectApp.collector_plugin = LmsCollector
    c.LmsCollector.course_root = str(root)

    c.GenerateFeedback.preprocessors = [RefreshPenalty, GetGrades, WaitingAnswers, ClearHiddenTests]
    # Ours first: a feedback page of our own; the formgrader's with the files handed in, without another host's MathJax.
    # Feedback takes the second setting from nbgrader, the formgrader needs it to find the page that ours extends.
    c.HTMLExporter.extra_template_basedirs = [str(TEMPLATES), str(FORMGRADER / "templates")]
    c.HTMLExporter.extra_template_paths = [str(FORMGRADER)]
    c.HTMLExporter.filters = {
        "markdown2html": "autograder.gradebook.markdown.markdown_to_html",
        "marking_guides": MarkingGuides(course),
    }

    autograde.install()
    watch_marks(root)
    # nbgrader's own queries make SQLAlchemy warn three times per new student; nobody can do anything about it.
    warnings.filterwarnings("ignore", category=SAWarning, module=r"nbgrader\.")
    put_tools_on_path()


def put_tools_on_path() -> None:
    """Let nbgrader find `alembic`, which it runs by name to make a database.

    In an environment that is used without being activated, the folder of its programs is not on PATH.
    """
    if shutil.which("alembic") is None:
        os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", os.defpath), sysconfig.get_path("scripts")])
