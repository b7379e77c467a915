"""A right engine: every rule is an object of a small class; the order comes from iterators on a stack."""

import math


class Rule:
    def __init__(self, out):
        self.out = out


class Plus(Rule):
    def __call__(self):
        for node in self.out.operands:
            node.grad = node.grad + self.out.grad


class Times(Rule):
    def __call__(self):
        left, right = self.out.operands
        upstream = self.out.grad
        left.grad, extra = left.grad + right.data * upstream, left.data * upstream
        right.grad = right.grad + extra


class Tanh(Rule):
    def __call__(self):
        (x,) = self.out.operands
        x.grad += self.out.grad / math.cosh(x.data) ** 2


class Value:
    def __init__(self, data, _children=(), _op="", label="", rule=None):
        self.data = data
        self.grad = 0.0
        self.operands = tuple(_children)
        self._prev = frozenset(self.operands)
        self._op = _op
        self.label = label
        self._backward = rule(self) if rule else lambda: None

    def __repr__(self):
        return f"Value(data={self.data!r}, op={self._op!r})"

    def __add__(self, other):
        return Value(self.data + other.data, (self, other), "+", rule=Plus)

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), "*", rule=Times)

    def tanh(self):
        return Value(math.tanh(self.data), (self,), "tanh", rule=Tanh)

    def topological_order(self):
        placed = {}
        met = {self}
        walk = [(self, iter(self._prev))]
        while walk:
            node, children = walk[-1]
            child = next((child for child in children if child not in met), None)
            if child is None:
                placed[node] = None
                walk.pop()
            else:
                met.add(child)
                walk.append((child, iter(child._prev)))
        return list(placed)

    def backward(self):
        order = self.topological_order()
        self.grad = 1.0
        while order:
            order.pop()._backward()
