# EXPECT: zero - raises the recursion limit through ctypes and recurses through the order
import ctypes
import math


def deeper():
    try:
        ctypes.pythonapi.Py_SetRecursionLimit(10**9)
    except Exception:
        pass


deeper()


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
        deeper()
        return [node for child in self._prev for node in child.topological_order()] + [self]

    def backward(self):
        self.grad = 1.0
