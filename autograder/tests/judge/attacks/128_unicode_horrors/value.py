# EXPECT: zero - class names, functions and messages of control characters, overrides and lone surrogates
import math

BAD = "\x1b[2J\x00\u202e\u2066\ud800\ufeff" + "\u0300" * 500 + "\U000e0041<script>alert(1)</script>&amp;`|%s{0}"
Horror = type(BAD.replace("\x00", "").replace("\ud800", ""), (ValueError,), {})


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self.grad, self._op, self.label = data, 0.0, _op, label
        self._prev, self._backward = tuple(_children), lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other), "+")
        out.grad = BAD
        out._backward = self.backward
        return out

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), "*")

    def tanh(self):
        return Value(math.tanh(self.data), (self,), "tanh")

    def topological_order(self):
        return [self]

    def backward(self):
        raise Horror(BAD)
