"""A right node with slots; tanh takes its number and its children from a helper that all operations share."""

import math


class Value:
    __slots__ = ("_backward", "_op", "_prev", "data", "grad", "label")

    def __init__(self, data, _children=(), _op="", label=""):
        self.data = float(data)
        self.grad = 0.0
        self._prev = list(_children)
        self._op = _op
        self.label = label
        self._backward = lambda: None

    @classmethod
    def from_nodes(cls, function, *nodes):
        return cls(function(*(node.data for node in nodes)), nodes, function.__name__)

    def __add__(self, other):
        return Value.from_nodes(float.__add__, self, other)

    def __mul__(self, other):
        return Value.from_nodes(float.__mul__, self, other)

    def tanh(self):
        return Value.from_nodes(math.tanh, self)
