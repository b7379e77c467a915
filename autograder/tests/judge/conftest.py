"""What the tests of the judge share: the course, its rendered solution and stub, workers, and small suites and budgets.

The small suites hold every kind of test that the real ones have, with few rounds, so that a hundred hostile
submissions can be judged in a minute; the slow tests judge them by the real ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autograder.course import Course, Part
from autograder.course.regions import render, solution_file
from autograder.judge import judge as judging
from autograder.judge.remote import RemoteWorker
from autograder.judge.sandbox import available, probe
from autograder.judge.verdict import Level, Verdict
from autograder.judge.zygote import Budget, Limits, get_zygote
from autograder.tests.judge.bench import unavailable
from autograder.tests.judge.small_course import SMALL, make_small_course

collect_ignore = ["small", "golden", "attacks"]

# For submissions that hang: every limit runs out soon.
SHORT = Budget(Limits(1, 1.5), Limits(1, 1.5), Limits(1, 0.5), timeouts=1)


@pytest.fixture(scope="session")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return make_small_course(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="session")
def part(course: Course) -> Part:
    return course.part("part4")


@pytest.fixture(scope="session")
def reference(course: Course) -> str:
    """value.py as the solution has it."""
    return render(solution_file(course, "value.py"), 4, worked=True)


@pytest.fixture(scope="session")
def stub(course: Course) -> str:
    """value.py as students get it."""
    return render(solution_file(course, "value.py"), 4)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge by the small suites."""
    monkeypatch.setattr(judging, "SUITES", SMALL)


@pytest.fixture(params=["small", pytest.param("real", marks=pytest.mark.slow)])
def suites(request: pytest.FixtureRequest) -> str:
    """Judge by the small suites, and in the slow tests by the real ones as well."""
    if request.param == "small":
        request.getfixturevalue("small")
    return request.param


@pytest.fixture
def judge(course: Course, part: Part, tmp_path: Path) -> Callable[..., Verdict]:
    """judge(value.py's text or bytes, or a path): the verdict, at the best level here unless `level` is given."""

    def run(code: str | bytes | Path, level: Level | None = None, budget: Budget | None = None) -> Verdict:
        path = code if isinstance(code, Path) else tmp_path / "submission"
        if not isinstance(code, Path):
            path.mkdir(exist_ok=True)
            (path / "value.py").write_bytes(code.encode() if isinstance(code, str) else code)
        return judging.judge_submission(course, part, path, sandbox=level, budget=budget)

    return run


@pytest.fixture
def worker() -> Iterator[Callable[..., RemoteWorker]]:
    """worker(source of value.py): a worker at the best level here, which has run nothing yet."""
    started: list[RemoteWorker] = []

    def start(source: str = "", limits: Limits | None = None) -> RemoteWorker:
        zygote = get_zygote(available())
        started.append(RemoteWorker(zygote, {"value.py": source.encode()}, limits or Limits(5, 10.0), seed=7))
        return started[-1]

    yield start
    for one in started:
        one.end()


@pytest.fixture(params=["strong", "good"])
def level(request: pytest.FixtureRequest) -> Level:
    """Each of the two levels that official grades are given at; skipped, or failed, where a machine lacks it."""
    if not probe(request.param).works:
        unavailable(request.param, probe(request.param).sentence)
    return request.param
