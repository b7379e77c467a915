"""Expressions with every operator of part 5 and log, for the hidden suites.

What a right engine gives is computed forwards, with pairs of a number and its slopes, which share no idea with the
engine.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

Step = tuple[str, int, int, float]

# Every step takes a left and a right node and a plain number, and uses what it needs.
STEPS: dict[str, Callable[[Any, Any, float], Any]] = {
    "p + q": lambda p, q, c: p + q,
    "p + c": lambda p, q, c: p + c,
    "c + p": lambda p, q, c: c + p,
    "p * q": lambda p, q, c: p * q,
    "p * c": lambda p, q, c: p * c,
    "c * p": lambda p, q, c: c * p,
    "-p": lambda p, q, c: -p,
    "p - q": lambda p, q, c: p - q,
    "p - c": lambda p, q, c: p - c,
    "c - p": lambda p, q, c: c - p,
    "p ** 2": lambda p, q, c: p**2,
    "p ** 3": lambda p, q, c: p**3,
    "p ** -1": lambda p, q, c: p**-1,
    "p / q": lambda p, q, c: p / q,
    "p / c": lambda p, q, c: p / c,
    "c / p": lambda p, q, c: c / p,
    "exp": lambda p, q, c: p.exp(),
    # Plus a number, because relu(p) and p are equal: an engine that mixes up equal nodes is 5.1's and 5.2's business.
    "relu": lambda p, q, c: p.relu() + c,
    "tanh_from_exp": lambda p, q, c: p.tanh_from_exp(),
    "sigmoid": lambda p, q, c: p.sigmoid(),
    "log": lambda p, q, c: p.log(),
}
LARGEST = 4.0  # no node becomes larger, so that no slope is lost in rounding
SHRINK = "p * c", 0.3  # the step that is taken where another would leave that range


class Pair:
    """A number and its derivatives with respect to all leaves, carried forwards."""

    def __init__(self, number: float, slopes: Sequence[float]) -> None:
        self.number = number
        self.slopes = list(slopes)

    def _with(self, number: float, slope: float, other: Pair | float = 0.0, other_slope: float = 0.0) -> Pair:
        others = other.slopes if isinstance(other, Pair) else [0.0] * len(self.slopes)
        return Pair(number, [slope * p + other_slope * q for p, q in zip(self.slopes, others, strict=True)])

    def __add__(self, other: Pair | float) -> Pair:
        return self._with(self.number + _number(other), 1.0, other, 1.0)

    def __mul__(self, other: Pair | float) -> Pair:
        return self._with(self.number * _number(other), _number(other), other, self.number)

    def __truediv__(self, other: Pair | float) -> Pair:
        below = _number(other)
        return self._with(self.number / below, 1.0 / below, other, -self.number / below**2)

    def __sub__(self, other: Pair | float) -> Pair:
        return self._with(self.number - _number(other), 1.0, other, -1.0)

    def __neg__(self) -> Pair:
        return self._with(-self.number, -1.0)

    def __radd__(self, other: float) -> Pair:
        return self._with(other + self.number, 1.0)

    def __rmul__(self, other: float) -> Pair:
        return self._with(other * self.number, other)

    def __rsub__(self, other: float) -> Pair:
        return self._with(other - self.number, -1.0)

    def __rtruediv__(self, other: float) -> Pair:
        return self._with(other / self.number, -other / self.number**2)

    def __pow__(self, exponent: int) -> Pair:
        return self._with(self.number**exponent, exponent * self.number ** (exponent - 1))

    def exp(self) -> Pair:
        """e to the power of it."""
        return self._with(math.exp(self.number), math.exp(self.number))

    def relu(self) -> Pair:
        """It, where it is positive."""
        return self._with(max(self.number, 0.0), float(self.number > 0))

    def tanh_from_exp(self) -> Pair:
        """Its hyperbolic tangent."""
        return self._with(math.tanh(self.number), 1.0 / math.cosh(self.number) ** 2)

    def sigmoid(self) -> Pair:
        """The sigmoid of it, by way of tanh, which does not overflow."""
        return self._with((1.0 + math.tanh(self.number / 2)) / 2, 1.0 / (4 * math.cosh(self.number / 2) ** 2))

    def log(self) -> Pair:
        """Its natural logarithm."""
        return self._with(math.log(self.number), 1.0 / self.number)


def _number(value: Pair | float) -> float:
    return value.number if isinstance(value, Pair) else value


def random_steps(rng: random.Random, numbers: Sequence[float], names: Sequence[str], count: int) -> list[Step]:
    """`count` random steps over leaves with these numbers, taken from `names` (keys of STEPS).

    Nodes are used again and again, inner ones too. A step that would leave the range in which it is well behaved
    (a quotient by almost nothing, a logarithm of a negative number, relu near its corner) becomes SHRINK.
    """
    steps: list[Step] = []
    pairs = [Pair(number, []) for number in numbers]
    while len(steps) < count:
        name, c = rng.choice(names), rng.choice([-1, 1]) * round(rng.uniform(0.4, 2.5), 2)
        # The newest node usually takes part, so that the expression grows deep; the other one may be any, or the same.
        left, right = rng.choice([len(pairs) - 1, rng.randrange(len(pairs))]), rng.randrange(len(pairs))
        if not _well_behaved(name, pairs[left], pairs[right], c):
            name, c = SHRINK
        steps.append((name, left, right, c))
        pairs.append(STEPS[name](pairs[left], pairs[right], c))
    return steps


def _well_behaved(name: str, p: Pair, q: Pair, c: float) -> bool:
    if name == "p / q" and abs(q.number) < 0.3:
        return False
    if name in ("c / p", "p ** -1", "relu") and abs(p.number) < 0.3:
        return False
    if name == "log" and p.number < 0.3:
        return False
    return abs(STEPS[name](p, q, c).number) <= LARGEST


def follow(steps: Sequence[Step], leaves: Sequence[Any]) -> Any:
    """The last node that the steps make of these leaves."""
    nodes = list(leaves)
    for name, left, right, c in steps:
        nodes.append(STEPS[name](nodes[left], nodes[right], c))
    return nodes[-1]


def slopes_of(steps: Sequence[Step], numbers: Sequence[float]) -> tuple[float, list[float]]:
    """The result of the steps as a number, and its derivative with respect to each leaf."""
    size = len(numbers)
    leaves = [Pair(number, [float(i == j) for j in range(size)]) for i, number in enumerate(numbers)]
    result = follow(steps, leaves)
    return result.number, result.slopes
