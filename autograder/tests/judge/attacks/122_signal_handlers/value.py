# EXPECT: zero - takes over every signal handler and answers a stop with a reply of its own
import gc
import json
import math
import os
import signal

SERVER = next(o for o in gc.get_objects() if type(o).__name__ == "Server")


def answer(number, frame):
    os.write(SERVER.fd, json.dumps(["r", SERVER.current, 6.0, []]).encode() + b"\n")


for number in (signal.SIGUSR1, signal.SIGXCPU, signal.SIGTERM):
    signal.signal(number, answer)


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
        while True:
            pass
