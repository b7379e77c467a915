"""What a function of one node has to do, whatever the function is: for the hidden suites.

Each check takes `make`, which applies the student's operation to a node, and the function and its slope on floats.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from autograder.suites.backward import send_back

Quadruple = tuple[float, float, float, float]  # a number, two gradients, and a gradient that was there before


def draw(rng: random.Random) -> float:
    """A number that is neither round nor small, of either sign."""
    return rng.choice([-1, 1]) * round(rng.uniform(0.3, 3.0), 3)


def quadruples(rng: random.Random, count: int = 8, number: Callable[[random.Random], float] = draw) -> list[Quadruple]:
    """`count` times what the checks below need; `number` draws what the operation is applied to."""
    return [(number(rng), draw(rng), draw(rng), draw(rng)) for _ in range(count)]


def both_shares_arrive(
    Value: Any, make: Callable[[Any], Any], slope: Callable[[float], float], numbers: Iterable[Quadruple]
) -> None:
    """make(v), called twice on one node: slope(x) times the sum of both gradients reaches it, on top of what it has."""
    for x, first, second, before in numbers:
        v = Value(x)
        v.grad = before
        one, two = make(v), make(v)
        send_back(one, first)
        send_back(two, second)
        assert v.grad == pytest.approx(before + slope(x) * (first + second), rel=1e-9, abs=1e-12)


def inner_nodes_pass_on(
    Value: Any,
    make: Callable[[Any], Any],
    f: Callable[[float], float],
    slope: Callable[[float], float],
    numbers: Iterable[Quadruple],
) -> None:
    """make(middle), called twice on an inner node: every share reaches that node, and none goes past it unasked."""
    for x, first, second, _ in numbers:
        v = Value(x)
        middle = Value(x, (v,), "copy")
        one, two = make(middle), make(middle)
        assert one.data == pytest.approx(f(x), rel=1e-9, abs=1e-12)
        send_back(one, first)
        share = slope(x) * first
        assert middle.grad == pytest.approx(share, rel=1e-9, abs=1e-12)
        assert v.grad == 0.0
        send_back(two, second)
        assert middle.grad == pytest.approx(share + slope(x) * second, rel=1e-9, abs=1e-12)
