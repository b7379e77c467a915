"""Regions: what a part is given of a solution file, and what is wrong with a marker."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.course.manifest import Course, CourseError
from autograder.course.regions import common_code, parse, render


def rendered(course: Course, part: int, worked: bool = False) -> str:
    path = course.solutions / "counter.py"
    return render(parse(path.read_text(), "solutions/counter.py", course), part, worked=worked)


def test_the_parts_own_tasks_are_stubs(course):
    text = rendered(course, 2)
    assert '        raise NotImplementedError("TODO 2.1: one step")\n' in text
    assert "self.past.append(self.count)" not in text
    assert "sorted(widths)" not in text


def test_earlier_tasks_are_finished(course):
    assert "self.count = start" not in rendered(course, 1)
    assert "self.count = start" in rendered(course, 2)


def test_later_tasks_and_spans_are_not_there(course):
    assert "math" not in rendered(course, 2)
    assert "math.floor(self.count + 0.25)" in rendered(course, 3, worked=True)
    assert "def walk" not in rendered(course, 1)


def test_a_later_task_without_a_stub_leaves_nothing(course):
    assert "math.floor" not in rendered(course, 3)
    assert "return self.count" in rendered(course, 3)


def test_the_worked_solution_finishes_the_parts_own_tasks(course):
    text = rendered(course, 2, worked=True)
    assert "self.past.append(self.count)" in text
    assert "NotImplementedError" not in text
    assert "math" not in text


def test_the_worked_solution_but_one_task_has_that_tasks_stub_and_the_others_finished(course):
    text = "#: task 2.1\na = 23\n#: stub\n#:| a = None\n#: end\n#: task 2.2\nb = 7\n#: stub\n#:| b = None\n#: end\n"
    source = parse(text, "x.py", course)
    assert render(source, 2, worked=True, but="2.1") == "a = None\nb = 7\n"
    assert render(source, 2, worked=True, but="2.2") == "a = 23\nb = None\n"


def test_a_range_of_parts_ends_with_its_last(course):
    source = parse("#: part 2-3\na = 23\n#: end\n#: part 4\na = 4\n#: end\n", "x.py", course)
    assert [render(source, part) for part in (1, 2, 3, 4)] == ["", "a = 23\n", "a = 23\n", "a = 4\n"]


def test_a_region_may_stand_inside_another(course):
    text = "def f(x):\n    #: task 1.1\n    y = x\n    #: task 2.1\n    y = float(y)\n    #: end\n    return y\n"
    text += "    #: end\n    pass\n"
    source = parse(text, "x.py", course)
    assert render(source, 2) == "def f(x):\n    y = x\n    return y\n    pass\n"
    assert "float" in render(source, 3)
    assert [(task, [line.number for line in lines]) for task, _, lines in source.solution_lines()] == [
        ("1.1", [3, 7]),
        ("2.1", [5]),
    ]


def test_a_blank_stub_line_is_kept_and_stub_text_keeps_the_markers_indentation(course):
    assert '        # TODO 2.1: go on by width.\n\n        raise NotImplementedError("TODO 2.1' in rendered(course, 2)


def test_no_marker_reaches_an_output(course):
    outputs = [rendered(course, part, worked) for part in (1, 2, 3) for worked in (False, True)]
    assert not any("#:" in text for text in outputs)


@pytest.mark.parametrize("part", [1, 2, 3])
@pytest.mark.parametrize("worked", [False, True])
def test_a_formatter_has_nothing_to_do(course, part, worked):
    ruff = [sys.executable, "-m", "ruff", "format", "--check", "--isolated", "--line-length", "120", "-"]
    done = subprocess.run(ruff, input=rendered(course, part, worked), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_blank_lines_inside_a_text_are_left_alone(course):
    text = 'x = """a\n\n\n\n    b"""\n'
    assert render(parse(text, "x.py", course), 1) == text


def test_common_code_has_neither_the_tasks_nor_their_stubs(course):
    path = course.solutions / "counter.py"
    common = common_code(parse(path.read_text(), "solutions/counter.py", course), 2)
    assert "self.count = start" in common
    assert "TODO" not in common
    assert "sorted(widths)" not in common


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("a = 1\n#: part 2\nb = 2\n", "x.py:2", "never closed"),
        ("#: task 2.1\na = 1\n#: stub\n#:| pass\n", "x.py:1", "never closed"),
        ("a = 1\n\n#: end\n", "x.py:3", "closes nothing"),
        ("#: stub\n#:| pass\n#: end\n", "x.py:1", "outside a task"),
        ("#: part 2\n#: stub\n#: end\n", "x.py:2", "outside a task"),
        ("#: task 2.1\n#:| pass\n#: end\n", "x.py:2", "outside a task's"),
        ("#: tsk 2.1\n#: end\n", "x.py:1", "unknown marker"),
        ("#: task two\n#: end\n", "x.py:1", "unknown marker"),
        ("#: part 3-2\n#: end\n", "x.py:1", "backwards"),
        ("#: task 2.7\n#: end\n", "x.py:1", "gives part2 no task 2.7"),
        ("#: task 9.1\n#: end\n", "x.py:1", "no part9"),
        ("#: task 2.1\n#: stub\nb = 1\n#: end\n", "x.py:3", "only '#:| ' lines"),
        ("#: task 2.1\n#: stub\n#: part 3\n#: end\n#: end\n", "x.py:3", "inside a stub"),
    ],
)
def test_a_bad_marker_is_reported_with_its_line(course, text, where, what):
    with pytest.raises(CourseError, match=re.escape(what)) as caught:
        parse(text, "x.py", course)
    assert str(caught.value).startswith(f"{where}: ")


def test_a_task_of_a_part_that_is_only_announced_is_accepted(course):
    assert parse("#: task 3.8\na = 1\n#: end\n", "x.py", course).tasks() == ["3.8"]


def test_a_stub_that_is_not_python_is_reported(course):
    source = parse("def f():\n    #: task 2.1\n    return 1\n    #: end\n", "solutions/x.py", course)
    with pytest.raises(CourseError, match=r"solutions/x\.py: what it gives for part 2 is not Python"):
        render(source, 2)


def test_the_real_engine_renders_for_every_part_formatted(pytestconfig):
    from autograder.course.manifest import load_course

    root = Path(pytestconfig.rootpath)
    course = load_course(root)
    source = parse((course.solutions / "value.py").read_text(), "solutions/value.py", course)
    for part in range(2, 6):
        for worked in (False, True):
            text = render(source, part, worked=worked)
            ruff = [sys.executable, "-m", "ruff", "format", "--check", "--isolated", "--line-length", "120", "-"]
            assert subprocess.run(ruff, input=text, capture_output=True, text=True).returncode == 0, (part, worked)


def test_on_part_4s_stub_every_forward_operation_works_and_every_task_says_todo(pytestconfig):
    from autograder.course.manifest import load_course

    course = load_course(Path(pytestconfig.rootpath))
    source = parse((course.solutions / "value.py").read_text(), "solutions/value.py", course)
    names: dict = {}
    exec(render(source, 4), names)
    a, b = names["Value"](3.0), names["Value"](-0.5)
    assert ((a + b).data, (a * b).data) == (2.5, -1.5)
    assert b.tanh().data == pytest.approx(-0.46211715726)
    tasks = {
        "4.1": (a + b)._backward,
        "4.2": (a * b)._backward,
        "4.3": b.tanh()._backward,
        "4.4": a.topological_order,
        "4.5": a.backward,
    }
    for task, call in tasks.items():
        with pytest.raises(NotImplementedError, match=f"^TODO {task}"):
            call()
