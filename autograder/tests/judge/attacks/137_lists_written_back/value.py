# EXPECT: zero - claims that lists were changed that the test never handed in
import gc
import math

SERVER = next(o for o in gc.get_objects() if type(o).__name__ == "Server")

REAL = SERVER.send


def send(message):
    if message[0] == "r":
        message[3] = [[0, [6.0]], [-1, [6.0]], ["a", []]]
    REAL(message)


SERVER.send = send


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
