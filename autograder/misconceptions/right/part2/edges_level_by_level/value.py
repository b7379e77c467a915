"""A right node whose left operand comes last, and which counts how many have been made."""

from itertools import count


class Value:
    made = count(1)

    def __init__(self, data, _children=(), _op="", label=""):
        self._backward = lambda: None
        self.number = next(Value.made)
        self.label, self._op = label, _op
        self._prev = (*_children,)[::-1]
        self.grad = 0.0
        self.data = data

    def __repr__(self):
        return "Value(data={:g}, number {})".format(self.data, self.number)  # noqa: UP032

    def __mul__(self, other):
        return type(self)(other.data * self.data, [other, self], _op="*")

    def __add__(self, other):
        return type(self)(other.data + self.data, [other, self], _op="+")
