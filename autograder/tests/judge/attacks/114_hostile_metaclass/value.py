# EXPECT: zero - a metaclass answers __mro__, __name__, == and every attribute with whatever suits
import math


class Meta(type):
    __eq__ = lambda cls, other: True
    __hash__ = type.__hash__
    __instancecheck__ = __subclasscheck__ = lambda cls, other: True

    @property
    def __mro__(cls):
        return (float, object)

    @property
    def __name__(cls):
        return "float" * 1000


class Value(metaclass=Meta):
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
