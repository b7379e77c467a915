"""A right engine: post-order from generators on a stack; rules return pairs, and the node applies them."""

import math
from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False)
class Value:
    data: float
    _prev: Any = ()
    _op: str = ""
    label: str = ""
    grad: float = 0.0
    _backward: Any = field(default=None, repr=False)

    def __post_init__(self):
        self._prev = tuple(self._prev)
        if self._backward is None:
            self._backward = lambda: None

    def with_rule(self, rule):
        def apply():
            for child, amount in rule(self.grad):
                child.grad += amount

        self._backward = apply
        return self

    def __add__(self, other):
        return Value(self.data + other.data, (self, other), "+").with_rule(lambda g: [(self, g), (other, g)])

    def __mul__(self, other):
        rule = lambda g: [(self, g * other.data), (other, g * self.data)]  # noqa: E731
        return Value(self.data * other.data, (self, other), "*").with_rule(rule)

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, (self,), "tanh").with_rule(lambda g: [(self, g - g * t * t)])

    def topological_order(self):
        seen, order = {self}, []

        def children_of(node):
            for child in node._prev:
                if child not in seen:
                    seen.add(child)
                    yield child
            order.append(node)

        stack = [children_of(self)]
        while stack:
            for child in stack[-1]:
                stack.append(children_of(child))
                break
            else:
                stack.pop()
        return order

    def backward(self):
        order = self.topological_order()
        self.grad = 1.0
        for node in order[::-1]:
            node._backward()
