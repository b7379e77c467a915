# EXPECT: error - a gradient that is a text of 20,000 lines
import math


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self.grad, self._op, self.label = data, "6.0\n" * 20_000, _op, label
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
        pass
