"""A right engine: as little as possible is primitive, negation is a difference, an overflow is caught."""

import math


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self.label = label
        self._backward = lambda: None

    def __add__(self, other):
        if isinstance(other, Value):
            out = Value(self.data + other.data, (self, other), "+")

            def both():
                self.grad += out.grad
                other.grad += out.grad

            out._backward = both
        else:
            # A number gets no node of its own.
            out = Value(self.data + other, (self,), f"+{other}")

            def one():
                self.grad += out.grad

            out._backward = one
        return out

    def __mul__(self, other):
        if isinstance(other, Value):
            out = Value(self.data * other.data, (self, other), "*")

            def both():
                share, other_share = other.data * out.grad, self.data * out.grad
                self.grad += share
                other.grad += other_share

            out._backward = both
        else:
            out = Value(self.data * other, (self,), f"*{other}")

            def one():
                self.grad += other * out.grad

            out._backward = one
        return out

    __radd__ = __add__
    __rmul__ = __mul__

    def __sub__(self, other):
        return self + -1 * other

    def __rsub__(self, other):
        return other + -1 * self

    def __neg__(self):
        return 0 - self

    def __truediv__(self, other):
        return self * (other**-1.0)

    def __rtruediv__(self, other):
        return other * self**-1.0

    def __pow__(self, exponent):
        if isinstance(exponent, Value):
            return (self.log() * exponent).exp()
        out = Value(self.data**exponent, (self,), "pow")

        def rule():
            if exponent != 0:
                self.grad += out.grad * exponent * self.data ** (exponent - 1)

        out._backward = rule
        return out

    def log(self):
        out = Value(math.log(self.data), (self,), "log")

        def rule():
            self.grad += out.grad / self.data

        out._backward = rule
        return out

    def exp(self):
        out = Value(math.e**self.data, (self,), "exp")

        def rule():
            self.grad += out.grad * out.data

        out._backward = rule
        return out

    def relu(self):
        out = Value(self.data if self.data > 0 else 0, (self,), "relu")

        def rule():
            self.grad += out.grad if out.data > 0 else 0

        out._backward = rule
        return out

    def tanh_from_exp(self):
        up, down = self.exp(), (-self).exp()
        return (up - down) / (up + down)

    def tanh(self):
        return self.tanh_from_exp()

    def sigmoid(self):
        try:
            return 1 / (1 + (-self).exp())
        except OverflowError:
            return self.exp() / (1 + self.exp())

    def topological_order(self):
        order, seen = [], {self}
        path = [(self, list(self._prev))]
        while path:
            _node, children = path[-1]
            if children:
                child = children.pop()
                if child not in seen:
                    seen.add(child)
                    path.append((child, list(child._prev)))
            else:
                order.append(path.pop()[0])
        return order

    def backward(self):
        self.grad = 1
        order = self.topological_order()
        while order:
            order.pop()._backward()
