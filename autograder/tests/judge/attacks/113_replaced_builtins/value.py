# EXPECT: zero - len, list, isinstance, issubclass, type and str in builtins flatter the worker
import builtins
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
        return [self]

    def backward(self):
        self.grad = 1.0


builtins.len = lambda thing: 5
builtins.isinstance = builtins.issubclass = lambda *args: True
builtins.list = lambda *args: [6.0]
