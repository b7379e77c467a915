"""Two engines of our own on the same random graphs: do all numbers and all gradients agree?

To a billionth of the largest in the graph: the last digit of a float is nobody's demand, nor is relu's slope at 0.
For the mutants that are listed as equivalent. What an engine offers decides which operations take part, so that an
early part's engine is compared by the operations that it has. Nothing that somebody else wrote is run here.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

Step = tuple[str, int, int, float]

# By operation: the method it takes, when it may be applied to these two numbers, and what it does to nodes.
OPERATIONS: dict[str, tuple[str, Callable[[float, float], bool], Callable[[Any, Any, float], Any]]] = {
    "+": ("__add__", lambda x, y: True, lambda a, b, c: a + b),
    "*": ("__mul__", lambda x, y: True, lambda a, b, c: a * b),
    "+ number": ("__radd__", lambda x, y: True, lambda a, b, c: a + c),
    "number +": ("__radd__", lambda x, y: True, lambda a, b, c: c + a),
    "* number": ("__rmul__", lambda x, y: True, lambda a, b, c: a * c),
    "number *": ("__rmul__", lambda x, y: True, lambda a, b, c: c * a),
    "negation": ("__neg__", lambda x, y: True, lambda a, b, c: -a),
    "-": ("__sub__", lambda x, y: True, lambda a, b, c: a - b),
    "- number": ("__sub__", lambda x, y: True, lambda a, b, c: a - c),
    "number -": ("__rsub__", lambda x, y: True, lambda a, b, c: c - a),
    "/": ("__truediv__", lambda x, y: abs(y) > 0.1, lambda a, b, c: a / b),
    "number /": ("__rtruediv__", lambda x, y: abs(x) > 0.1, lambda a, b, c: c / a),
    "**3": ("__pow__", lambda x, y: True, lambda a, b, c: a**3),
    "**-2": ("__pow__", lambda x, y: abs(x) > 0.1, lambda a, b, c: a**-2),
    "**0.5": ("__pow__", lambda x, y: x > 0.1, lambda a, b, c: a**0.5),
    "exp": ("exp", lambda x, y: x < 3, lambda a, b, c: a.exp()),
    "log": ("log", lambda x, y: x > 0.1, lambda a, b, c: a.log()),
    "relu": ("relu", lambda x, y: abs(x) > 1e-3, lambda a, b, c: a.relu()),
    "tanh": ("tanh", lambda x, y: True, lambda a, b, c: a.tanh()),
    "tanh_from_exp": ("tanh_from_exp", lambda x, y: abs(x) < 20, lambda a, b, c: a.tanh_from_exp()),
    "sigmoid": ("sigmoid", lambda x, y: True, lambda a, b, c: a.sigmoid()),
}
TOLERANCE = 1e-9
LARGEST = 50.0  # beyond it a graph starts again from its leaves, so that nothing overflows


def disagreement(reference: bytes, other: bytes, graphs: int, seed: int = 0) -> str | None:
    """What the first graph of `graphs` random ones shows on which two value.py disagree; None when none does.

    Whatever the other one raises is a disagreement too.
    """
    ours, theirs = _loaded(reference), _loaded(other)
    known = [name for name, (method, _, _) in OPERATIONS.items() if hasattr(ours.Value, method)]
    rng = random.Random(seed)
    for number in range(graphs):
        leaves = [rng.choice([rng.uniform(-3, 3), float(rng.randrange(-2, 3))]) for _ in range(rng.randrange(1, 5))]
        steps: list[Step] = []
        expected = _grown(ours.Value, leaves, rng, known, steps)
        try:
            found = _run(theirs.Value, leaves, steps)
        except Exception as error:
            return f"graph {number}: {type(error).__name__}: {error}"
        for what, right, got in zip(("numbers", "gradients"), expected, found, strict=True):
            if not _close(right, got):
                return f"graph {number}: other {what} than the reference's"
    return None


def _close(right: list[float], found: list[float]) -> bool:
    near = TOLERANCE * max(1.0, *(abs(number) for number in right))
    # Asked this way round, because every comparison with nan is False.
    return len(found) == len(right) and all(abs(x - y) <= near for x, y in zip(right, found, strict=True))


def _loaded(source: bytes) -> Any:
    module = ModuleType("value")
    exec(compile(source, "value.py", "exec"), module.__dict__)
    return module


def _grown(Value: Any, leaves: list[float], rng: random.Random, known: list[str], steps: list[Step]) -> Any:
    """Grow a graph on the reference, noting its steps; its numbers and gradients."""
    nodes = [Value(x) for x in leaves]
    for _ in range(rng.randrange(1, 12)):
        left, right = rng.choice([len(nodes) - 1, rng.randrange(len(nodes))]), rng.randrange(len(nodes))
        step = (rng.choice(known), left, right, rng.choice([-1.5, 0.5, 2, 3]))
        _, fits, build = OPERATIONS[step[0]]
        if not fits(nodes[left].data, nodes[right].data):
            continue
        node = build(nodes[left], nodes[right], step[3])
        if not math.isfinite(node.data) or abs(node.data) > LARGEST:
            continue
        nodes.append(node)
        steps.append(step)
    return _shown(nodes)


def _run(Value: Any, leaves: list[float], steps: list[Step]) -> Any:
    nodes = [Value(x) for x in leaves]
    for name, left, right, number in steps:
        nodes.append(OPERATIONS[name][2](nodes[left], nodes[right], number))
    return _shown(nodes)


def _shown(nodes: list[Any]) -> tuple[list[float], list[float]]:
    """All numbers, and all gradients after one backward pass from the last node.

    The pass meets gradients at the leaves, which it adds to, and one at its root, which it replaces. What a second pass
    does to inner nodes is nobody's demand.
    """
    if hasattr(nodes[-1], "backward"):
        for node in nodes:
            node.grad = 0.0 if node._prev else 0.5
        nodes[-1].grad = 0.75
        nodes[-1].backward()
    return [node.data for node in nodes], [node.grad for node in nodes]
