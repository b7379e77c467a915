"""A right engine: tanh by its formula, children in a set, a chatty repr, gradients that begin as an int."""

import math


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0
        self._prev = set(_children)
        self._op = _op
        self.label = label
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad}, op={self._op!r}, label={self.label!r})"

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            for operand in (self, other):
                operand.grad = operand.grad + 1.0 * out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            for operand, factor in ((self, other), (other, self)):
                operand.grad = operand.grad + factor.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        x = abs(self.data)
        e = math.exp(-2 * x)
        t = math.copysign((1 - e) / (1 + e), self.data)
        out = Value(t, (self,), "tanh")

        def _backward():
            self.grad = self.grad + (1 - t**2) * out.grad

        out._backward = _backward
        return out

    def topological_order(self):
        order, state, todo = [], {}, [self]
        while todo:
            node = todo[-1]
            if node not in state:
                state[node] = "open"
                todo.extend(child for child in node._prev if child not in state)
            else:
                todo.pop()
                if state[node] == "open":
                    state[node] = "placed"
                    order.append(node)
        return order

    def backward(self):
        for node in reversed(self.topological_order()):
            if node is self:
                node.grad = 1
            node._backward()
