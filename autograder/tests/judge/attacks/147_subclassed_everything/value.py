# EXPECT: full - right code whose data and grad are a float subclass with exact arithmetic
import math


class Number(float):
    def __add__(self, other):
        return Number(float(self) + float(other))

    def __mul__(self, other):
        return Number(float(self) * float(other))

    __radd__, __rmul__ = __add__, __mul__


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self.grad, self._op, self.label = Number(data), Number(0.0), _op, label
        self._prev, self._backward = tuple(_children), lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,), "tanh")

        def _backward():
            self.grad += (1 - t * t) * out.grad

        out._backward = _backward
        return out

    def topological_order(self):
        order, seen, todo = [], set(), [(self, False)]
        while todo:
            node, done = todo.pop()
            if done:
                order.append(node)
            elif id(node) not in seen:
                seen.add(id(node))
                todo.append((node, True))
                todo.extend((child, False) for child in node._prev)
        return order

    def backward(self):
        self.grad = 1.0
        for node in reversed(self.topological_order()):
            node._backward()
