"""What a test hands to student code: lists, dicts and functions, and what the test sees of them afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from autograder.judge.remote import QUEUE_LENGTH
from autograder.judge.sandbox import available
from autograder.judge.students import Names, Remote

SOURCE = b"""
class Node:
    def __init__(self, data):
        self.data = data

def grow(items):
    items[0] = 7.5
    return len(items)

def fill(pairs):
    pairs["new"] = Node(2.5)
    del pairs["old"]
    return len(pairs)

def read(pairs):
    return pairs["old"]

def twice(build):
    return build(1.5).data + build(2.0).data

def one(number):
    return Node(number).data

def guarded(build):
    try:
        return build(Refusing())
    except OverflowError:
        return -4.5

class Sum(Node):
    def __add__(self, other):
        return Node(self.data + other)

class Refusing(Node):
    def __init__(self):
        self.data = 0.5

    def __add__(self, other):
        raise OverflowError("no sums here")
"""


@pytest.fixture
def student() -> Iterator[Names]:
    remote = Remote(available(), {"student.py": SOURCE}, seed=0)
    yield Names(remote, "student")
    remote.end_test()


def test_a_list_is_afterwards_what_student_code_has_made_of_it(student: Names) -> None:
    items = [1.0, 2.0]
    assert student.grow(items) == 2
    assert items == [7.5, 2.0]


def test_a_dict_is_afterwards_what_student_code_has_made_of_it(student: Names) -> None:
    pairs = {"old": 1.0, "stays": 2.0}
    assert student.fill(pairs) == 2
    assert sorted(pairs) == ["new", "stays"]
    assert pairs["stays"] == 2.0
    assert pairs["new"].data == 2.5


def test_a_dict_that_student_code_only_reads_stays_as_it_is(student: Names) -> None:
    pairs = {"old": [1.0], "other": 3.0}
    assert student.read(pairs) == [1.0]
    assert pairs == {"old": [1.0], "other": 3.0}


def test_a_function_of_the_test_may_build_nodes_and_return_them(student: Names) -> None:
    for _ in range(20):
        assert student.twice(lambda number: student.Node(2 * number)) == 7.0


def test_a_name_that_a_test_replaces_is_replaced_for_student_code(student: Names) -> None:
    made, node = [], student.Node

    def doubled(number: float) -> object:
        made.append(number)
        return node(2 * number)

    student.Node = doubled
    assert student.one(1.5) == 3.0
    student.Node = node
    assert student.one(1.5) == 1.5
    assert made == [1.5]


def test_what_a_function_of_the_test_asks_for_last_fails_where_student_code_called_it(student: Names) -> None:
    assert student.guarded(lambda node: node + 1.0) == -4.5
    with pytest.raises(OverflowError, match="no sums here") as raised:
        student.twice(lambda number: student.Refusing() + number)
    assert raised.value.failure.place.function == "__add__"  # type: ignore[attr-defined]


def test_a_function_of_the_test_may_build_more_than_one_message_holds(student: Names) -> None:
    def build(number: float) -> Any:
        node = student.Sum(number)
        sums = [node + step for step in range(3 * QUEUE_LENGTH)]
        return sums[2]

    assert student.twice(build) == 7.5


def test_after_such_a_failure_the_next_request_is_answered_as_ever(student: Names) -> None:
    student.guarded(lambda node: node + 1.0)
    assert student.one(3.25) == 3.25
