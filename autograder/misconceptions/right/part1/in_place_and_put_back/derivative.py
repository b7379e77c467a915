"""Right slopes in long hand: the list is changed for a moment and put back, the best step found by a loop."""

import math
from collections.abc import Callable, Sequence


def forward_difference(f: Callable[[float], float], x: float, h: float = 1e-3) -> float:
    before: float = f(x)
    after: float = f(x + h)
    rise = after - before
    return rise / h


def central_difference(f: Callable[[float], float], x: float, h: float = 1e-3) -> float:
    return 0.5 * (f(x + h) - f(x - h)) / h


def partial(f: Callable[[list[float]], float], xs: list[float], i: int, h: float = 1e-6) -> float:
    kept = xs[i]
    try:
        xs[i] = kept + h
        above = f(xs)
        xs[i] = kept - h
        below = f(xs)
    finally:
        xs[i] = kept
    return (above - below) / (2.0 * h)


def gradient(f: Callable[[list[float]], float], xs: list[float], h: float = 1e-6) -> list[float]:
    slopes = [0.0] * len(xs)
    for i, kept in enumerate(list(xs)):
        values = []
        for number in (kept + h, kept - h):
            xs[i] = number
            values.append(f(xs))
        xs[i] = kept
        slopes[i] = (values[0] - values[1]) / (2.0 * h)
    return slopes


def error_sweep(
    f: Callable[[float], float], exact: float, x: float, hs: Sequence[float]
) -> list[tuple[float, float, float]]:
    rows = []
    for h in hs:
        forward = math.fabs((f(x + h) - f(x)) / h - exact)
        central = math.fabs((f(x + h) - f(x - h)) / (2.0 * h) - exact)
        rows.append((h, forward, central))
        print("h =", h, "forward", forward, "central", central)
    return rows


def best_h(rows: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    best_forward = best_central = rows[0]
    for row in rows[1:]:
        if row[1] <= best_forward[1]:
            best_forward = row
        if row[2] <= best_central[2]:
            best_central = row
    return best_forward[0], best_central[0]
