"""A right engine: every operation is a node of its own, children are kept in a set, and a table holds the slopes."""

import math


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self.label = label
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data})"

    @staticmethod
    def _node(number, op, *owed):
        """A node with this number; `owed` are pairs of an operand and a function that gives the slope along it."""
        out = Value(number, [operand for operand, _ in owed], op)

        def hand_on():
            for operand, slope in owed:
                operand.grad = operand.grad + slope() * out.grad

        out._backward = hand_on
        return out

    @staticmethod
    def _wrap(x):
        return x if isinstance(x, Value) else Value(x)

    def __add__(self, other):
        other = Value._wrap(other)
        return Value._node(self.data + other.data, "+", (self, lambda: 1.0), (other, lambda: 1.0))

    def __sub__(self, other):
        other = Value._wrap(other)
        return Value._node(self.data - other.data, "-", (self, lambda: 1.0), (other, lambda: -1.0))

    def __mul__(self, other):
        other = Value._wrap(other)
        return Value._node(self.data * other.data, "*", (self, lambda: other.data), (other, lambda: self.data))

    def __truediv__(self, other):
        other = Value._wrap(other)
        return Value._node(
            self.data / other.data,
            "/",
            (self, lambda: 1 / other.data),
            (other, lambda: -self.data / other.data**2),
        )

    def __radd__(self, other):
        return Value(other).__add__(self)

    def __rsub__(self, other):
        return Value(other).__sub__(self)

    def __rmul__(self, other):
        return Value(other).__mul__(self)

    def __rtruediv__(self, other):
        return Value(other).__truediv__(self)

    def __neg__(self):
        return Value._node(-self.data, "neg", (self, lambda: -1.0))

    def __pow__(self, n):
        # A power of 0 or 1 is flat or a line; anything else by the rule.
        slope = {0: lambda: 0.0, 1: lambda: 1.0}.get(n, lambda: n * self.data ** (n - 1))
        return Value._node(self.data**n, f"^{n}", (self, slope))

    def tanh(self):
        return Value._node(math.tanh(self.data), "tanh", (self, lambda: 1 / math.cosh(self.data) ** 2))

    def exp(self):
        return Value._node(math.exp(self.data), "exp", (self, lambda: math.exp(self.data)))

    def relu(self):
        return Value._node(max(0, self.data), "relu", (self, lambda: 1.0 if self.data >= 0 else 0.0))

    def tanh_from_exp(self):
        small = (self * -2).exp()
        return (1 - small) / (1 + small)

    def sigmoid(self):
        small = math.exp(-abs(self.data))
        number = (1.0 if self.data > 0 else small) / (1 + small)
        return Value._node(number, "sigmoid", (self, lambda: small / (1 + small) ** 2))

    def topological_order(self):
        order, seen, todo = [], set(), [(self, False)]
        while todo:
            node, placed = todo.pop()
            if placed:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                todo.append((node, True))
                todo += [(child, False) for child in node._prev]
        return order

    def backward(self):
        self.grad = 1.0
        for node in self.topological_order()[::-1]:
            node._backward()
