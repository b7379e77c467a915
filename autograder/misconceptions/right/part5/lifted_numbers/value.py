"""A right engine: a decorator turns numbers into nodes, slopes are fixed when a node is built, rules are partials."""

import functools
import math
import numbers


def lifted(method):
    """The method, called with nodes only; what is neither node nor number is left to the other operand."""

    @functools.wraps(method)
    def with_nodes(self, other):
        if isinstance(other, numbers.Real):
            other = Value(float(other))
        if not isinstance(other, Value):
            return NotImplemented
        return method(self, other)

    return with_nodes


def swapped(method):
    """The reflected form of a lifted method."""
    return lifted(lambda self, other: method(other, self))


class Value:
    def __init__(self, data, _children=(), _op="", label="", slopes=()):
        self.data = data
        self.grad = 0.0
        self._prev = list(dict.fromkeys(_children))
        self._op = _op
        self.label = label
        self._backward = functools.partial(self._hand_on, list(zip(_children, slopes, strict=False)))

    def _hand_on(self, shares):
        for child, slope in shares:
            child.grad += slope * self.grad

    @lifted
    def __add__(self, other):
        return Value(self.data + other.data, (self, other), "+", slopes=(1, 1))

    @lifted
    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), "*", slopes=(other.data, self.data))

    @lifted
    def __sub__(self, other):
        return self + other * -1

    @lifted
    def __truediv__(self, other):
        inverse = 1 / other.data
        quotient = self.data * inverse
        return Value(quotient, (self, other), "/", slopes=(inverse, -quotient * inverse))

    __radd__ = swapped(__add__)
    __rmul__ = swapped(__mul__)
    __rsub__ = swapped(__sub__)
    __rtruediv__ = swapped(__truediv__)

    def __neg__(self):
        return Value(-self.data, (self,), "-", slopes=(-1,))

    def __pow__(self, exponent):
        slope = exponent * self.data ** (exponent - 1) if exponent else 0
        return Value(self.data**exponent, (self,), "**", slopes=(slope,))

    def _unary(self, name, number, slope):
        return Value(number, (self,), name, slopes=(slope,))

    def tanh(self):
        t = math.tanh(self.data)
        return self._unary("tanh", t, (1 - t) * (1 + t))

    def exp(self):
        e = math.exp(self.data)
        return self._unary("exp", e, e)

    def relu(self):
        return self._unary("relu", self.data * (self.data > 0), float(self.data > 0))

    def tanh_from_exp(self):
        return 1 - 2 / ((2 * self).exp() + 1)

    def sigmoid(self):
        # By way of tanh, which never overflows.
        return ((self * 0.5).tanh() + 1) * 0.5

    def topological_order(self):
        waiting = {}
        todo, met = [self], {id(self)}
        while todo:
            for child in todo.pop()._prev:
                waiting[id(child)] = waiting.get(id(child), 0) + 1
                if id(child) not in met:
                    met.add(id(child))
                    todo.append(child)
        order, ready = [], [self]
        while ready:
            node = ready.pop()
            order.append(node)
            for child in node._prev:
                waiting[id(child)] -= 1
                if not waiting[id(child)]:
                    ready.append(child)
        order.reverse()
        return order

    def backward(self):
        self.grad = 1.0
        for node in reversed(self.topological_order()):
            node._backward()
