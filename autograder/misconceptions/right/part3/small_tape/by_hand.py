"""Right gradients: the steps are written down as a list and gone through backwards."""

import math

RULES = {
    "+": lambda left, right, out: (1.0, 1.0),
    "*": lambda left, right, out: (right, left),
    "tanh": lambda left, right, out: (1.0 - out * out, 0.0),
}
WORK = {"+": lambda p, q: p + q, "*": lambda p, q: p * q, "tanh": lambda p, q: math.tanh(p)}


def back(numbers, steps):
    numbers = dict(numbers)
    for out, op, left, right in steps:
        numbers[out] = WORK[op](numbers[left], numbers[right])
    slopes = dict.fromkeys(numbers, 0.0)
    slopes[steps[-1][0]] = 1.0
    for out, op, left, right in reversed(steps):
        first, second = RULES[op](numbers[left], numbers[right], numbers[out])
        slopes[left] += first * slopes[out]
        slopes[right] += second * slopes[out]
    return slopes


def expression_gradients(a, b, c, f):
    steps = [("e", "*", "a", "b"), ("d", "+", "e", "c"), ("L", "*", "d", "f")]
    return back({"a": a, "b": b, "c": c, "f": f}, steps)


def numeric_slope(expression, leaves, name, h=1e-3):
    def output(bump):
        return expression(**{leaf: leaves[leaf] + bump if leaf == name else leaves[leaf] for leaf in leaves}).data

    print("bumping", name, "by", h)
    return output(h) / h - output(0.0) / h


def one_step(leaves, gradients, rate=0.01):
    return dict(zip(leaves, (leaves[name] + rate * gradients[name] for name in leaves), strict=True))


def neuron_gradients(x1, x2, w1, w2, b):
    steps = [
        ("x1w1", "*", "x1", "w1"),
        ("x2w2", "*", "w2", "x2"),
        ("x1w1x2w2", "+", "x1w1", "x2w2"),
        ("n", "+", "x1w1x2w2", "b"),
        ("o", "tanh", "n", "n"),
    ]
    return back({"x1": x1, "x2": x2, "w1": w1, "w2": w2, "b": b}, steps)
