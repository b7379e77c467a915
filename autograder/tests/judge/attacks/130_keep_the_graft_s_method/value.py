# EXPECT: zero - a metaclass hands the reference's operators to its own backward, so that nothing of its own is needed
import math

KEPT = {}


class Meta(type):
    def __setattr__(cls, name, value):
        KEPT[name] = value
        type.__setattr__(cls, name, value)


class Value(metaclass=Meta):
    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self.grad, self._op, self.label = data, 0.0, _op, label
        self._prev, self._backward = tuple(_children), lambda: None

    def __add__(self, other):
        return Value(self.data + other.data, (self, other), "+")

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), "*")

    def tanh(self):
        return Value(math.tanh(self.data), (self,), "tanh")

    def topological_order(self):
        return [self]

    def backward(self):
        self.grad = 1.0
        for name in ("__add__", "__mul__", "tanh", "topological_order"):
            KEPT.get(name, lambda *args: None)
