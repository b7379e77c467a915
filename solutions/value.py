"""Value: a number that remembers how it was computed, so that it can hand its gradient back."""

#: part 3
import math

#: end


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
        #: task 2.1
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self.label = label
        #: stub
        #:| # TODO 2.1: store data, grad, _prev, _op and label, as the class's docstring lists them.
        #:| raise NotImplementedError("TODO 2.1: the node's attributes")
        #: end
        #: part 2-3
        # The sixth attribute is finished; part 4 needs it. Leave this line at the end.
        #: end
        self._backward = lambda: None

    #: task 2.2
    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    #: stub
    #:| def __repr__(self):
    #:|     # TODO 2.2: a text that starts with "Value(data=" and shows the number.
    #:|     raise NotImplementedError("TODO 2.2: a readable text")
    #: end

    #: part 2
    def __add__(self, other):
        #: end
        #: task 5.1
        if not isinstance(other, Value):
            other = Value(other)

        #: stub
        #:| # TODO 5.1: other may be a plain number. Turn it into a node here, and the lines below need no change.
        #:| if isinstance(other, (int, float)):
        #:|     raise NotImplementedError("TODO 5.1: a number beside +")
        #:|
        #: end
        #: task 2.3
        out = Value(self.data + other.data, (self, other), "+")

        #: stub
        #:| # TODO 2.3: out, a new Value that holds the sum of the two numbers, and remembers that it was computed from
        #:| # self and other, by "+".
        #:| raise NotImplementedError("TODO 2.3: the sum as a new node")
        #: end
        #: task 4.1
        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        #: stub
        #:| # TODO 4.1: hand out.grad on to self.grad and other.grad. The line below the function attaches it to
        #:| # out, and may stay as it is. A node that is used twice must collect both contributions.
        #:| def _backward():
        #:|     raise NotImplementedError("TODO 4.1: the closure of +")
        #:|
        #:| out._backward = _backward
        #: end
        #: part 2
        return out

    def __mul__(self, other):
        #: end
        #: task 5.1
        if not isinstance(other, Value):
            other = Value(other)

        #: stub
        #:| # TODO 5.1: other may be a plain number. Turn it into a node here, and the lines below need no change.
        #:| if isinstance(other, (int, float)):
        #:|     raise NotImplementedError("TODO 5.1: a number beside *")
        #:|
        #: end
        #: task 2.4
        out = Value(self.data * other.data, (self, other), "*")

        #: stub
        #:| # TODO 2.4: out, a new Value that holds the product of the two numbers. What does it have to remember?
        #:| raise NotImplementedError("TODO 2.4: the product as a new node")
        #: end
        #: task 4.2
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        #: stub
        #:| # TODO 4.2: what does the product change by when self.data moves a little? Hand on that, times out.grad,
        #:| # and the same for other.
        #:| def _backward():
        #:|     raise NotImplementedError("TODO 4.2: the closure of *")
        #:|
        #:| out._backward = _backward
        #: end
        #: part 2
        return out

    #: end
    #: task 5.1
    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    #: stub
    #:| def __radd__(self, other):
    #:|     """number + node: Python asks the right side when the left one cannot do it."""
    #:|     # TODO 5.1: the same sum as node + number.
    #:|     raise NotImplementedError("TODO 5.1: number + node")
    #:|
    #:| def __rmul__(self, other):
    #:|     """number * node: Python asks the right side when the left one cannot do it."""
    #:|     # TODO 5.1: the same product as node * number.
    #:|     raise NotImplementedError("TODO 5.1: number * node")
    #: end

    #: task 5.2
    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return (-self) + other

    #: stub
    #:| def __neg__(self):
    #:|     """-node"""
    #:|     # TODO 5.2: made of operations that are there already, it needs no closure of its own.
    #:|     raise NotImplementedError("TODO 5.2: the sign turned round")
    #:|
    #:| def __sub__(self, other):
    #:|     """node - node, and node - number"""
    #:|     # TODO 5.2: which two operations that you have make a difference?
    #:|     raise NotImplementedError("TODO 5.2: a difference")
    #:|
    #:| def __rsub__(self, other):
    #:|     """number - node: other is the number on the left."""
    #:|     # TODO 5.2: mind which of the two is taken away from which.
    #:|     raise NotImplementedError("TODO 5.2: number - node")
    #: end

    #: task 5.3
    def __pow__(self, exponent):
        out = Value(self.data**exponent, (self,), f"**{exponent}")

        def _backward():
            self.grad += exponent * self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        #: end
        #: task 5.3
        return out

    #: stub
    #:| def __pow__(self, exponent):
    #:|     """node ** number: a new node with one child. The exponent is a plain int or float, not a node."""
    #:|     # TODO 5.3: the forward line, the closure, its attachment, and the return.
    #:|     raise NotImplementedError("TODO 5.3: a power")
    #: end

    #: task 5.4
    def __truediv__(self, other):
        return self * other**-1

    def __rtruediv__(self, other):
        return self**-1 * other

    #: stub
    #:| def __truediv__(self, other):
    #:|     """node / node, and node / number"""
    #:|     # TODO 5.4: made of operations that are there already, it needs no closure of its own.
    #:|     raise NotImplementedError("TODO 5.4: a quotient")
    #:|
    #:| def __rtruediv__(self, other):
    #:|     """number / node: other is the number on top."""
    #:|     # TODO 5.4: mind which of the two is turned upside down.
    #:|     raise NotImplementedError("TODO 5.4: number / node")
    #: end

    #: part 3
    def tanh(self):
        """The hyperbolic tangent of this node, as a new node with exactly one child."""
        #: end
        #: task 3.1
        t = math.tanh(self.data)
        out = Value(t, (self,), "tanh")

        #: stub
        #:| # TODO 3.1: a new Value that holds tanh of self.data and has self as its only child.
        #:| raise NotImplementedError("TODO 3.1: tanh as a new node")
        #: end
        #: task 4.3
        def _backward():
            self.grad += (1.0 - t * t) * out.grad

        out._backward = _backward
        #: stub
        #:| # TODO 4.3: hand on the slope of tanh, written with its output t, times out.grad.
        #:| def _backward():
        #:|     raise NotImplementedError("TODO 4.3: the closure of tanh")
        #:|
        #:| out._backward = _backward
        #: end
        #: part 3
        return out

    #: end
    #: task 5.5
    def exp(self):
        """e to the power of this node, as a new node with exactly one child."""
        out = Value(math.exp(self.data), (self,), "exp")

        def _backward():
            self.grad += out.data * out.grad

        out._backward = _backward
        #: end
        #: task 5.5
        return out

    #: stub
    #:| def exp(self):
    #:|     """e to the power of this node, as a new node with exactly one child."""
    #:|     # TODO 5.5: the forward line (math.exp), the closure, its attachment, and the return.
    #:|     raise NotImplementedError("TODO 5.5: the exponential")
    #: end

    #: task 5.6
    def relu(self):
        """This node's number where it is positive, else 0, as a new node with exactly one child."""
        out = Value(self.data if self.data > 0 else 0.0, (self,), "relu")

        def _backward():
            if self.data > 0:
                self.grad += out.grad

        out._backward = _backward
        #: end
        #: task 5.6
        return out

    #: stub
    #:| def relu(self):
    #:|     """This node's number where it is positive, else 0, as a new node with exactly one child."""
    #:|     # TODO 5.6: the forward line, the closure, its attachment, and the return.
    #:|     raise NotImplementedError("TODO 5.6: the rectifier")
    #: end

    #: task 5.7
    def tanh_from_exp(self):
        """The same as tanh(), put together from exp() and the operators. It has no closure of its own."""
        e = (2 * self).exp()
        return (e - 1) / (e + 1)

    #: stub
    #:| def tanh_from_exp(self):
    #:|     """The same as tanh(), put together from exp() and the operators. It has no closure of its own."""
    #:|     # TODO 5.7: tanh x = (e - 1) / (e + 1), where e is the exponential of 2x.
    #:|     raise NotImplementedError("TODO 5.7: tanh out of exp")
    #: end

    #: task 5.8
    def sigmoid(self):
        """1 / (1 + e**-x), without overflow for any x. One node or many, as you like."""
        if self.data >= 0:
            return 1 / (1 + (-self).exp())
        e = self.exp()
        return e / (e + 1)

    #: stub
    #:| def sigmoid(self):
    #:|     """1 / (1 + e**-x), without overflow for any x. One node or many, as you like."""
    #:|     # TODO 5.8: for which x does the formula as it stands overflow? What can you compute there instead?
    #:|     raise NotImplementedError("TODO 5.8: a sigmoid that does not overflow")
    #: end

    #: task 8.1
    def log(self):
        """The natural logarithm of this node, as a new node with exactly one child."""
        out = Value(math.log(self.data), (self,), "log")

        def _backward():
            self.grad += out.grad / self.data

        out._backward = _backward
        #: end
        #: task 8.1
        return out

    #: stub
    #:| def log(self):
    #:|     """The natural logarithm of this node, as a new node with exactly one child."""
    #:|     # TODO 8.1: the forward line (math.log), the closure, its attachment, and the return.
    #:|     raise NotImplementedError("TODO 8.1: the logarithm")
    #: end

    #: part 4
    def topological_order(self):
        """Every node this one depends on, and this one, as a list: children before parents, self last, each once.

        It has to survive a chain of 10,000 nodes, so it keeps its own stack (a list) of what is still to do
        instead of calling itself, and it leaves Python's recursion limit alone.
        """
        #: end
        #: task 4.4
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

        #: stub
        #:| # TODO 4.4: return the list. When is the moment to append a node to it?
        #:| raise NotImplementedError("TODO 4.4: the topological order")
        #: end

    #: part 4
    def backward(self):
        """Run a backward pass from this node: afterwards every grad below it has what this node owes to it.

        This node's own grad becomes 1.0. Nothing is cleared: gradients that stand there already are added to.
        """
        #: end
        #: task 4.5
        self.grad = 1.0
        for node in reversed(self.topological_order()):
            node._backward()
        #: stub
        #:| # TODO 4.5: which grad is known before anything ran? Then call every node's _backward once, in an order
        #:| # in which each node's grad is complete when its turn comes.
        #:| raise NotImplementedError("TODO 4.5: the backward pass")
        #: end
