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
        if not isinstance(other, Value):
            other = Value(other)

        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        if not isinstance(other, Value):
            other = Value(other)

        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return (-self) + other

    def __pow__(self, exponent):
        out = Value(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            self.grad += exponent * self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        return out

    def __truediv__(self, other):
        return self * other**-1

    def __rtruediv__(self, other):
        return self**-1 * other

    def tanh(self):
        """The hyperbolic tangent of this node, as a new node with exactly one child."""
        t = math.tanh(self.data)
        out = Value(t, (self,), "tanh")

        def _backward():
            self.grad += (1.0 - t * t) * out.grad

        out._backward = _backward
        return out

    def exp(self):
        """e to the power of this node, as a new node with exactly one child."""
        out = Value(math.exp(self.data), (self,), "exp")

        def _backward():
            self.grad += out.data * out.grad

        out._backward = _backward
        return out

    def relu(self):
        """This node's number where it is positive, else 0, as a new node with exactly one child."""
        out = Value(self.data if self.data > 0 else 0.0, (self,), "relu")

        def _backward():
            if self.data > 0:
                self.grad += out.grad

        out._backward = _backward
        return out

    def tanh_from_exp(self):
        """The same as tanh(), put together from exp() and the operators. It has no closure of its own."""
        e = (2 * self).exp()
        return (e - 1) / (e + 1)

    def sigmoid(self):
        """1 / (1 + e**-x), without overflow for any x. One node or many, as you like."""
        if self.data >= 0:
            return 1 / (1 + (-self).exp())
        e = self.exp()
        return e / (e + 1)

    def log(self):
        """The natural logarithm of this node, as a new node with exactly one child."""
        # TODO 8.1: the forward line (math.log), the closure, its attachment, and the return.
        raise NotImplementedError("TODO 8.1: the logarithm")

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
