# EXPECT: zero - the json encoder of the worker turns every number into 6.0
import gc
import json
import math


class Liar(json.JSONEncoder):
    def encode(self, message):
        if message[0] == "r" and type(message[2]) is float:
            message[2] = 6.0
        return json.dumps(message)


for thing in gc.get_objects():
    if type(thing).__name__ == "module" and thing.__name__ == "worker.protocol":
        thing._encode = Liar().encode


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
