"""The pytest plugin that turns a run of a part's suites into test verdicts.

The tests are ordinary; this plugin hands them the student's names, gives each test a fresh start and fixed limits,
and notes what happened. It computes no points.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Generator, Mapping
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


@dataclass(eq=False)
class JudgePlugin:
    """Runs the collected tests of `part` against `student`; afterwards `noted` has one entry per test, in order.

    `grafts`: for some tests (by node id) the module sources to run over the student's, see grafts.py; when it is
    given, only those tests run.
    """

    part: Part
    student: Student
    grafts: Mapping[str, Mapping[str, str]] | None = None
    seed: int = 0
    budget: Budget = field(default_factory=Budget)
    noted: list[Noted] = field(default_factory=list)
    trouble: ZygoteError | None = None
    _timed_out: Counter[str] = field(default_factory=Counter)

    def pytest_configure(self, config: pytest.Config) -> None:
        config.addinivalue_line(
            "markers", "task(id, needs=(), forward=()): the task a test belongs to, and others it stands on"
        )
        config.stash[SEED] = self.seed
        settings.load_profile("judge")
        config.pluginmanager.register(student_names(self.part, self.student), "micrograder-names")

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        task, _ = observe.task_of(item)
        item.extra_keyword_matches.add(task)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        if self.grafts is not None:
            items[:] = [item for item in items if item.nodeid in self.grafts]

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        observe.forget_comparison(item.config)
        task, _ = observe.task_of(item)
        most = self.budget.timeouts
        if self._timed_out[task] >= most:
            sentence = f"not run: {_tests(most)} of this task had run out of time before"
            raise WorkerStopped("timeout", sentence, ran=False)
        grafts = (self.grafts or {}).get(item.nodeid, {})
        self.student.start_test(self.budget.after_a_timeout if self._timed_out[task] else self.budget.test, grafts)

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, object, object]:
        result = yield
        self.student.finish()
        return result

    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        self.student.end_test()

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
            item.session.shouldstop = "the sandbox failed"
            return
        if call.excinfo is not None:
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


def student_names(part: Part, student: Student) -> ModuleType:
    """A pytest plugin with the fixtures that suites/README.md lists: Value, text, rng, one per file of the part ...

    Session-scoped, because hypothesis refuses function-scoped fixtures under @given.
    """
    plugin = ModuleType("micrograder_names")
    wanted: dict[str, object] = {
        "Value": Names(student, "value", "Value"),
        "text": student.text,
        "seed_random": student.seed_random,
    }
    for file in (*part.graded, *part.given):
        stem = file.removesuffix(".py")
        wanted[stem] = Names(student, stem)
    plugin.rng = rng  # type: ignore[attr-defined]
    for name, value in wanted.items():
        setattr(plugin, f"_{name}", _fixture(name, value))
    return plugin


def _fixture(name: str, value: object) -> object:
    def hand_out() -> object:
        return value

    return pytest.fixture(scope="session", name=name)(hand_out)
