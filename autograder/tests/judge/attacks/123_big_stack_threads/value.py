# EXPECT: zero - threads with stacks of half a gibibyte, and recursion in them
import math
import threading


def start():
    try:
        threading.stack_size(512 << 20)
        thread = threading.Thread(target=lambda: [0] * 10**8)
        thread.start()
        thread.join()
    except (RuntimeError, MemoryError, ValueError):
        pass


start()


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
