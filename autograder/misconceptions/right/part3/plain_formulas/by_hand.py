"""Right gradients, every one written out on its own; the slope of tanh through cosh."""

from math import cosh


def expression_gradients(a, b, c, f):
    return {"L": 1, "d": f, "f": a * b + c, "c": f, "e": f, "a": b * f, "b": a * f}


def numeric_slope(expression, leaves, name, h=1e-3):
    grown = leaves.copy()
    grown[name] += h
    above, below = (expression(**numbers).data for numbers in (grown, leaves))
    return (above - below) / h


def one_step(leaves, gradients, rate=0.01):
    moved = dict(leaves)
    for name in moved:
        moved[name] += gradients[name] * rate
    return moved


def neuron_gradients(x1, x2, w1, w2, b):
    s = cosh(x1 * w1 + x2 * w2 + b) ** -2
    return {
        "x1": w1 * s, "x2": w2 * s, "w1": x1 * s, "w2": x2 * s, "b": s,
        "x1w1": s, "x2w2": s, "x1w1x2w2": s, "n": s, "o": 1,
    }  # fmt: skip
