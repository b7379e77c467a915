"""A right engine: a node is ready when all its consumers are; children in a set, rules as partials."""

import math
from collections import deque
from functools import partial


def give(out, *shares):
    for node, slope in shares:
        node.grad += slope() * out.grad


def nothing():
    return None


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self.grad, self.label = data, 0.0, label
        self._prev, self._op, self._backward = set(_children), _op, nothing

    def __repr__(self):
        return f"Value(data={self.data})"

    def __add__(self, other):
        out = Value(self.data + other.data, {self, other}, "+")
        out._backward = partial(give, out, (self, lambda: 1), (other, lambda: 1))
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, {self, other}, "*")
        out._backward = partial(give, out, (self, lambda: other.data), (other, lambda: self.data))
        return out

    def tanh(self):
        out = Value(math.tanh(self.data), [self], "tanh")
        out._backward = partial(give, out, (self, lambda: 1 - out.data**2))
        return out

    def topological_order(self):
        waiting = {self: 0}
        todo = [self]
        while todo:
            for child in todo.pop()._prev:
                if child not in waiting:
                    waiting[child] = 0
                    todo.append(child)
                waiting[child] += 1
        order, ready = deque(), deque([self])
        while ready:
            node = ready.popleft()
            order.appendleft(node)
            for child in node._prev:
                waiting[child] -= 1
                if not waiting[child]:
                    ready.append(child)
        return list(order)

    def backward(self):
        self.grad = 1
        for node in self.topological_order()[::-1]:
            node._backward()
