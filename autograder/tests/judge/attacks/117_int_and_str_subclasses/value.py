# EXPECT: zero - grad is an int, then a text, whose methods all lie
import math


class Int(int):
    __eq__ = lambda self, other: True
    __hash__ = int.__hash__
    __int__ = __index__ = lambda self: 6


class Text(str):
    __eq__ = lambda self, other: True
    __hash__ = str.__hash__
    __str__ = lambda self: "6.0"
    __len__ = lambda self: 0


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self.grad, self._op, self.label = data, Int(99), _op, label
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
        self.grad = Text("1.0")
