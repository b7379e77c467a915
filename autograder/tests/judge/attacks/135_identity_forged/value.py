# EXPECT: zero - the server answers every object with the handle of another, so that the order looks right
import gc
import itertools
import math

SERVER = next(o for o in gc.get_objects() if type(o).__name__ == "Server")

HANDLES = itertools.cycle(range(-1, -12, -1))
SERVER.handle_of = lambda value: next(HANDLES)


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
        return [self, self, self, self, self]

    def backward(self):
        self.grad = 1.0
