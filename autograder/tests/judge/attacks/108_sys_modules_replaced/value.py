# EXPECT: zero - puts an object that has every attribute in its own place in sys.modules
import math
import sys
import types


class Everything(types.ModuleType):
    def __getattr__(self, name):
        return Everything(name)

    def __call__(self, *args, **kwargs):
        return Everything("value")

    __add__ = __mul__ = __call__
    __eq__ = lambda self, other: True
    __hash__ = object.__hash__


sys.modules[__name__] = Everything("value")


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
