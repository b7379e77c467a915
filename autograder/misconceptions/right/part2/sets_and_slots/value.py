"""A right node with slots, children in a set, and one method that makes every result."""


class Value:
    __slots__ = ("__weakref__", "_backward", "_op", "_prev", "data", "grad", "label")

    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self.grad = data, 0
        self._prev = set(_children)
        self._op, self.label = _op, label
        self._backward = lambda: None

    def _made(self, number, other, op):
        return Value(number, {self, other}, op)

    def __add__(self, other):
        return self._made(self.data + other.data, other, "+")

    def __mul__(self, other):
        return self._made(self.data * other.data, other, "*")

    def __repr__(self):
        return f"Value(data={self.data:.4f})"
