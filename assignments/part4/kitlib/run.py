"""The pytest plugin behind a student's plain `pytest`: it collects what every test came to and shows one screen.

conftest.py registers it only when neither -v nor a debugger was asked for. It decides no test's outcome.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import os
import re
import textwrap
from pathlib import Path
from typing import Any, Generator

import pytest

from .files import HERE, Part, Stumble, place_of, remarks
from .mistakes import read_table
from .observe import describe, left_of, show, todo_of
from .screen import Line, paragraph, screen, waiting_line
from .seen import seen_in
from .states import Result, TaskRun, find_likeness, judge_states
from .watch import PATIENCE, Watch

SUITE = HERE / "test_public.py"


class StudentRun:
    """One run in a student's folder."""

    def __init__(self, config: pytest.Config, part: Part) -> None:
        self.config, self.part = config, part
        self.runs = {task.id: TaskRun(task) for task in part.tasks}
        self.whole = not any("::" in argument for argument in config.args)
        self.own_tests = self.own_failed = 0
        self.stopped = False
        self.unreadable: list[str] = []
        self.patience = float(os.environ.get("MICROGRADER_PATIENCE", PATIENCE))
        _silence(config)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            if run := self.runs.get(task_of(item)):
                run.tests += 1

    def pytest_deselected(self) -> None:
        self.whole = False

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.unreadable.append(Path(str(report.fspath)).name)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self) -> tuple[str, str, str]:
        return "", "", ""  # no dots

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        return True if self.stopped else None  # True: taken care of, so that nothing more runs after a Ctrl+C

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, Any]:
        return (yield from self._guarded(item))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        return (yield from self._guarded(item))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if call.when == "call" or (call.when == "setup" and report.failed):
            self._note(item, call, report)
        return report

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        judge_states(self.part, self.runs)
        find_likeness(read_table(), self.runs)
        for line in self._screen():
            self._write(line)
        if self.stopped:
            session.exitstatus = pytest.ExitCode.INTERRUPTED

    def _guarded(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Run what is wrapped with a word after a while; make of Ctrl+C a result, so that the screen still comes."""
        name = task_of(item) or item.name
        try:
            with Watch(self.part.files, lambda place: self._interject(waiting_line(name, place)), self.patience):
                return (yield)
        except KeyboardInterrupt as stop:
            self.stopped = True
            raise _Stopped from stop

    def _note(self, item: pytest.Item, call: pytest.CallInfo[None], report: pytest.TestReport) -> None:
        run = self.runs.get(task_of(item))
        if run is None:
            self.own_tests += 1
            self.own_failed += report.failed
        elif report.passed:
            run.seen.append(Result("passed", test=item.name))
        elif report.failed and call.excinfo is not None:
            run.seen.append(self._failure(item, call.excinfo, report.capstdout))

    def _failure(self, item: pytest.Item, excinfo: pytest.ExceptionInfo[BaseException], printed: str) -> Result:
        problem = excinfo.value
        if isinstance(problem, Stumble):
            return Result("error", problem=str(problem))
        if isinstance(problem, _Stopped):
            cause = problem.__cause__
            return Result("stopped", place=place_of(cause and cause.__traceback__, self.part.files))
        if isinstance(problem, NotImplementedError) and (todo := todo_of(str(problem))):
            return Result("not_done") if todo == task_of(item) else Result("blocked", waits_for=todo)
        marker = item.get_closest_marker("task")
        needs = tuple(marker.kwargs.get("needs", ())) if marker else ()
        seen = describe(item, excinfo)
        place = place_of(problem.__traceback__, self.part.files)
        comparison = isinstance(problem, AssertionError) and place is None
        raised = None if comparison else (type(problem).__name__, str(problem))
        return Result(
            "failed",
            test=item.name,
            evidence=seen_in(item, excinfo, "failed", left_of(item.config), raised),
            needs=needs,
            observation=seen,
            place=place,
            example=_example(problem, item),
            printed=printed,
            problem="" if comparison else _told(problem, "" if place else _statement(excinfo, item)),
        )

    def _screen(self) -> list[Line]:
        if self.unreadable:
            names = " and ".join(sorted(set(self.unreadable)))
            text = f"{names} cannot be read by pytest. If it came with the part, take it from the part's archive again"
            return [Line(text + "; pytest -v shows what is wrong.")]
        if not any(run.tests for run in self.runs.values()):
            return [Line(paragraph(f"No test of part {self.part.number} was found. Run pytest in {HERE}."))]
        if not any(run.seen for run in self.runs.values()) and not self.own_tests:
            ids = ", ".join(self.runs)
            return [Line(f"No test was chosen by that. The tasks are {ids}: pytest --task {next(iter(self.runs))}")]
        lines = screen(self.part, self.runs, whole=self.whole, others=(self.own_tests, self.own_failed))
        return lines + [Line(text) for note in remarks(self.part) for text in paragraph(f"Mind: {note}").splitlines()]

    def _interject(self, text: str) -> None:
        """Write while a test is running, when pytest keeps everything that is printed to itself."""
        capture = self.config.pluginmanager.get_plugin("capturemanager")
        with capture.global_and_fixture_disabled() if capture else contextlib.nullcontext():
            for line in paragraph(text).splitlines():
                self._write(Line(line))

    def _write(self, line: Line) -> None:
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.write_line(line.text, **({line.colour: True} if line.colour else {}))
            reporter.flush()


class _Stopped(Exception):
    """Ctrl+C during a test."""


def task_of(item: pytest.Item) -> str:
    """The task that a test of the part's own suite belongs to; "" for a student's own tests."""
    marker = item.get_closest_marker("task")
    return marker.args[0] if marker and marker.args and item.path == SUITE else ""


def _silence(config: pytest.Config) -> None:
    """Switch off everything that pytest would print itself; its own options do it."""
    config.option.verbose = -2
    config.option.no_header = config.option.no_summary = True
    config.option.tbstyle = "no"
    config.option.reportchars = ""
    config.option.disable_warnings = True
    config.option.continue_on_collection_errors = True


def _told(problem: BaseException, statement: str) -> str:
    """An exception in a sentence; `statement` is the test's own, where the student's code had already returned."""
    if isinstance(problem, pytest.fail.Exception):
        missed = re.match(r"DID NOT RAISE (?:<class ')?([\w.]+)", str(problem))
        return f"no {missed.group(1)}, which should have been raised" if missed else str(problem)
    if isinstance(problem, RecursionError):
        return "RecursionError: a function called itself too often"
    said = type(problem).__name__ + (f": {problem}" if str(problem) else "")
    if statement:
        said += f", in the test's line: {' '.join(_without_message(statement).split())}"
    if "'NoneType'" in said:
        said += " (a function that ends without return gives None)"
    if statement and re.search(r"'(int|float)' object has no attribute '(data|grad|_\w+|backward)'", said):
        said += " (a plain number came back, where a node is wanted)"
    return said


def _without_message(statement: str) -> str:
    """An assert without the message behind its comma, which is no part of what was tried; anything else as it is."""
    source = textwrap.dedent(statement).strip()
    try:
        parsed = ast.parse(source).body[0]
    except (SyntaxError, IndexError):
        return source
    asserted = ast.get_source_segment(source, parsed.test) if isinstance(parsed, ast.Assert) else None
    return f"assert {asserted}" if asserted else source


def _statement(excinfo: pytest.ExceptionInfo[BaseException], item: pytest.Item) -> str:
    """The statement of the test itself, not of a helper that it calls, at which an exception left it."""
    name = getattr(item, "originalname", item.name)
    own = [entry for entry in excinfo.traceback if entry.name == name and Path(str(entry.path)) == item.path]
    return str(own[-1].statement) if own else ""


def _example(problem: BaseException, item: pytest.Item) -> str:
    """The inputs that Hypothesis found, "x = 0.5, y = 2.0", or nothing for an ordinary test."""
    inner = getattr(getattr(getattr(item, "function", None), "hypothesis", None), "inner_test", None)
    fixtures = getattr(item, "fixturenames", ())
    traceback = problem.__traceback__
    while inner is not None and traceback is not None:
        frame = traceback.tb_frame
        if frame.f_code is inner.__code__:
            drawn = [name for name in inspect.signature(inner).parameters if name not in fixtures]
            return ", ".join(f"{name} = {show(frame.f_locals[name])}" for name in drawn if name in frame.f_locals)
        traceback = traceback.tb_next
    return ""
