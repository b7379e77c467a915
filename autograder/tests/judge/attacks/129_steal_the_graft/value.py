# EXPECT: zero - wants the reference's source: from compile, exec, code objects and frames, into its messages
import builtins
import math

STOLEN = []
REAL = builtins.compile


def spy(source, *args, **kwargs):
    STOLEN.append(str(source))
    return REAL(source, *args, **kwargs)


builtins.compile = spy
builtins.exec = lambda code, space: STOLEN.append(str(code))


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
        raise ValueError("stolen: " + " ".join(STOLEN)[-1500:])
