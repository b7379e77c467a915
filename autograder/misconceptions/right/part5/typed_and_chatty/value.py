"""A right engine: slots, type hints, rules as methods of subclasses, prints, warnings, operators nobody asked for."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Iterable
from typing import ClassVar

Number = "int | float"


class Value:
    __slots__ = ("_backward", "_op", "_prev", "data", "grad", "label")
    count: ClassVar[int] = 0

    def __init__(self, data: Number, _children: Iterable[Value] = (), _op: str = "", label: str = "") -> None:
        Value.count += 1
        self.data, self.grad, self.label, self._op = data, 0.0, label, _op
        self._prev = frozenset(_children)
        self._backward = self.rule

    def rule(self) -> None:
        """Nothing to hand on: a leaf."""

    @classmethod
    def of(cls, x: Value | Number) -> Value:
        return x if isinstance(x, Value) else cls(x)

    def __repr__(self) -> str:
        return f"<{self._op or 'leaf'} {self.data:.4f}>"

    def __add__(self, other: Value | Number) -> Value:
        return Sum(self, Value.of(other))

    def __radd__(self, other: Number) -> Value:
        return Sum(Value(other), self)

    def __mul__(self, other: Value | Number) -> Value:
        return Product(self, Value.of(other))

    def __rmul__(self, other: Number) -> Value:
        return Product(Value(other), self)

    def __neg__(self) -> Value:
        return Product(Value(-1), self)

    def __pos__(self) -> Value:
        return self

    def __sub__(self, other: Value | Number) -> Value:
        return Sum(self, -Value.of(other))

    def __rsub__(self, other: Number) -> Value:
        return Value(other) - self

    def __pow__(self, exponent: Number) -> Value:
        if isinstance(exponent, Value):
            warnings.warn("the exponent gets no gradient", stacklevel=2)
            exponent = exponent.data
        return Power(self, exponent)

    def __truediv__(self, other: Value | Number) -> Value:
        return Product(self, Power(Value.of(other), -1))

    def __rtruediv__(self, other: Number) -> Value:
        return Value(other) / self

    def __float__(self) -> float:
        return float(self.data)

    def tanh(self) -> Value:
        return Curve(self, "tanh", math.tanh(self.data), lambda x, y: 1 - y**2)

    def exp(self) -> Value:
        print("exp of", self.data, file=sys.stderr)
        return Curve(self, "exp", math.exp(self.data), lambda x, y: y)

    def relu(self) -> Value:
        return Curve(self, "relu", (self.data + abs(self.data)) / 2, lambda x, y: (x > 0) * 1.0)

    def tanh_from_exp(self) -> Value:
        square = self.exp() ** 2
        return (square - 1) * (square + 1) ** -1

    def sigmoid(self) -> Value:
        print("sigmoid of", self.data)
        if self.data < 0:
            return 1 - (-self).sigmoid() if self.data > -5 else self.exp() / (1 + self.exp())
        return (1 + (-self).exp()) ** -1

    def topological_order(self) -> list[Value]:
        order: dict[Value, None] = {}
        stack: list[Value] = [self]
        while stack:
            node = stack[-1]
            missing = [child for child in node._prev if child not in order]
            if missing:
                stack.extend(missing)
            else:
                order.setdefault(stack.pop())
        return list(order)

    def backward(self) -> None:
        self.grad = 1.0
        for node in reversed(self.topological_order()):
            node._backward()


class Sum(Value):
    __slots__ = ("left", "right")

    def __init__(self, left: Value, right: Value) -> None:
        super().__init__(left.data + right.data, (left, right), "+")
        self.left, self.right = left, right

    def rule(self) -> None:
        for side in (self.left, self.right):
            side.grad += self.grad


class Product(Value):
    __slots__ = ("left", "right")

    def __init__(self, left: Value, right: Value) -> None:
        super().__init__(left.data * right.data, (left, right), "*")
        self.left, self.right = left, right

    def rule(self) -> None:
        for side, partner in ((self.left, self.right), (self.right, self.left)):
            side.grad += partner.data * self.grad


class Power(Value):
    __slots__ = ("base", "exponent")

    def __init__(self, base: Value, exponent: Number) -> None:
        super().__init__(base.data**exponent, (base,), f"**{exponent}")
        self.base, self.exponent = base, exponent

    def rule(self) -> None:
        self.base.grad += self.grad * self.exponent * pow(self.base.data, self.exponent - 1)


class Curve(Value):
    __slots__ = ("inside", "slope")

    def __init__(self, inside: Value, name: str, number: float, slope) -> None:
        super().__init__(number, (inside,), name)
        self.inside, self.slope = inside, slope

    def rule(self) -> None:
        self.inside.grad += self.slope(self.inside.data, self.data) * self.grad
