# EXPECT: zero - finds the server's own sys.setrecursionlimit in its globals and raises the limit with it
import gc
import math


def real():
    for thing in gc.get_objects():
        if type(thing) is dict and "_set_recursion_limit" in thing:
            return thing["_set_recursion_limit"]
    return lambda limit: None


SET = real()


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
        SET(10**6)
        return [node for child in self._prev for node in child.topological_order()] + [self]

    def backward(self):
        self.grad = 1.0
