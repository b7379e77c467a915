"""Kept verdicts: found again as long as nothing they were made of has changed, and test by test after a change."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from autograder.cache import ask
from autograder.cache.keys import JUDGE, PACKAGE, Keys, keys_of
from autograder.cache.store import VerdictCache
from autograder.course import Course, load_course
from autograder.judge.plugin import JudgePlugin, Noted
from autograder.judge.seen import Seen
from autograder.judge.submission import Submission
from autograder.judge.verdict import TestVerdict, Verdict

PLUS = "part4/test_hidden.py::test_plus_adds_to_what_is_there"
TIMES = "part4/test_hidden.py::test_times_adds_to_what_is_there"
CODE = Submission({"value.py": b"x = 1\n"}, {})


def keys(course: Course, **changed) -> Keys:
    return keys_of(course, course.part("part4"), changed.pop("level", "good"), **changed)


def verdict(score: float = 4.5) -> Verdict:
    return Verdict(part="part4", sandbox="good", suite="s", submission="f", seed=0, score=score, max=16.0, tasks=[])


def noted(nodeid: str, outcome: str = "failed", numbers: tuple[float, ...] = (2.5, float("inf"))) -> Noted:
    test = TestVerdict(name=nodeid.partition("::")[2], visibility="hidden", outcome=outcome, message="no", seconds=0.25)
    return Noted(nodeid, "4.1", ("4.4",), test, ("4.3",), Seen(outcome, 3, "", numbers))


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) >= 1, "the change would change nothing"
    path.write_text(text.replace(old, new, 1))


def test_a_kept_verdict_comes_back_as_it_was(course, suites):
    cache = VerdictCache(course)
    cache.keep(keys(course), CODE, verdict(), {})
    assert cache.find(keys(course), CODE).verdict == verdict()


def test_nothing_is_known_before_something_is_kept(course, suites):
    found = VerdictCache(course).find(keys(course), CODE)
    assert found.verdict is None
    assert not found.known


@pytest.mark.parametrize(
    "other",
    [
        Submission({"value.py": b"x = 2\n"}, {}),
        Submission({"value.py": b"x = 1\n", "more.py": b""}, {}),
        Submission({"valu": b"e.pyx = 1\n"}, {}),
        Submission({}, {"value.py": "value.py was not handed in"}),
    ],
)
def test_another_submission_has_no_part_in_it(course, suites, other):
    cache = VerdictCache(course)
    cache.keep(keys(course), CODE, verdict(), {})
    assert cache.find(keys(course), other).verdict is None


def changed_points(course: Course, suites: Path) -> Keys:
    change(course.solutions / "course.toml", "points = 2", "points = 2.5")
    return keys(load_course(course.root))


def changed_reference(course: Course, suites: Path) -> Keys:
    change(course.solutions / "value.py", "math.tanh(", "0.0 + math.tanh(")
    return keys(course)


@pytest.mark.parametrize(
    "changed",
    [
        changed_points,
        changed_reference,
        lambda course, suites: keys(course, level="strong"),
        lambda course, suites: keys(course, seed=7),
    ],
    ids=["points", "reference", "level", "seed"],
)
def test_another_way_of_judging_has_no_part_in_it_and_knows_no_test(course, suites, changed):
    cache = VerdictCache(course)
    cache.keep(keys(course), CODE, verdict(), {(PLUS, ()): noted(PLUS)})
    found = cache.find(changed(course, suites), CODE)
    assert found.verdict is None
    assert not found.known


def test_another_python_has_no_part_in_it(course, suites, monkeypatch):
    cache = VerdictCache(course)
    cache.keep(keys(course), CODE, verdict(), {(PLUS, ()): noted(PLUS)})
    monkeypatch.setattr("autograder.cache.keys.versions", lambda: {"Python": "3.99", "hypothesis": "another"})
    assert cache.find(keys(course), CODE) == VerdictCache(course).find(keys(course), Submission({}, {}))


def test_all_code_of_ours_that_judges_is_in_the_keys():
    places = [PACKAGE / name for name in JUDGE]
    hashed = {path for place in places for path in (place.glob("*.py") if place.is_dir() else [place])}
    seen: set[Path] = set()
    todo = list(hashed)
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        seen.add(path)
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("autograder.student"):
                place = PACKAGE.parent / node.module.replace(".", "/")
                names = [place / f"{alias.name}.py" for alias in node.names] + [place.with_suffix(".py")]
                todo += [name for name in names if name.is_file()]
    hashed = {
        path for name in JUDGE for path in ((PACKAGE / name).glob("*.py") if "." not in name else [PACKAGE / name])
    }
    assert {path.relative_to(PACKAGE) for path in seen} == {path.relative_to(PACKAGE) for path in hashed}


def test_another_due_date_changes_nothing(course, suites):
    before = keys(course)
    change(course.solutions / "course.toml", "2027-05-03", "2027-05-13")
    assert keys(load_course(course.root)) == before


def test_after_a_change_of_one_test_all_others_are_known_as_they_were(course, suites):
    cache = VerdictCache(course)
    kept = {(PLUS, ()): noted(PLUS), (TIMES, ()): noted(TIMES), (TIMES, ("4.1",)): noted(TIMES, "passed", ())}
    cache.keep(keys(course), CODE, verdict(), kept)
    change(suites / "part4" / "test_hidden.py", "before + g)", "before + 1.0 * g)")
    found = cache.find(keys(course), CODE)
    assert found.verdict is None
    assert found.known == {key: entry for key, entry in kept.items() if key[0] == TIMES}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rng.uniform(0.3, 3.0)", "rng.uniform(0.4, 3.0)"),
        ("import math\n", "import math\nimport random\n"),
    ],
)
def test_after_a_change_that_all_tests_share_none_is_known(course, suites, old, new):
    cache = VerdictCache(course)
    cache.keep(keys(course), CODE, verdict(), {(PLUS, ()): noted(PLUS)})
    change(suites / "part4" / "test_hidden.py", old, new)
    assert not cache.find(keys(course), CODE).known


def test_a_changed_decorator_is_a_changed_test(course, suites):
    before = keys(course)
    change(suites / "part4" / "test_hidden.py", '@pytest.mark.task("4.1")', '@pytest.mark.task("4.2")')
    after = keys(course)
    assert {name for name in before.tests if before.tests[name] != after.tests[name]} == {PLUS}


def test_when_a_test_had_run_out_of_time_a_change_makes_all_run_again(course, suites):
    cache = VerdictCache(course)
    cache.keep(keys(course), CODE, verdict(), {(PLUS, ()): noted(PLUS), (TIMES, ()): noted(TIMES, "timeout", ())})
    change(suites / "part4" / "test_hidden.py", "before + g)", "before + 1.0 * g)")
    assert not cache.find(keys(course), CODE).known


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b'{"whole": 3, "tests": [[1, 2]]}', b"\xff\xfe", b"null"])
def test_a_damaged_file_counts_as_not_there(course, suites, content):
    cache = VerdictCache(course)
    cache.keep(keys(course), CODE, verdict(), {})
    [file] = (course.state / "cache" / "part4").iterdir()
    file.write_bytes(content)
    assert cache.find(keys(course), CODE).verdict is None
    cache.keep(keys(course), CODE, verdict(6.5), {})
    assert cache.find(keys(course), CODE).verdict == verdict(6.5)


def test_the_judge_is_asked_once_and_after_a_change_runs_the_changed_test_only(course, suites, reference, monkeypatch):
    folder = course.root / "submitted" / "ada" / "part4"
    folder.mkdir(parents=True)
    (folder / "value.py").write_bytes(reference.sources["value.py"].replace(b"self.grad += ", b"self.grad = "))
    part = course.part("part4")
    first = ask.official_verdict(course, part, folder)
    assert 0 < first.score < first.max
    started: list[str] = []
    monkeypatch.setattr(JudgePlugin, "pytest_runtest_setup", _spy(started))
    assert ask.official_verdict(course, part, folder) == first
    assert started == []
    change(suites / "part4" / "test_hidden.py", "before + g)", "before + 1.0 * g)")
    again = ask.official_verdict(course, part, folder)
    assert set(started) == {PLUS}
    assert again.suite != first.suite
    assert [(task.id, task.score) for task in again.tasks] == [(task.id, task.score) for task in first.tasks]
    assert [[t.name for t in task.tests] for task in again.tasks] == [
        [t.name for t in task.tests] for task in first.tasks
    ]


def _spy(started: list[str]):
    stock = JudgePlugin.pytest_runtest_setup

    def setup(self, item):
        started.append(item.nodeid)
        stock(self, item)

    return setup
