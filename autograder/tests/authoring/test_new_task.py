"""`new task`: the skeleton builds at once, the gate says what it lacks, and nothing that stood there is lost."""

from __future__ import annotations

import difflib
import json
import os
from pathlib import Path

import pytest

from autograder.authoring.task import new_task
from autograder.build.assignment import build, part_files
from autograder.build.release import release
from autograder.course import Course, CourseError, load_course
from autograder.course.code import worked_solution
from autograder.judge import judge as judging
from autograder.judge import judge_submission
from autograder.misconceptions.bank import write_files
from autograder.misconceptions.handout import handout_rows
from autograder.misconceptions.trials import Trial, tried
from autograder.tests.authoring.finished import finish_task
from autograder.tests.build.tiny import edit

TOUCHED = [
    "solutions/checks.py",
    "solutions/part4/hints.toml",
    "solutions/part4/part4.py",
    "solutions/part4/README.md",
    "autograder/suites/part4/test_public.py",
    "autograder/suites/part4/test_hidden.py",
    "solutions/course.toml",
]


def texts(course: Course) -> dict[str, str]:
    paths = [path for path in course.root.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {path.relative_to(course.root).as_posix(): path.read_text() for path in paths}


def counting(course: Course) -> Course:
    new_task(course, "4.8", title="counting nodes", points=2.5, name="count_nodes")
    return load_course(course.root)


def breaches(course: Course) -> dict[str, list[str]]:
    """What the handout's rows of part 4 say; the built files stand there."""
    part = course.part("part4")
    write_files(course.assignments / part.id, part_files(course, part))
    return {row.what.partition(":")[0]: row.breaches for row in handout_rows(course, part)}


def test_the_skeleton_only_adds_lines_and_names_its_files(copy):
    before = texts(copy)
    added = new_task(copy, "4.8", title="counting nodes", name="count_nodes")
    assert list(added.files) == TOUCHED
    after = texts(copy)
    assert sorted(name for name in after if after[name] != before.get(name)) == sorted(TOUCHED)
    for name in TOUCHED:
        lost = [line for line in difflib.ndiff(before[name].splitlines(), after[name].splitlines()) if line[0] == "-"]
        assert [line for line in lost if not line.startswith("- graded = ")] == [], name


def test_the_skeleton_builds_at_once(copy):
    course = counting(copy)
    files = part_files(course, course.part("part4"))
    last = json.loads(files["part.json"])["tasks"][-1]
    assert (last["id"], last["file"], last["names"], last["points"]) == ("4.8", "checks.py", ["count_nodes"], 2.5)
    assert "| 4.8 counting nodes | 2.5 |" in files["README.md"].decode()
    assert '"grade_id": "task-4-8"' in files["part4.ipynb"].decode()


def test_the_gate_says_in_a_sentence_each_what_the_skeleton_lacks(copy):
    new_task(copy, "4.8")
    found = breaches(load_course(copy.root))
    said = [sentence.split(" still lacks ") for sentence in found.pop("placeholders")]
    assert [(where.rpartition("/")[2].split(":")[0], what.split(",")[0]) for where, what in said] == [
        ("course.toml", "a title of a few words"),
        ("checks.py", "what goes in"),
        ("checks.py", "the finished code"),
        ("checks.py", "what to do"),
        ("checks.py", "what is missing"),
        ("part4.py", "the heading of its section"),
        ("part4.py", "what to know before the task"),
        ("hints.toml", "hint 1"),
        ("hints.toml", "hint 2"),
        ("hints.toml", "hint 3"),
        ("README.md", "what its tests ask for"),
        ("test_hidden.py", "hidden tests"),
        ("test_public.py", "public tests"),
    ]
    assert all(where.endswith(": 4.8") for where, _ in said)
    assert [
        "fails 4.8; run: micrograder new misconception part4 NAME --task 4.8" in one for one in found["misconceptions"]
    ] == [True]
    assert {what: said for what, said in found.items() if said and what != "misconceptions"} == {}


def test_other_parts_are_not_blamed_for_a_placeholder(copy):
    new_task(copy, "4.8", file="value.py")
    course = load_course(copy.root)
    rows = {row.what: row.breaches for row in handout_rows(course, course.part("part5"))}
    assert rows["placeholders: none is left"] == []


@pytest.fixture
def finished(copy, monkeypatch):
    """The course with a finished 4.8, whose suites are those that tests are run from."""
    course = counting(copy)
    finish_task(course)
    monkeypatch.setattr(judging, "SUITES", course.root / "autograder" / "suites")
    return course


def stub_and_reference(course: Course) -> list[dict[str, bytes]]:
    part = course.part("part4")
    stub = {name: content for name, content in part_files(course, part).items() if name in part.graded}
    return [stub, worked_solution(course, part)]


def test_a_finished_task_lacks_a_misconception_only_and_its_tests_tell_the_reference_from_the_stub(finished):
    found = breaches(finished)
    assert {what for what, said in found.items() if said} == {"misconceptions"}
    trials = [Trial(files, ("4.8",), only=True) for files in stub_and_reference(finished)]
    ended = tried(finished.root, "part4", trials)
    assert [[entry.verdict.outcome for entry in noted] for noted in ended] == [["not_done"] * 2, ["passed"] * 2]


@pytest.mark.slow
def test_the_judge_gives_the_reference_with_a_finished_task_all_points_and_the_stub_none(finished, tmp_path):
    part, scores = finished.part("part4"), []
    for number, files in enumerate(stub_and_reference(finished)):
        verdict = judge_submission(finished, part, write_files(tmp_path / str(number), files))
        task = verdict.tasks[-1]
        scores.append((verdict.score, verdict.max, task.id, task.score, {test.outcome for test in task.tests}))
    assert scores == [(0, 22.5, "4.8", 0, {"not_done"}), (22.5, 22.5, "4.8", 2.5, {"passed"})]


@pytest.mark.parametrize(
    ("task", "how", "says"),
    [
        ("4.7", {}, "4.7 exists already (the recorded schedule); the next task of part4 is 4.8"),
        ("4.9", {}, "4.9 does not follow on; the next task of part4 is 4.8"),
        ("9.1", {}, "course.toml has no part9"),
        ("four", {}, "'four' is no task id"),
        ("4.8", {"points": 0}, "4.8 needs more than 0 points"),
        ("4.8", {"title": "two\nlines"}, "a title is one line"),
        ("4.8", {"name": "count nodes"}, "'count nodes' can't be the name of a function"),
        ("4.8", {"file": "kit.py"}, "kit.py can't be the name"),
        ("4.8", {"file": "../x.py"}, "../x.py can't be the name"),
        ("6.6", {"file": "value.py"}, "value.py is handed out finished in part6"),
    ],
)
def test_what_cannot_be_added_is_refused_in_a_sentence_and_nothing_is_written(copy, task, how, says):
    before = texts(copy)
    with pytest.raises(CourseError) as refused:
        new_task(copy, task, **how)
    assert says in str(refused.value)
    assert texts(copy) == before


def test_a_run_that_broke_off_is_made_whole_by_the_next_one(copy, monkeypatch):
    left, replace = [4], os.replace

    def breaks_off(source, target):
        left[0] -= 1
        if not left[0]:
            raise OSError(28, "No space left on device", source, None, target)
        replace(source, target)

    monkeypatch.setattr(os, "replace", breaks_off)
    with pytest.raises(CourseError, match=r"README\.md can't be written: No space left"):
        counting(copy)
    assert not list(copy.root.rglob(".*.part"))
    assert len(load_course(copy.root).part("part4").tasks) == 7
    monkeypatch.undo()
    added = new_task(copy, "4.8", title="counting nodes", points=2.5, name="count_nodes")
    assert list(added.untouched) == TOUCHED[:3]
    course = load_course(copy.root)
    assert part_files(course, course.part("part4"))
    for name in TOUCHED:
        assert (course.root / name).read_text().count("count_nodes()") <= 1


def test_a_manifest_in_an_unknown_layout_is_left_and_the_lines_are_said(copy):
    edit(copy, "solutions/course.toml", '"record_schedule"] }', '"record_schedule"] } # our own')
    edit(copy, "solutions/course.toml", 'id = "part4"', '"id" = "part4"')
    before = texts(copy)
    with pytest.raises(CourseError) as refused:
        new_task(copy, "4.8", title='a "quoted" title')
    assert 'title = "a \\"quoted\\" title"' in str(refused.value)
    assert texts(copy) == before


def test_comments_and_what_follows_a_part_stay_where_they_are(tiny):
    edit(
        tiny,
        "solutions/course.toml",
        '["Counter"] }\n[[part.task]]\nid = "2.1"',
        '["Counter"] }  # one class\n[[part.task]]\nid = "2.1"',
    )
    edit(tiny, "solutions/course.toml", "[[part.question]]", "# written answers\n[[part.question]]")
    new_task(tiny, "2.3", title="a jump", points=3.5, file="jumps.py")
    text = (tiny.solutions / "course.toml").read_text()
    assert 'graded = { "counter.py" = ["Counter"], "jumps.py" = ["task_2_3"] }  # one class\n' in text
    assert "points = 3.5\n# written answers\n[[part.question]]" in text
    build(load_course(tiny.root))
    assert "PLACEHOLDER 2.3" in (tiny.assignments / "part2" / "jumps.py").read_text()


def test_a_task_in_value_py_is_a_method_from_its_part_on(copy):
    new_task(copy, "5.9", title="cubes", name="cube")
    course = load_course(copy.root)
    stub = {n: part_files(course, course.part(f"part{n}"))["value.py"].decode() for n in (4, 5)}
    assert "def cube" not in stub[4]
    assert '    def cube(self):\n        """PLACEHOLDER' in stub[5]
    assert 'NotImplementedError("TODO 5.9:' in stub[5]
    assert dict(course.part("part5").graded) == {"value.py": ("Value",)}


def test_a_new_part_begins_with_its_entry_in_the_manifest_and_its_first_task(copy):
    manifest = copy.solutions / "course.toml"
    manifest.write_text(manifest.read_text() + '\n[[part]]\nid = "part9"\ntitle = "More"\ndue = 2026-11-30T22:00:00Z\n')
    course = load_course(copy.root)
    with pytest.raises(CourseError, match=r"--file NAME\.py"):
        new_task(course, "9.1")
    new_task(course, "9.1", title="the mean", file="mean.py", name="mean")
    new_task(load_course(copy.root), "9.2", title="the spread", name="spread")
    course = load_course(copy.root)
    files = part_files(course, course.part("part9"))
    assert "def mean" in files["mean.py"].decode()
    assert "| 9.1 the mean | 1 |\n| 9.2 the spread | 1 |" in files["README.md"].decode()
    assert [
        row.what for row in handout_rows(course, course.part("part9")) if "points" in row.what and row.breaches
    ] == []


def test_a_part_with_a_placeholder_is_not_released(tiny):
    new_task(tiny, "1.2")
    course = load_course(tiny.root)
    build(course)
    with pytest.raises(
        CourseError, match=r"part1 is not released.*\n  solutions/course\.toml:15: 1\.2 still lacks a title"
    ):
        release(course, course.part("part1"))
    assert not Path(course.release, "part1").exists()
