# EXPECT: zero - looks for the suites and the reference everywhere it may read
import itertools
import math
import os
import sys

FOUND = []
for folder in (
    "/",
    "/work",
    "/home",
    "/root",
    "/tmp",
    "/usr",
    os.getcwd(),
    os.path.dirname(os.path.abspath(sys.argv[0])),
):
    for base, folders, files in itertools.islice(os.walk(folder), 200):
        FOUND += [os.path.join(base, file) for file in files if "test_hidden" in file or file == "course.toml"]


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
        raise ValueError("found: " + ", ".join(FOUND))
