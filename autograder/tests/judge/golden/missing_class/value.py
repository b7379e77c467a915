"""Value: a number that remembers how it was computed, so that it can hand its gradient back."""

import math


class Valeu:
    """One node of an expression: its number, its gradient, and the nodes it was computed from.

    data       the number
    grad       the derivative of the output with respect to this node; 0.0 until a backward pass says otherwise
    _prev      the nodes this one was computed from, empty for a leaf
    _op        the operation that made it, '' for a leaf
    label      a name for drawings
    _backward  hands this node's grad on to the nodes in _prev; does nothing on a leaf
    """

    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self.label = label
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        out = Valeu(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        out = Valeu(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        """The hyperbolic tangent of this node, as a new node with exactly one child."""
        t = math.tanh(self.data)
        out = Valeu(t, (self,), "tanh")

        def _backward():
            self.grad += (1.0 - t * t) * out.grad

        out._backward = _backward
        return out

    def topological_order(self):
        """Every node this one depends on, and this one, as a list: children before parents, self last, each once.

        It has to survive a chain of 10,000 nodes, so it keeps its own stack (a list) of what is still to do
        instead of calling itself, and it leaves Python's recursion limit alone.
        """
        order, seen, stack = [], set(), [(self, False)]
        while stack:
            node, children_are_placed = stack.pop()
            if children_are_placed:
                order.append(node)
            elif id(node) not in seen:
                seen.add(id(node))
                stack.append((node, True))
                stack.extend((child, False) for child in node._prev)
        return order

    def backward(self):
        """Run a backward pass from this node: afterwards every grad below it has what this node owes to it.

        This node's own grad becomes 1.0. Nothing is cleared: gradients that stand there already are added to.
        """
        self.grad = 1.0
        for node in reversed(self.topological_order()):
            node._backward()
