"""A right engine: nodes are numbered as they are made, and a heap takes the youngest first."""

import heapq
import itertools
import math


class Value:
    count = itertools.count()

    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self.label = label
        self.number = next(Value.count)
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, number={self.number})"

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other), "+")

        def step(self=self, other=other):
            self.grad += out.grad
            other.grad += out.grad

        out._backward = step
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), "*")

        def step(self=self, other=other):
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = step
        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")

        def step():
            self.grad += out.grad - out.data * out.data * out.grad

        out._backward = step
        return out

    def youngest_first(self):
        heap, queued = [(-self.number, self)], {self.number}
        while heap:
            _, node = heapq.heappop(heap)
            yield node
            for child in node._prev:
                if child.number not in queued:
                    queued.add(child.number)
                    heapq.heappush(heap, (-child.number, child))

    def topological_order(self):
        order = list(self.youngest_first())
        order.reverse()
        return order

    def backward(self):
        self.grad = 1.0
        for node in self.youngest_first():
            node._backward()
