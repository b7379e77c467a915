# EXPECT: zero - calls a function of the test's for ever, and with arguments that it does not take
import gc
import math

SERVER = next(o for o in gc.get_objects() if type(o).__name__ == "Server")


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
        for function in SERVER.callbacks.values():
            try:
                function(*range(100), **{"x" * 1000: self})
            except Exception:
                pass
        while SERVER.callbacks:
            for function in list(SERVER.callbacks.values()):
                function()
