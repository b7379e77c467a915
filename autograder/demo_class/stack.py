"""A value in an expression, with a stack of open visits for the order."""

import math


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0.0
        self._prev = _children
        self._op = _op
        self.label = label
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data})"

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")

        def _backward():
            self.grad += (1 - out.data**2) * out.grad

        out._backward = _backward
        return out

    def topological_order(self):
        order, entered = [], set()
        open_visits = [(self, iter(self._prev))]
        entered.add(self)
        while open_visits:
            node, children = open_visits[-1]
            for child in children:
                if child not in entered:
                    entered.add(child)
                    open_visits.append((child, iter(child._prev)))
                    break
            else:
                order.append(node)
                open_visits.pop()
        return order

    def backward(self):
        order = self.topological_order()
        self.grad = 1.0
        for node in reversed(order):
            node._backward()
