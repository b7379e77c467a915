"""Value: a number that remembers how it was computed, so that it can hand its gradient back."""

import math


class Value:
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
        out = Value(self.data + other.data, (self, other), "+")

        # TODO 4.1: hand out.grad on to self.grad and other.grad. The line below the function attaches it to
        # out, and may stay as it is. A node that is used twice must collect both contributions.
        def _backward():
            raise NotImplementedError("TODO 4.1: the closure of +")

        out._backward = _backward
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), "*")

        # TODO 4.2: what does the product change by when self.data moves a little? Hand on that, times out.grad,
        # and the same for other.
        def _backward():
            raise NotImplementedError("TODO 4.2: the closure of *")

        out._backward = _backward
        return out

    def tanh(self):
        """The hyperbolic tangent of this node, as a new node with exactly one child."""
        t = math.tanh(self.data)
        out = Value(t, (self,), "tanh")

        # TODO 4.3: hand on the slope of tanh, written with its output t, times out.grad.
        def _backward():
            raise NotImplementedError("TODO 4.3: the closure of tanh")

        out._backward = _backward
        return out

    def topological_order(self):
        """Every node this one depends on, and this one, as a list: children before parents, self last, each once.

        It has to survive a chain of 10,000 nodes, so it keeps its own stack (a list) of what is still to do
        instead of calling itself, and it leaves Python's recursion limit alone.
        """
        # TODO 4.4: return the list. When is the moment to append a node to it?
        raise NotImplementedError("TODO 4.4: the topological order")

    def backward(self):
        """Run a backward pass from this node: afterwards every grad below it has what this node owes to it.

        This node's own grad becomes 1.0. Nothing is cleared: gradients that stand there already are added to.
        """
        # TODO 4.5: which grad is known before anything ran? Then call every node's _backward once, in an order
        # in which each node's grad is complete when its turn comes.
        raise NotImplementedError("TODO 4.5: the backward pass")
