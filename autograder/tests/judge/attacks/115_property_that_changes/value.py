# EXPECT: zero - grad is another number at every read, in the hope of a comparison that asks twice
import itertools
import math

NUMBERS = itertools.cycle([6.0, 5.0, 2.0, -4.0, 1.0, 0.5])


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self._op, self.label = data, _op, label
        self._prev, self._backward = tuple(_children), lambda: None

    grad = property(lambda self: next(NUMBERS), lambda self, value: None)

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
