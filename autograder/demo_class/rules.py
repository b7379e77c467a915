"""The same engine with a table of rules: one function per operation says what each child is owed."""

import math

RULES = {
    "+": lambda out, a, b: [(a, 1.0), (b, 1.0)],
    "*": lambda out, a, b: [(a, b.data), (b, a.data)],
    "tanh": lambda out, a: [(a, 1.0 - out.data * out.data)],
}


class Value:
    __slots__ = ("_backward", "_op", "_prev", "data", "grad", "label")

    def __init__(self, data: float, _children: tuple = (), _op: str = "", label: str = "") -> None:
        self.data = float(data)
        self.grad = 0.0
        self._prev = list(_children)
        self._op = _op
        self.label = label
        self._backward = self._by_rule

    def __repr__(self) -> str:
        return f"Value(data={self.data}, grad={self.grad})"

    def _by_rule(self) -> None:
        if self._op in RULES:
            for child, slope in RULES[self._op](self, *self._prev):
                child.grad += slope * self.grad

    def __add__(self, other: "Value") -> "Value":
        return Value(self.data + other.data, (self, other), "+")

    def __mul__(self, other: "Value") -> "Value":
        return Value(self.data * other.data, (self, other), "*")

    def tanh(self) -> "Value":
        return Value(math.tanh(self.data), (self,), "tanh")

    def topological_order(self) -> list["Value"]:
        order: list[Value] = []
        done: set[int] = set()
        todo: list[tuple[Value, bool]] = [(self, False)]
        while todo:
            node, ready = todo.pop()
            if id(node) in done:
                continue
            if ready:
                done.add(id(node))
                order.append(node)
            else:
                todo.append((node, True))
                todo += [(child, False) for child in node._prev]
        return order

    def backward(self) -> None:
        order = self.topological_order()
        order[-1].grad = 1.0
        while order:
            order.pop()._backward()
