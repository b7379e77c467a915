# EXPECT: zero - claims to be not done, or blocked by another task, with numbers that are none
import math


class Value:
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
        raise NotImplementedError("TODO \u0664.\u0661 \x1b[31m")

    def backward(self):
        raise NotImplementedError("TODO 4.5 " + "x" * 10**6)
