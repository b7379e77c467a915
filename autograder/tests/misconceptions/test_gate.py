"""The gate's rows: what each of them calls a breach, on results made by hand; nothing is judged here."""

import re
from pathlib import Path

import pytest

from autograder.course import CourseError, find_root, load_course
from autograder.course.code import worked_solution
from autograder.judge.plugin import Noted
from autograder.judge.verdict import TaskVerdict, TestVerdict, Verdict
from autograder.misconceptions.agreement import disagreement
from autograder.misconceptions.bank import Workshop
from autograder.misconceptions.constants import CONSTANTS, constant_bodies
from autograder.misconceptions.gate import DIFFERENT_BY_NATURE, constants_row, open_row, same_row
from autograder.misconceptions.handout import given_away, is_code, stray
from autograder.misconceptions.mutants import Mutant
from autograder.misconceptions.mutation import (
    Equivalent,
    Tried,
    idle_tests,
    load_equivalents,
    mutation_rows,
    part_mutants,
    write_matrix,
)
from autograder.misconceptions.pairs import pairs_row, wrong_tasks
from autograder.misconceptions.runs import Run

COURSE = load_course(find_root(Path(__file__)))
PART = COURSE.part("part4")


def noted(name, outcome="passed", task="4.1", visibility="hidden"):
    verdict = TestVerdict(name=name, visibility=visibility, outcome=outcome)
    return Noted(f"test_{visibility}.py::{name}", task, (), verdict)


def mutant(was="a += 1", now="a -= 1", task="4.1", file="checks.py"):
    return Mutant(task, file, 7, "augmented", was, now, 0, 1, "x")


def rows(tried, equivalents=(), everything=None, disagreements=None):
    everything = [each.mutant for each in tried] * 100 if everything is None else everything
    return mutation_rows(PART, tried, equivalents, everything, disagreements or {})


KILLED = Tried(mutant(), [noted("one"), noted("two", "failed")])
SURVIVOR = Tried(mutant(), [noted("one"), noted("two")])
LISTED = Equivalent(task="4.1", was="a += 1", now=("a -= 1",), reason="nobody asks")


def test_a_survivor_that_is_not_listed_is_a_breach():
    killed, _, equal = rows([SURVIVOR])
    assert len(killed.breaches) == 1
    assert "checks.py:7 (4.1, augmented) 'a += 1' -> 'a -= 1': survives; write a test" in killed.breaches[0]
    assert equal.breaches == []


def test_a_survivor_that_is_listed_is_none_and_a_killed_one_that_is_listed_is():
    killed, _, equal = rows([SURVIVOR], [LISTED], [mutant(), *[mutant(now="b")] * 99])
    assert (killed.breaches, equal.breaches, equal.held) == ([], [], 1)
    killed, _, _ = rows([KILLED], [LISTED], [mutant(), *[mutant(now="b")] * 99])
    assert "two kills it; take it off the list" in killed.breaches[0]


def test_more_than_three_in_a_hundred_on_the_list_are_a_breach():
    others = [mutant(now="b")]
    assert rows([SURVIVOR], [LISTED], [*[mutant()] * 3, *others * 97])[2].breaches == []
    assert "3%" in rows([SURVIVOR], [LISTED], [*[mutant()] * 4, *others * 96])[2].breaches[0]


def test_a_listed_mutant_that_disagrees_on_a_graph_is_a_breach():
    many = [mutant(), *[mutant(now="b")] * 99]
    assert rows([SURVIVOR], [LISTED], many, {mutant(): None})[2].breaches == []
    assert "but graph 3: other" in rows([SURVIVOR], [LISTED], many, {mutant(): "graph 3: other numbers"})[2].breaches[0]


def test_an_entry_of_the_list_that_fits_no_mutant_is_a_breach():
    gone = Equivalent(task="4.1", was="a += 9", now=("a -= 9",), reason="nobody asks")
    elsewhere = Equivalent(task="5.1", was="a += 9", now=("a -= 9",), reason="another part's")
    assert "there is no mutant 'a += 9'" in rows([KILLED], [gone])[2].breaches[0]
    assert rows([KILLED], [elsewhere])[2].breaches == []


def test_the_share_that_public_tests_kill_is_shown():
    by_public = Tried(mutant(), [noted("three", "failed", visibility="public"), noted("two", "failed")])
    public = rows([KILLED, by_public, KILLED])[1]
    assert (public.held, public.note, public.breaches) == (1, "33%, shown only", [])


def test_every_entry_of_the_list_has_a_reason_and_fits_a_mutant():
    there = {(m.task, m.was, m.now) for part in COURSE.written_parts for m in part_mutants(COURSE, part)}
    for entry in load_equivalents():
        assert len(entry.reason.split()) > 4
        for now in entry.now:
            assert (entry.task, entry.was, now) in there


def test_a_list_that_cannot_be_read_is_a_sentence(tmp_path):
    for text, says in (("[[equivalent]\n", "equal.toml"), ("[[equivalent]]\ntask = '4.1'\n", "was")):
        (tmp_path / "equal.toml").write_text(text)
        with pytest.raises(CourseError, match=says):
            load_equivalents(tmp_path / "equal.toml")


def test_the_matrix_has_a_row_for_each_test_and_a_column_for_each_mutant(tmp_path):
    other = Tried(mutant(now="a *= 1", task="5.1"), [noted("far", "timeout", "5.1")])
    write_matrix(tmp_path / "m.csv", {"part4": [KILLED], "part5": [other]})
    lines = (tmp_path / "m.csv").read_text().splitlines()
    assert lines[0].count("checks.py:7") == 2
    assert lines[1:] == ["part4,hidden one,0,", "part4,hidden two,1,", "part5,hidden far,,1"]


def test_a_test_that_kills_nothing_is_told_from_one_that_never_kills_alone():
    both = Tried(mutant(), [noted("one"), noted("two", "failed"), noted("three", "failed")])
    assert idle_tests([KILLED, both]) == (["hidden one"], ["hidden three"])


def test_a_passed_test_of_a_constant_body_is_a_breach_and_so_is_no_test_at_all():
    constants = [("4.1", "[]"), ("4.2", "True"), ("4.3", "0")]
    found = constants_row(constants, [[noted("one", "failed")], [noted("two"), noted("three", "failed")], []])
    assert found.held == 3
    assert ["4.2 with a body of True passes two" in said for said in found.breaches] == [True, False]


def test_a_task_whose_stub_alone_is_never_called_not_done_is_a_breach_and_so_is_any_other_end():
    open_tasks = [[noted("one", "not_done"), noted("two", "blocked")] for _ in PART.tasks]
    assert (open_row(PART, open_tasks).held, open_row(PART, open_tasks).breaches) == (len(PART.tasks), [])
    for ends, says in (
        ([noted("one", "blocked")], "no test of 4.2 says"),
        ([], "no test of 4.2 says"),
        ([noted("one", "not_done"), noted("two")], "two of 4.2 ends as passed"),
        ([noted("one", "not_done"), noted("two", "error")], "two of 4.2 ends as error"),
    ):
        (said,) = open_row(PART, [open_tasks[0], ends, *open_tasks[2:]]).breaches
        assert says in said


@pytest.mark.parametrize("part", COURSE.written_parts, ids=lambda part: part.id)
def test_the_stub_of_one_task_alone_is_in_no_other_task_of_the_worked_solution(part):
    for task in part.tasks:
        text = b"".join(worked_solution(COURSE, part, but=task.id).values()).decode()
        assert set(re.findall(r'NotImplementedError\("TODO ([0-9.]+):', text)) == {task.id}


@pytest.mark.parametrize("part", COURSE.written_parts, ids=lambda part: part.id)
def test_a_constant_body_of_any_tasks_together_is_python_and_not_the_solution(part):
    worked = Workshop(COURSE, part).worked
    every = tuple(task.id for task in part.tasks)
    for tasks in (*((task,) for task in every), every):
        for constant in CONSTANTS:
            files = constant_bodies(COURSE, part, tasks, constant)
            assert files != worked
            for name, content in files.items():
                compile(content, name, "exec")


def verdict(**scores):
    tasks = [
        TaskVerdict(
            id=name.replace("t", "4."), title="", score=score, max=2.0,
            tests=[TestVerdict(name=f"of_{name}", visibility="hidden", outcome="passed" if score == 2 else "failed")],
        )
        for name, score in scores.items()
    ]  # fmt: skip
    return Verdict(part="part4", sandbox="good", suite="", submission="", seed=0, score=0, max=4, tasks=tasks)


def run_of(*tests):
    found = verdict(t1=2)
    found.tasks[0].tests = [TestVerdict(name=name, visibility="hidden", outcome=ended) for name, ended in tests]
    return Run(found, {})


def test_a_test_that_ends_otherwise_in_one_process_is_a_breach_unless_its_reason_is_known(monkeypatch):
    run = run_of(("one", "passed"), ("two", "timeout"))
    assert same_row(PART, ["e"], [run], [[noted("one"), noted("two", "failed")]]).breaches == []
    other = [[noted("one", "failed"), noted("two", "failed")]]
    assert "e passes hidden one through the judge and fails it" in same_row(PART, ["e"], [run], other).breaches[0]
    monkeypatch.setitem(DIFFERENT_BY_NATURE, ("part4", "e", "hidden one"), "deep")
    known = same_row(PART, ["e"], [run], other)
    assert (known.breaches, known.note) == ([], "1 tests differ by nature")


def test_a_test_that_ran_on_one_side_only_is_a_breach():
    assert len(same_row(PART, ["e"], [run_of(("one", "passed"))], [[]]).breaches) == 1


PAIR = [("4.5", "4.4")]
RIGHT_WAYS = {
    ("4.5",): verdict(t4=2, t5=0.5),
    ("4.4",): verdict(t4=0.5, t5=2),
    ("4.5", "4.4"): verdict(t4=0.5, t5=0.5),
}


def test_pairs_need_each_task_wrong_alone_and_the_later_one_with_all_below_it():
    assert set(wrong_tasks([*PAIR, ("4.5", "4.1")])) == {("4.5",), ("4.4",), ("4.1",), ("4.5", "4.1", "4.4")}
    assert wrong_tasks([]) == []


@pytest.mark.parametrize(
    ("changed", "found", "says"),
    [
        (("4.4",), verdict(t4=0.5, t5=1.5), "4.5 is right and 4.4 wrong, and of_t5 fails"),
        (("4.4",), verdict(t4=2, t5=2), "4.4 with a body of pass earns all"),
        (("4.5",), verdict(t4=2, t5=2), "4.5 with a body of pass earns all"),
        (("4.5",), verdict(t4=1, t5=0.5), "4.4 is right and 4.5 wrong, and 4.4 loses"),
        (("4.5", "4.4"), verdict(t4=0.5, t5=1), "4.5 is wrong and earns more when 4.4 is wrong too"),
    ],
)
def test_a_pair_is_held_to_its_own_points_both_ways(changed, found, says):
    assert pairs_row(PAIR, RIGHT_WAYS).breaches == []
    assert pairs_row(PAIR, RIGHT_WAYS).held == 1
    assert says in pairs_row(PAIR, {**RIGHT_WAYS, changed: found}).breaches[0]


def test_a_hint_may_not_be_code_nor_say_a_line_of_the_solution_aloud():
    lines = ["self.grad += out.grad", "return order"]
    assert is_code("self.grad += out.grad")
    assert not is_code("Add what arrives to what stands there.")
    assert given_away("The step is `self.grad  +=  out.grad`, and no more.", lines) == lines[0]
    assert given_away("Compute the product: out.grad times other.data, and add it.", ["out.grad * other.data"])
    assert given_away("At the end return order as it is.", lines) is None
    assert given_away("Each share is out.grad; grow grad by it.", lines) is None


def test_a_file_that_belongs_to_no_part_is_stray(tmp_path):
    from autograder.tests.build.tiny import FILES

    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    course = load_course(tmp_path)
    assert list(stray(course)) == []
    (tmp_path / "solutions" / "part1" / "notes.txt").write_text("mine")
    (tmp_path / "assignments" / "part9").mkdir(parents=True)
    assert list(stray(course)) == ["solutions/part1/notes.txt", "assignments/part9"]


def test_engines_agree_with_themselves_and_not_with_a_slip_in_any_operation():
    part = COURSE.part("part8")
    worked = Workshop(COURSE, part).worked["value.py"]
    assert disagreement(worked, worked, 50) is None
    for old, new in (
        (b"self.grad += out.grad / self.data", b"self.grad += out.grad * self.data"),
        (b"exponent * self.data ** (exponent - 1)", b"self.data ** (exponent - 1)"),
        (b"return (-self) + other", b"return self + (-other)"),
        (b"self.grad = 1.0", b"self.grad += 1.0"),
        (b"self.data if self.data > 0 else 0.0", b"abs(self.data)"),
    ):
        assert worked.count(old) == 1
        assert "graph" in (disagreement(worked, worked.replace(old, new), 300) or ""), new
