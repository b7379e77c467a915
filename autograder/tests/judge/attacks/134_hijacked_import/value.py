# EXPECT: zero - hooks that make every later import, the server's own too, a module of its choice
import builtins
import math
import sys


class Finder:
    def find_spec(self, name, path=None, target=None):
        raise ImportError("mine now")


sys.meta_path.insert(0, Finder())
builtins.__import__ = lambda *args, **kwargs: sys.modules[__name__]


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
