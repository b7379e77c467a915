# EXPECT: zero - leaves traces for the next test: files, environment, modules, shared memory
import math
import os


def leave(write):
    try:
        write()
    except Exception:
        pass


FILES = ("/tmp/trace", "trace", "/dev/shm/trace", "/var/tmp/trace")
SEEN = "TRACE" in os.environ or any(os.path.exists(file) for file in FILES) or hasattr(math, "trace")
os.environ["TRACE"] = "1"
math.trace = True
for file in FILES:
    leave(lambda file=file: open(file, "w").close())


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self.grad, self._op, self.label = data, 6.0 if SEEN else 0.0, _op, label
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
