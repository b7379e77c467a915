"""A right node: a dataclass that compares by identity, its operations made from a table."""

import operator
from dataclasses import InitVar, dataclass, field


def nothing():
    return None


@dataclass(eq=False, repr=False)
class Value:
    data: float
    _children: InitVar[tuple] = ()
    _op: str = ""
    label: str = ""
    grad: float = field(default=0.0, init=False)

    def __post_init__(self, _children):
        self._prev = tuple(dict.fromkeys(_children))
        self._backward = nothing

    def __repr__(self):
        return "Value(data=%s, grad=%s, from=%s)" % (self.data, self.grad, self._op or "nothing")  # noqa: UP031


def operation(sign, compute):
    def make(self, other):
        return Value(compute(self.data, other.data), (self, other), sign)

    return make


for name, sign, compute in (("__add__", "+", operator.add), ("__mul__", "*", operator.mul)):
    setattr(Value, name, operation(sign, compute))
