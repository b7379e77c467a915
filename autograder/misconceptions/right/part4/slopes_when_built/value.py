"""A right engine: the slopes are worked out when a node is built, and one general closure hands them on."""

import math


class Value:
    __slots__ = ("_backward", "_op", "_prev", "data", "grad", "label")

    def __init__(self, data, _children=(), _op="", label=""):
        self.data = float(data)
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self.label = label
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data})"

    @classmethod
    def made(cls, number, symbol, *shares):
        out = cls(number, tuple(node for node, _ in shares), symbol)

        def hand_on():
            for node, slope in shares:
                node.grad += slope * out.grad

        out._backward = hand_on
        return out

    def __add__(self, other):
        return Value.made(self.data + other.data, "+", (self, 1.0), (other, 1.0))

    def __mul__(self, other):
        return Value.made(self.data * other.data, "*", (self, other.data), (other, self.data))

    def tanh(self):
        t = math.tanh(self.data)
        return Value.made(t, "tanh", (self, 1 - t * t))

    def topological_order(self):
        order, todo, entered, placed = [], [self], set(), set()
        while todo:
            node = todo.pop()
            if id(node) in placed:
                continue
            if id(node) in entered:
                placed.add(id(node))
                order.append(node)
                continue
            entered.add(id(node))
            todo += [node, *(child for child in node._prev if id(child) not in placed)]
        return order

    def backward(self):
        self.grad = 1.0
        for node in reversed(self.topological_order()):
            node._backward()
