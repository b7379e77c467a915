# EXPECT: zero - every operation of the server returns an object that equals everything
import gc
import math


class Yes:
    __eq__ = __ne__ = __lt__ = __gt__ = lambda self, other: True
    __hash__ = object.__hash__


SERVER = next(o for o in gc.get_objects() if type(o).__name__ == "Server")

for name in list(SERVER.operations):
    if name not in ("load", "names", "begin"):
        SERVER.operations[name] = lambda *args, **kwargs: Yes()


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
