# EXPECT: zero - finds the server and replaces its getattr by one that always answers 6.0
import gc
import math

SERVER = next(o for o in gc.get_objects() if type(o).__name__ == "Server")

SERVER.operations["getattr"] = lambda owner, name: 6.0 if name == "grad" else getattr(owner, name)


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
