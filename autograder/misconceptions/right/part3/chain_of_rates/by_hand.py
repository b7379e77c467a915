"""Right gradients: each is the product of the rates along its path, collected with math.prod; loops in long hand."""

import math
from collections.abc import Callable


def expression_gradients(a: float, b: float, c: float, f: float) -> dict[str, float]:
    paths: dict[str, tuple[float, ...]] = {
        "L": (),
        "d": (f,),
        "f": (a * b + c,),
        "e": (1.0, f),
        "c": (1.0, f),
        "a": (b, 1.0, f),
        "b": (a, 1.0, f),
    }
    return {name: math.prod(rates) for name, rates in paths.items()}


def numeric_slope(expression: Callable, leaves: dict[str, float], name: str, h: float = 1e-3) -> float:
    before = expression(**leaves).data
    kept = leaves[name]
    leaves[name] = kept + h
    after = expression(**leaves).data
    leaves[name] = kept
    return (after - before) / h


def one_step(leaves: dict[str, float], gradients: dict[str, float], rate: float = 0.01) -> dict[str, float]:
    moved: dict[str, float] = {}
    for name in leaves:
        step = rate * gradients[name]
        moved[name] = leaves[name] + step
    return moved


def neuron_gradients(x1: float, x2: float, w1: float, w2: float, b: float) -> dict[str, float]:
    t = math.tanh(b + w2 * x2 + w1 * x1)
    behind = (1.0 - t) * (1.0 + t)
    factors = {"x1": w1, "w1": x1, "x2": w2, "w2": x2, "b": 1.0, "x1w1": 1.0, "x2w2": 1.0, "x1w1x2w2": 1.0, "n": 1.0}
    return {"o": 1.0} | {name: factor * behind for name, factor in factors.items()}
