# EXPECT: zero - invented errors that claim to be pytest's and hypothesis's own ways out
import gc
import json
import math
import os

SERVER = next(o for o in gc.get_objects() if type(o).__name__ == "Server")

KINDS = ["Skipped", "Exit", "UnsatisfiedAssumption", "StopTest", "SystemExit", "KeyboardInterrupt", "BaseException"]


def forge():
    reply = ["e", SERVER.current, KINDS, "passed", None, 0]
    os.write(SERVER.fd, json.dumps(reply).encode() + b"\n")


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self.grad, self._op, self.label = data, 0.0, _op, label
        self._prev, self._backward = tuple(_children), lambda: None

    def __getattribute__(self, name):
        if name == "grad":
            forge()
        return object.__getattribute__(self, name)

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
