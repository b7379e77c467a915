"""A right engine: every node keeps its children with their slopes, and one closure serves all operations."""

from __future__ import annotations

import math


def node(x):
    return x if isinstance(x, Value) else Value(x)


class Value:
    def __init__(self, data, _children=(), _op="", label="", slopes=()):
        self.data, self.grad, self._op, self.label = data, 0.0, _op, label
        self._prev, self.slopes = list(_children), list(slopes)
        self._backward = self.hand_on

    def __repr__(self):
        return f"Value(data={self.data})"

    def hand_on(self):
        for child, slope in zip(self._prev, self.slopes, strict=False):
            child.grad += slope * self.grad

    def __add__(self, other):
        other = node(other)
        return Value(self.data + other.data, (self, other), "+", slopes=(1.0, 1.0))

    def __mul__(self, other):
        other = node(other)
        return Value(self.data * other.data, (self, other), "*", slopes=(other.data, self.data))

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self):
        return Value(-self.data, (self,), "neg", slopes=(-1.0,))

    def __sub__(self, other):
        return self + -node(other)

    def __rsub__(self, other):
        return node(other) + -self

    def __pow__(self, exponent):
        return Value(self.data**exponent, (self,), "**", slopes=(exponent * self.data ** (exponent - 1),))

    def __truediv__(self, other):
        other = node(other)
        ratio = self.data / other.data
        return Value(ratio, (self, other), "/", slopes=(1.0 / other.data, -ratio / other.data))

    def __rtruediv__(self, other):
        return node(other) / self

    def exp(self):
        power = math.exp(self.data)
        return Value(power, (self,), "exp", slopes=(power,))

    def log(self):
        return Value(math.log(self.data), (self,), "ln", slopes=(1.0 / self.data,))

    def relu(self):
        return Value(max(0.0, self.data), (self,), "relu", slopes=(float(self.data > 0),))

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, (self,), "tanh", slopes=(1.0 - t * t,))

    def tanh_from_exp(self):
        e = (self * 2).exp()
        return (e - 1) / (e + 1)

    def sigmoid(self):
        s = 0.5 * (1.0 + math.tanh(self.data / 2))
        return Value(s, (self,), "sigmoid", slopes=(s * (1.0 - s),))

    def topological_order(self):
        order, done, todo = [], set(), [(self, iter(self._prev))]
        while todo:
            parent, children = todo[-1]
            child = next(children, None)
            if child is None:
                todo.pop()
                if id(parent) not in done:
                    done.add(id(parent))
                    order.append(parent)
            elif id(child) not in done:
                todo.append((child, iter(child._prev)))
        return order

    def backward(self):
        self.grad = 1.0
        for each in self.topological_order()[::-1]:
            each._backward()
