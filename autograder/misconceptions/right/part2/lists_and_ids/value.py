"""A right node, in long hand: children in a list, type hints, labels that operations make up."""

from __future__ import annotations

from collections.abc import Iterable


class Value:
    def __init__(self, data: float, _children: Iterable[Value] | None = None, _op: str = "", label: str = "") -> None:
        self.data: float = float(data)
        self.grad: float = 0.0
        self._prev: list[Value] = []
        if _children is not None:
            for child in _children:
                self._prev.append(child)
        self._op: str = _op
        self.label: str = label
        self._backward = lambda: None

    def __repr__(self) -> str:
        shown = "Value(data=" + str(round(self.data, 2))
        if self.label != "":
            shown = shown + ", label=" + self.label
        return shown + ")"

    def __add__(self, other: Value) -> Value:
        out = Value(0.0, [self, other], "+", "(" + self.label + "+" + other.label + ")")
        out.data = self.data + other.data
        return out

    def __mul__(self, other: Value) -> Value:
        out = Value(0.0, [self, other], "*", self.label + other.label)
        out.data = self.data * other.data
        return out
