# EXPECT: zero - grad is a float whose ==, <, arithmetic, hash and repr claim to be right
import math


class Right(float):
    __eq__ = __le__ = __ge__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __sub__ = __rsub__ = __add__ = __radd__ = __mul__ = __rmul__ = lambda self, other: Right(0.0)
    __abs__ = lambda self: 0.0
    __hash__ = float.__hash__
    __float__ = lambda self: 6.0
    __repr__ = lambda self: "6.0"
    __class__ = property(lambda self: float)


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self.grad, self._op, self.label = data, Right(0.25), _op, label
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
