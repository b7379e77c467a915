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
        # TODO 5.1: other may be a plain number. Turn it into a node here, and the lines below need no change.
        if isinstance(other, (int, float)):
            raise NotImplementedError("TODO 5.1: a number beside +")

        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        # TODO 5.1: other may be a plain number. Turn it into a node here, and the lines below need no change.
        if isinstance(other, (int, float)):
            raise NotImplementedError("TODO 5.1: a number beside *")

        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __radd__(self, other):
        """number + node: Python asks the right side when the left one cannot do it."""
        # TODO 5.1: the same sum as node + number.
        raise NotImplementedError("TODO 5.1: number + node")

    def __rmul__(self, other):
        """number * node: Python asks the right side when the left one cannot do it."""
        # TODO 5.1: the same product as node * number.
        raise NotImplementedError("TODO 5.1: number * node")

    def __neg__(self):
        """-node"""
        # TODO 5.2: made of operations that are there already, it needs no closure of its own.
        raise NotImplementedError("TODO 5.2: the sign turned round")

    def __sub__(self, other):
        """node - node, and node - number"""
        # TODO 5.2: which two operations that you have make a difference?
        raise NotImplementedError("TODO 5.2: a difference")

    def __rsub__(self, other):
        """number - node: other is the number on the left."""
        # TODO 5.2: mind which of the two is taken away from which.
        raise NotImplementedError("TODO 5.2: number - node")

    def __pow__(self, exponent):
        """node ** number: a new node with one child. The exponent is a plain int or float, not a node."""
        # TODO 5.3: the forward line, the closure, its attachment, and the return.
        raise NotImplementedError("TODO 5.3: a power")

    def __truediv__(self, other):
        """node / node, and node / number"""
        # TODO 5.4: made of operations that are there already, it needs no closure of its own.
        raise NotImplementedError("TODO 5.4: a quotient")

    def __rtruediv__(self, other):
        """number / node: other is the number on top."""
        # TODO 5.4: mind which of the two is turned upside down.
        raise NotImplementedError("TODO 5.4: number / node")

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
        # TODO 5.5: the forward line (math.exp), the closure, its attachment, and the return.
        raise NotImplementedError("TODO 5.5: the exponential")

    def relu(self):
        """This node's number where it is positive, else 0, as a new node with exactly one child."""
        # TODO 5.6: the forward line, the closure, its attachment, and the return.
        raise NotImplementedError("TODO 5.6: the rectifier")

    def tanh_from_exp(self):
        """The same as tanh(), put together from exp() and the operators. It has no closure of its own."""
        # TODO 5.7: tanh x = (e - 1) / (e + 1), where e is the exponential of 2x.
        raise NotImplementedError("TODO 5.7: tanh out of exp")

    def sigmoid(self):
        """1 / (1 + e**-x), without overflow for any x. One node or many, as you like."""
        # TODO 5.8: for which x does the formula as it stands overflow? What can you compute there instead?
        raise NotImplementedError("TODO 5.8: a sigmoid that does not overflow")

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
