# EXPECT: zero - a gradient that is a list in a list in a list, 100,000 deep, and one that holds itself
import math

DEEP = []
for _ in range(100_000):
    DEEP = [DEEP]
ITSELF = []
ITSELF.append(ITSELF)


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self.grad, self._op, self.label = data, DEEP, _op, label
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
        self.grad = ITSELF
