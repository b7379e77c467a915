# EXPECT: zero - a thread floods the pipe with replies to the request that is running and to the next ones
import gc
import json
import math
import os
import threading

SERVER = next(o for o in gc.get_objects() if type(o).__name__ == "Server")


def flood():
    for _ in range(20_000):
        for ahead in range(3):
            os.write(SERVER.fd, json.dumps(["r", SERVER.current + ahead, 6.0, []]).encode() + b"\n")


threading.Thread(target=flood, daemon=True).start()


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
