"""The pytest plugin that turns a run of a part's suites into test verdicts.

The tests are ordinary; this plugin hands them the student's names, gives each test a fresh start and fixed limits,
and notes what happened. It computes no points.
"""

from __future__ import annotations

import functools
import random
import time
from collections import Counter
from collections.abc import Callable, Container, Generator, Mapping
from dataclasses import dataclass, field
from types import ModuleType

import pytest
from hypothesis import HealthCheck, Phase, settings

from autograder.course import Part
from autograder.judge.outcomes import judge_failure
from autograder.judge.remote import WorkerStopped
from autograder.judge.seen import PASSED, Seen, seen_in
from autograder.judge.students import Names, Student
from autograder.judge.verdict import Outcome, TestVerdict, Visibility
from autograder.judge.zygote import Budget, ZygoteError
from autograder.student.kitlib import observe

SEED = pytest.StashKey[int]()
Watch = Callable[[pytest.Item, pytest.ExceptionInfo[BaseException]], None]

settings.register_profile(
    "judge",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=50,
    phases=(Phase.explicit, Phase.generate),
    report_multiple_bugs=False,
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much),
)
settings.register_profile(
    "shrink", settings.get_profile("judge"), phases=(Phase.explicit, Phase.generate, Phase.shrink)
)


@dataclass
class Noted:
    """One test as it went."""

    nodeid: str
    task: str
    needs: tuple[str, ...]
    verdict: TestVerdict
    forward: tuple[str, ...] = ()
    seen: Seen = PASSED

    @property
    def key(self) -> str:
        """The test's name within its part."""
        return f"{self.verdict.visibility} {self.verdict.name}"

    @property
    def stands_on(self) -> tuple[str, ...]:
        """The other tasks that the test cannot do without."""
        return (*self.needs, *self.forward)

    def may_blame(self, failed: Container[str]) -> tuple[str, ...]:
        """Those of the `failed` tasks that may be why the test did not pass; none where its own task is not done."""
        if self.verdict.outcome in ("passed", "not_done"):
            return ()
        return tuple(task for task in self.stands_on if task in failed)


@dataclass(eq=False)
class JudgePlugin:
    """Runs the collected tests of `part` against `student`; afterwards `noted` has one entry per test, in order.

    `grafts`: for some tests (by node id) the module sources to run over the student's, see grafts.py.
    """

    part: Part
    student: Student | None = None
    grafts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    seed: int = 0
    budget: Budget = field(default_factory=Budget)
    profile: str = "judge"  # hypothesis's; "shrink" looks for the smallest example that fails, which takes longer
    watch: Watch | None = None  # called with every test that did not pass
    noted: list[Noted] = field(default_factory=list)
    trouble: ZygoteError | None = None
    _timed_out: Counter[str] = field(default_factory=Counter)
    _last_begin: float = 0.0  # by the monotonic clock
    _config: pytest.Config | None = None

    def begin(self, student: Student, grafts: Mapping[str, Mapping[str, str]], seed: int, budget: Budget) -> None:
        """From now on the tests run against this student; nothing of the run before is left."""
        if student is not self.student:  # a second pass over the same one gets no time of its own
            self._last_begin = time.monotonic() + budget.whole
        self.student, self.grafts, self.seed, self.budget = student, grafts, seed, budget
        self.noted, self.trouble, self._timed_out = [], None, Counter()
        if self._config is not None:
            self._config.stash[SEED] = seed

    def pytest_configure(self, config: pytest.Config) -> None:
        config.addinivalue_line(
            "markers", "task(id, needs=(), forward=()): the task a test belongs to, and others it stands on"
        )
        self._config = config
        config.stash[SEED] = self.seed
        settings.load_profile(self.profile)
        config.pluginmanager.register(student_names(self.part, self._current), "micrograder-names")

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        task, _ = observe.task_of(item)
        item.extra_keyword_matches.add(task)

    def _current(self) -> Student:
        assert self.student is not None, "no test runs before there is a student"
        return self.student

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if self.trouble is not None:
            pytest.exit(f"the sandbox failed: {self.trouble}")
        observe.forget_comparison(item.config)
        task, _ = observe.task_of(item)
        if time.monotonic() > self._last_begin:
            sentence = f"not run: the submission had used up its {self.budget.whole:g} seconds"
            raise WorkerStopped("timeout", sentence, ran=False)
        most = self.budget.timeouts
        if self._timed_out[task] >= most:
            sentence = f"not run: {_tests(most)} of this task had run out of time before"
            raise WorkerStopped("timeout", sentence, ran=False)
        limits = self.budget.after_a_timeout if self._timed_out[task] else self.budget.test
        self._current().start_test(limits, self.grafts.get(item.nodeid, {}))

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, object, object]:
        result = yield
        self._current().finish()
        return result

    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        self._current().end_test()

    def pytest_assertrepr_compare(self, config: pytest.Config, op: str, left: object, right: object) -> None:
        observe.remember_comparison(config, op, left, right)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if call.when == "call" or (call.when == "setup" and call.excinfo is not None):
            self._note(item, call)
        return report

    def _note(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        entry = note(item, "passed", seconds=round(call.duration, 4))
        verdict = entry.verdict
        if call.excinfo is not None and isinstance(call.excinfo.value, ZygoteError):
            self.trouble = call.excinfo.value  # ours, not the submission's: nothing may be concluded from this run
            return
        if call.excinfo is not None:
            if self.watch is not None:
                self.watch(item, call.excinfo)
            verdict.outcome, verdict.message = judge_failure(item, call.excinfo, verdict.visibility, entry.task)
            entry.seen = seen_in(item, call.excinfo, verdict.outcome, observe.left_of(item.config))
        if verdict.outcome == "timeout" and getattr(call.excinfo and call.excinfo.value, "ran", True):
            self._timed_out[entry.task] += 1
        self.noted.append(entry)


def note(item: pytest.Item, outcome: Outcome, message: str = "", *, seconds: float = 0.0) -> Noted:
    """What there is to say of a collected test that ended so."""
    task, needs = observe.task_of(item)
    visibility: Visibility = "public" if item.path.name == "test_public.py" else "hidden"
    verdict = TestVerdict(name=item.name, visibility=visibility, outcome=outcome, message=message, seconds=seconds)
    return Noted(item.nodeid, task, needs, verdict, observe.forward_of(item))


def _tests(count: int) -> str:
    return "a test" if count == 1 else f"{count} tests"


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """The test's own random numbers, fixed by the run's seed and the test's name."""
    return random.Random(f"{request.config.stash[SEED]}:{request.node.name}")


def student_names(part: Part, current: Callable[[], Student]) -> ModuleType:
    """A pytest plugin with the fixtures that suites/README.md lists: Value, text, rng, one per file of the part ...

    Session-scoped, because hypothesis refuses function-scoped fixtures under @given. They speak for the student whom
    `current` names when a run begins.
    """
    plugin = ModuleType("micrograder_names")
    wanted: dict[str, Callable[[], object]] = {
        "Value": lambda: Names(current(), "value", "Value"),
        "text": lambda: current().text,
        "seed_random": lambda: current().seed_random,
    }
    for file in (*part.graded, *part.given):
        stem = file.removesuffix(".py")
        wanted[stem] = functools.partial(_module, current, stem)
    plugin.rng = rng  # type: ignore[attr-defined]
    for name, make in wanted.items():
        setattr(plugin, f"_{name}", _fixture(name, make))
    return plugin


def _module(current: Callable[[], Student], stem: str) -> Names:
    return Names(current(), stem)


def _fixture(name: str, make: Callable[[], object]) -> object:
    def hand_out() -> object:
        return make()

    return pytest.fixture(scope="session", name=name)(hand_out)
