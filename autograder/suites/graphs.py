"""Random expressions for the hidden suites, and a second engine to compare a student's with.

A program is a list of steps over a growing list of nodes; it runs on anything that has +, * and tanh(): a student's
Value, the Dual numbers below, plain floats. The Dual numbers differentiate forwards, so that they share no idea and
no line with the engine that the course teaches.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

Program = list[tuple[str, int, int]]
Edges = list[tuple[int, ...]]


def random_program(rng: random.Random, numbers: Sequence[float], steps: int) -> Program:
    """`steps` random steps (operation, left node, right node) over leaves with these numbers.

    Nodes are used again and again. A step that would leave [-4, 4] becomes a tanh, so that nothing overflows and no
    gradient is lost in rounding.
    """
    program: Program = []
    values = list(numbers)
    for _ in range(steps):
        op = rng.choice(["+", "*", "+", "*", "tanh"])
        # The newest node usually takes part, so that the expression grows deep; the other one may be any, or the same.
        left, right = rng.choice([len(values) - 1, rng.randrange(len(values))]), rng.randrange(len(values))
        value = values[left] + values[right] if op == "+" else values[left] * values[right]
        if op == "tanh" or abs(value) > 4:
            op, value = "tanh", math.tanh(values[left])
        program.append((op, left, right))
        values.append(value)
    return program


def run(program: Program, leaves: Sequence[Any]) -> Any:
    """The last node of the program on these leaves."""
    nodes = list(leaves)
    for op, left, right in program:
        if op == "+":
            nodes.append(nodes[left] + nodes[right])
        elif op == "*":
            nodes.append(nodes[left] * nodes[right])
        else:
            nodes.append(nodes[left].tanh())
    return nodes[-1]


class Dual:
    """A number and its derivatives with respect to all leaves, carried forwards."""

    def __init__(self, number: float, slopes: Sequence[float]) -> None:
        self.number = number
        self.slopes = list(slopes)

    def __add__(self, other: Dual) -> Dual:
        return Dual(self.number + other.number, [p + q for p, q in zip(self.slopes, other.slopes, strict=True)])

    def __mul__(self, other: Dual) -> Dual:
        pairs = zip(self.slopes, other.slopes, strict=True)
        return Dual(self.number * other.number, [p * other.number + self.number * q for p, q in pairs])

    def tanh(self) -> Dual:
        slope = 1.0 / math.cosh(self.number) ** 2
        return Dual(math.tanh(self.number), [slope * p for p in self.slopes])


def exact_gradients(program: Program, numbers: Sequence[float]) -> list[float]:
    """The derivative of the program's result with respect to each leaf, by the Dual numbers."""
    size = len(numbers)
    duals = [Dual(number, [float(i == j) for j in range(size)]) for i, number in enumerate(numbers)]
    return run(program, duals).slopes


def bumped_gradients(f: Callable[[Sequence[float]], float], numbers: Sequence[float], h: float = 1e-6) -> list[float]:
    """The same by central differences: 2 * len(numbers) evaluations of f."""
    slopes = []
    for i in range(len(numbers)):
        up = [number + h * (i == j) for j, number in enumerate(numbers)]
        down = [number - h * (i == j) for j, number in enumerate(numbers)]
        slopes.append((f(up) - f(down)) / (2 * h))
    return slopes


def random_edges(rng: random.Random, nodes: int) -> Edges:
    """A random graph: for node i the numbers of its children, all smaller; node 0 is a leaf."""
    return [
        tuple(dict.fromkeys(rng.randrange(i) for _ in range(rng.randrange(1, 4)))) if i and rng.random() < 0.8 else ()
        for i in range(nodes)
    ]


def wire(Value: Any, edges: Edges, number: Callable[[int], float] = float) -> list[Any]:
    """The graph as the student's nodes, wired by hand: no operator takes part."""
    nodes: list[Any] = []
    for i, children in enumerate(edges):
        nodes.append(Value(number(i), tuple(nodes[c] for c in children), "+" if children else ""))
    return nodes


def below(edges: Edges, root: int) -> set[int]:
    """The numbers of all nodes that `root` depends on, and its own."""
    found, todo = {root}, [root]
    while todo:
        for child in edges[todo.pop()]:
            if child not in found:
                found.add(child)
                todo.append(child)
    return found
