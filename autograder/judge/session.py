"""One pytest session over a part's suites: they are collected once and run as often as asked.

Runs tests and nothing else: what a submission is and what its outcomes are worth is judge.py's business.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

import pytest

from autograder.course import Part
from autograder.judge.isolation import own_environment, own_examples, own_modules
from autograder.judge.plugin import JudgePlugin, Noted, Watch
from autograder.judge.students import Student
from autograder.judge.zygote import Budget

T = TypeVar("T")
StandIns = tuple[str, ...]  # the tasks that are judged with the reference in place of the submission's code
Key = tuple[str, StandIns]  # a test (its node id) and the stand-ins it ran with


class SuitesError(Exception):
    """The suites can't be collected or run; nothing about a submission follows from it."""


@dataclass
class Results:
    """How tests ended. `known` are taken over instead of being run; `used` are all that a verdict was made of."""

    known: Mapping[Key, Noted] = field(default_factory=dict)
    used: dict[Key, Noted] = field(default_factory=dict)


class Suites:
    """The collected tests of a part."""

    def __init__(self, session: pytest.Session, plugin: JudgePlugin) -> None:
        self._session = session
        self._plugin = plugin

    @property
    def tests(self) -> list[str]:
        """The node ids of all tests, in order."""
        return [item.nodeid for item in self._session.items]

    @property
    def items(self) -> list[pytest.Item]:
        """All tests as pytest has collected them, in order."""
        return self._session.items

    def begin(
        self, student: Student, grafts: Mapping[str, Mapping[str, str]], seed: int = 0, budget: Budget | None = None
    ) -> None:
        """From now on tests run against `student`; `grafts`: by node id, module sources to run over the student's."""
        self._plugin.begin(student, grafts, seed, budget or Budget())

    def run_one(self, item: pytest.Item, following: pytest.Item | None) -> Noted:
        """Run one of `items`, with the one that runs after it; how it ended. Raises ZygoteError as run() does."""
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if self._plugin.trouble is not None:
            raise self._plugin.trouble
        return self._plugin.noted.pop()

    def run(
        self,
        student: Student,
        stand_ins: Mapping[str, StandIns] | None = None,
        sources: Mapping[StandIns, Mapping[str, str]] | None = None,
        *,
        seed: int = 0,
        budget: Budget | None = None,
        results: Results | None = None,
    ) -> list[Noted]:
        """Run every test against `student`, or only those named in `stand_ins`; one entry per test, in order.

        `stand_ins`: for some tests (by node id) the tasks that the reference stands in for; `sources`: for these tasks
        the module sources to run over the student's, see grafts.py. Raises ZygoteError when the sandbox failed.
        """
        chosen = [item for item in self._session.items if stand_ins is None or item.nodeid in stand_ins]
        keys = {item.nodeid: (item.nodeid, (stand_ins or {}).get(item.nodeid, ())) for item in chosen}
        kept = results or Results()
        to_run = [item for item in chosen if keys[item.nodeid] not in kept.known]
        grafts = {item.nodeid: (sources or {}).get(keys[item.nodeid][1], {}) for item in to_run}
        self.begin(student, grafts, seed, budget)
        ran = {
            item.nodeid: self.run_one(item, following) for item, following in itertools.zip_longest(to_run, to_run[1:])
        }
        noted = []
        for nodeid, key in keys.items():
            entry = ran[nodeid] if nodeid in ran else kept.known[key]
            kept.used[key] = copy.deepcopy(entry)  # the judge adds remarks to its own
            noted.append(copy.deepcopy(entry))
        return noted


def with_suites(part: Part, folder: Path, work: Callable[[Suites], T], watch: Watch | None = None) -> T:
    """Collect `folder`/<part> and return what `work` makes of the collected suites.

    `watch`: called with every test that does not pass; hypothesis then looks for the smallest example that fails.

    Raises SuitesError when they can't be collected, and whatever `work` raises.
    """
    plugin, holder = JudgePlugin(part, profile="shrink" if watch else "judge", watch=watch), _Work(work)
    here = folder / part.id
    arguments = [
        *(str(path) for path in sorted(here.glob("test_*.py"), reverse=True)),  # the public tests first
        f"--rootdir={folder}",
        f"--config-file={folder / 'pytest.ini'}",
        "--import-mode=importlib",
        "--disable-plugin-autoload",  # nothing that happens to be installed here may change a verdict
        "-p", "_hypothesis_pytestplugin",
        "-p", "no:cacheprovider",
        "-p", "no:terminal",
        "-p", "no:logging",
        "-p", "no:faulthandler",
        "--capture=no",
    ]  # fmt: skip
    holder.plugin = plugin
    with own_environment(), own_modules(here), own_examples():
        code = pytest.main(arguments, plugins=[plugin, holder])
    if holder.error is not None:
        raise holder.error
    if not holder.done or holder.complaints:
        if code == pytest.ExitCode.INTERRUPTED and not holder.complaints:
            raise KeyboardInterrupt
        said = " ".join(holder.complaints)
        raise SuitesError(f"the suites of {part.id} did not run (pytest said {code!r}): {said}")
    return holder.result[0]


class _Work(Generic[T]):
    """Does the work in place of pytest's own loop, without reports, and keeps what pytest says about a suite."""

    plugin: JudgePlugin

    def __init__(self, work: Callable[[Suites], T]) -> None:
        self.complaints: list[str] = []
        self.error: BaseException | None = None
        self.result: list[T] = []
        self._work = work

    @property
    def done(self) -> bool:
        return bool(self.result)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        if self.complaints:
            return None  # pytest's own loop ends it
        try:
            self.result.append(self._work(Suites(session, self.plugin)))
        except BaseException as error:
            self.error = error  # raised again outside: pytest would take it for a fault of its own
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport:
        # Rendering a failed test's traceback costs more than the test, and would print what the submission sent.
        outcome = "passed" if call.excinfo is None else "failed"
        when = "call" if call.when == "collect" else call.when
        return pytest.TestReport(item.nodeid, item.location, {}, outcome, None, when, duration=call.duration)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.complaints.append(f"{report.nodeid}: {report.longreprtext.splitlines()[-1]}")

    def pytest_internalerror(self, excrepr: object) -> bool:
        self.complaints.append(str(excrepr).splitlines()[-1])
        return True  # said; pytest need not print its own traceback
