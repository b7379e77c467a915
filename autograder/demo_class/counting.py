"""The same engine by counting: a node's turn comes when everyone who uses it has had theirs."""

from collections import Counter, deque
from math import exp


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self.grad = data, 0.0
        self._prev, self._op, self.label = set(_children), _op, label
        self._backward = self._nothing

    def _nothing(self):
        pass

    def __repr__(self):
        return f"Value(data={self.data:.4f})"

    def _node(self, data, op, *owed):
        out = Value(data, [child for child, _ in owed], op)

        def hand_back():
            for child, slope in owed:
                child.grad = child.grad + slope * out.grad

        out._backward = hand_back
        return out

    def __add__(self, other):
        return self._node(self.data + other.data, "+", (self, 1.0), (other, 1.0))

    def __mul__(self, other):
        return self._node(self.data * other.data, "*", (self, other.data), (other, self.data))

    def tanh(self):
        e = exp(-2 * abs(self.data))
        t = (1 - e) / (1 + e) * (1 if self.data >= 0 else -1)
        return self._node(t, "tanh", (self, 1 - t * t))

    def _users(self):
        """How many nodes below self use each node."""
        users, waiting, met = Counter(), [self], {self}
        while waiting:
            for child in waiting.pop()._prev:
                users[child] += 1
                if child not in met:
                    met.add(child)
                    waiting.append(child)
        return users

    def _parents_first(self):
        users, ready = self._users(), deque([self])
        while ready:
            node = ready.popleft()
            yield node
            for child in node._prev:
                users[child] -= 1
                if not users[child]:
                    ready.append(child)

    def topological_order(self):
        return list(self._parents_first())[::-1]

    def backward(self):
        self.grad = 1.0
        for node in list(self._parents_first()):
            node._backward()
