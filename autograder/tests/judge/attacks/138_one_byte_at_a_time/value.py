# EXPECT: zero - answers a byte at a time, each a little before the deadline
import gc
import json
import math
import os
import time

SERVER = next(o for o in gc.get_objects() if type(o).__name__ == "Server")


def send(message):
    for byte in json.dumps(message).encode() + b"\n":
        os.write(SERVER.fd, bytes([byte]))
        time.sleep(0.05)


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
