"""Right gradients in small steps, one line and one name for each node, from the output down."""

import math


def expression_gradients(a, b, c, f):
    e = a * b
    d = e + c
    dL = 1.0
    dd = f * dL
    df = d * dL
    de = 1.0 * dd
    dc = 1.0 * dd
    da = b * de
    db = a * de
    return {"a": da, "b": db, "c": dc, "d": dd, "e": de, "f": df, "L": dL}


def numeric_slope(expression, leaves, name, h=1e-3):
    bump = {name: h}
    grown = {leaf: number + bump.get(leaf, 0) for leaf, number in leaves.items()}
    rise = expression(**grown).data - expression(**leaves).data
    return rise / h


def one_step(leaves, gradients, rate=0.01):
    return {leaf: sum((leaves[leaf], gradients[leaf] * rate)) for leaf in sorted(leaves)}


def neuron_gradients(x1, x2, w1, w2, b):
    x1w1 = x1 * w1
    x2w2 = x2 * w2
    x1w1x2w2 = x1w1 + x2w2
    n = x1w1x2w2 + b
    o = math.tanh(n)
    grad = {"o": 1.0}
    grad["n"] = (1 - o**2) * grad["o"]
    grad["x1w1x2w2"] = grad["b"] = grad["n"]
    grad["x1w1"] = grad["x2w2"] = grad["x1w1x2w2"]
    for product, (x_name, x), (w_name, w) in (("x1w1", ("x1", x1), ("w1", w1)), ("x2w2", ("x2", x2), ("w2", w2))):
        grad[x_name] = w * grad[product]
        grad[w_name] = x * grad[product]
    return grad
