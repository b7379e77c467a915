"""The suites' own backward pass: over proxies it is what it is over nodes in this process."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import ModuleType

import pytest

from autograder.judge.sandbox import available
from autograder.judge.students import Names, Remote
from autograder.suites.backward import fire, nodes_below, send_back
from autograder.suites.graphs import random_edges, wire

SOURCE = b"""
class Node:
    def __init__(self, data, _prev=(), _op=""):
        self.data, self.grad, self._prev = data, 0.0, _prev
        self._backward = self.pass_on

    def pass_on(self):
        for number, child in enumerate(self._prev, 2):
            child.grad += number * self.grad
"""


@pytest.fixture
def away() -> Iterator[Names]:
    remote = Remote(available(), {"student.py": SOURCE}, seed=0)
    yield Names(remote, "student")
    remote.end_test()


@pytest.fixture
def here() -> ModuleType:
    module = ModuleType("student")
    exec(SOURCE, module.__dict__)
    return module


def test_the_walk_finds_the_same_nodes_in_the_same_order(away: Names, here: ModuleType) -> None:
    edges = random_edges(random.Random(10), 24)
    orders = []
    for names in (away, here):
        nodes = wire(names.Node, edges)
        orders.append([node.data for node in nodes_below(nodes[-1])])
    assert orders[0] == orders[1]
    assert len(orders[0]) > 5


def test_the_walk_gives_the_very_nodes_of_the_test(away: Names) -> None:
    low = away.Node(1.5)
    root = away.Node(2.5, (low, low))
    below = nodes_below(root)
    assert below[0] is low
    assert below[1] is root


def test_a_pass_gives_the_same_gradients(away: Names, here: ModuleType) -> None:
    edges = random_edges(random.Random(11), 16)
    gradients = []
    for names in (away, here):
        nodes = wire(names.Node, edges)
        send_back(nodes[-1], 0.75)
        gradients.append([node.grad for node in nodes])
    assert gradients[0] == gradients[1]
    assert any(gradients[0][:-1])


def test_a_missing_prev_or_closure_fails_as_it_does_in_one_process(away: Names, here: ModuleType) -> None:
    for names in (away, here):
        node = names.Node(1.0, (2.5,))
        with pytest.raises(AttributeError):
            nodes_below(node)
        node._backward = None
        with pytest.raises(TypeError):
            assert fire(node) or node.data
