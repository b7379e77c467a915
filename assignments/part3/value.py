"""Value: a number that remembers how it was computed, so that it can hand its gradient back."""

import math


class Value:
    """One node of an expression: its number, its gradient, and the nodes it was computed from.

    data       the number
    grad       the derivative of the output with respect to this node; 0.0 until a backward pass says otherwise
    _prev      the nodes this one was computed from, empty for a leaf
    _op        the operation that made it, '' for a leaf
    label      a name for drawings
    _backward  hands this node's grad on to the nodes in _prev; does nothing on a leaf
    """

    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self.label = label
        # The sixth attribute is finished; part 4 needs it. Leave this line at the end.
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other), "+")

        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), "*")

        return out

    def tanh(self):
        """The hyperbolic tangent of this node, as a new node with exactly one child."""
        # TODO 3.1: a new Value that holds tanh of self.data and has self as its only child.
        raise NotImplementedError("TODO 3.1: tanh as a new node")
        return out
