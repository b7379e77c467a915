# EXPECT: zero - sends the message of a stopped worker with a place in the judge's own files
import gc
import json
import math
import os

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
        os.write(SERVER.fd, json.dumps(["x", ["../judge/judge.py", 1, "<b>"], SERVER.current]).encode() + b"\n")
        os._exit(0)
