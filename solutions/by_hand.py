"""Backpropagation by hand: every gradient as a formula, and a bump that checks it.

Plain numbers throughout. Only numeric_slope meets nodes: it is handed a function that builds them.
"""

import math


def expression_gradients(a, b, c, f):
    """The gradients of L = d * f, where d = e + c and e = a * b, at any four numbers.

    Returns a dict with the seven keys a, b, c, d, e, f, L: the slope of L with respect to each node, as a plain
    number, from formulas of the four inputs. No Value and no bump.
    """
    #: task 3.2
    # The forward pass, as far as a rule below asks for it: only the product d * f does, for its d.
    outer = a * b + c
    slope = {"L": 1.0, "d": f, "f": outer}
    # A plus passes on what it received; the product below it swaps.
    slope["c"] = slope["e"] = slope["d"]
    slope["a"] = b * slope["e"]
    slope["b"] = a * slope["e"]
    return slope
    #: stub
    #:| # TODO 3.2: begin at L, whose slope is known, and work down to a and b.
    #:| raise NotImplementedError("TODO 3.2: the expression's seven gradients")
    #: end


def numeric_slope(expression, leaves, name, h=1e-3):
    """How steeply an expression's output rises when one leaf grows, found by trying: (bumped - plain) / h.

    expression  a function that takes the leaves as keyword arguments, builds the graph and returns its output node
    leaves      the leaves' numbers, a dict like {"a": 2.0, "b": -3.0}; it is the same afterwards
    name        the leaf that grows by h, while all others stay

    Both graphs are built from scratch, because a node computes its number once, when it is made. Returns a number.
    """
    #: task 3.3
    grown = {**leaves, name: leaves[name] + h}
    return (expression(**grown).data - expression(**leaves).data) / h
    #: stub
    #:| # TODO 3.3: build the expression twice, once with the one leaf bumped, and compare the two outputs' numbers.
    #:| raise NotImplementedError("TODO 3.3: the slope by a bump")
    #: end


def one_step(leaves, gradients, rate=0.01):
    """Every leaf moved a little along its gradient, so that the output goes up.

    leaves     the leaves' numbers, a dict; it is the same afterwards
    gradients  a dict with the gradient of every leaf; it may know further nodes, which are not moved

    Returns a new dict with the keys of `leaves`: each number plus rate times its gradient.
    """
    #: task 3.4
    return {name: number + rate * gradients[name] for name, number in leaves.items()}
    #: stub
    #:| # TODO 3.4: which way does a leaf with a negative gradient have to move if the output is to rise?
    #:| raise NotImplementedError("TODO 3.4: one step along the gradient")
    #: end


def neuron_gradients(x1, x2, w1, w2, b):
    """The gradients of o = tanh(n), where n = x1w1x2w2 + b, x1w1x2w2 = x1w1 + x2w2, x1w1 = x1 * w1, x2w2 = x2 * w2.

    Returns a dict with the ten keys o, n, x1w1x2w2, x1w1, x2w2, x1, x2, w1, w2, b: the slope of o with respect to
    each node, as a plain number, for any five inputs. No Value and no bump.
    """
    #: task 3.5
    o = math.tanh(x1 * w1 + x2 * w2 + b)
    routed = 1.0 - o * o  # what arrives behind the tanh, and what both pluses pass on unchanged
    slope = {"o": 1.0, "n": routed, "b": routed, "x1w1x2w2": routed, "x1w1": routed, "x2w2": routed}
    slope["x1"], slope["w1"] = w1 * routed, x1 * routed
    slope["x2"], slope["w2"] = w2 * routed, x2 * routed
    return slope
    #: stub
    #:| # TODO 3.5: the forward pass down to o, then from o back: the tanh, the two pluses, the two products.
    #:| raise NotImplementedError("TODO 3.5: the neuron's ten gradients")
    #: end
