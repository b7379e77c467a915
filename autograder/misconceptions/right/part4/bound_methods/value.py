"""A right engine: one method per operation, looked up by the operation's name; children in a list."""

import math


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0.0
        self._prev = list(_children)
        self._op = _op
        self.label = label
        names = {"+": self._plus, "*": self._times, "tanh": self._tanh}
        self._backward = names.get(_op, self._leaf)

    def __repr__(self):
        return "Value(data=%r, grad=%r)" % (self.data, self.grad)  # noqa: UP031

    def _leaf(self):
        pass

    def _plus(self):
        if len(self._prev) == 2:
            for child in self._prev:
                child.grad += self.grad

    def _times(self):
        if len(self._prev) == 2:
            a, b = self._prev
            a.grad += self.grad * b.data
            b.grad += self.grad * a.data

    def _tanh(self):
        self._prev[0].grad += self.grad * (1 + self.data) * (1 - self.data)

    def __add__(self, other):
        return Value(self.data + other.data, [self, other], "+")

    def __mul__(self, other):
        return Value(self.data * other.data, [self, other], "*")

    def tanh(self):
        return Value(math.tanh(self.data), [self], "tanh")

    def topological_order(self):
        order, done, todo = [], set(), [self]
        while todo:
            node = todo[-1]
            open_children = [child for child in node._prev if id(child) not in done]
            if open_children:
                todo.append(open_children[0])
            else:
                todo.pop()
                if id(node) not in done:
                    done.add(id(node))
                    order.append(node)
        return order

    def backward(self):
        """Works out an order of its own, by recursion, which is allowed here."""
        order, met = [], set()

        def visit(node):
            if id(node) in met:
                return
            met.add(id(node))
            for child in node._prev:
                visit(child)
            order.insert(0, node)

        visit(self)
        self.grad = 1.0
        for node in order:
            node._backward()
