"""Graphs for the tests of the pictures, on a small engine whose _prev can be any container. It needs no pytest."""

import math
import random


class Value:
    def __init__(self, data, children=(), op="", label="", grad=0.0, container=tuple):
        self.data, self.grad, self._op, self.label = data, grad, op, label
        self.container, self._prev = container, container(children)

    def __add__(self, other):
        return Value(self.data + other.data, (self, other), "+", container=self.container)

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), "*", container=self.container)

    def __pow__(self, power):
        return Value(self.data**power, (self,), f"**{power}", container=self.container)

    def exp(self):
        return Value(math.exp(self.data), (self,), "exp", container=self.container)

    def tanh(self):
        return Value(math.tanh(self.data), (self,), "tanh", container=self.container)

    def called(self, label, grad=0.0):
        self.label, self.grad = label, grad
        return self


def sum_of_products(container=tuple):
    x1, w1 = Value(2.0, container=container).called("x1", -1.5), Value(-3.0, container=container).called("w1", 1.0)
    x2, w2 = Value(0.0, container=container).called("x2", 0.5), Value(1.0, container=container).called("w2", -0.0)
    b = Value(6.8813735870195432, container=container).called("b", 0.5)
    s = ((x1 * w1).called("x1w1", 0.5) + (x2 * w2).called("x2w2", 0.5)).called("s", 0.5)
    return (s + b).called("n", 0.4999999999999999)


def neuron(container=tuple):
    """The ten nodes of part 3, with the gradients of its backward pass."""
    return sum_of_products(container).tanh().called("o", 1.0)


def expanded_neuron(container=tuple):
    """The same, tanh written with exp: eighteen nodes, seven of them without a label."""
    two, one, minus = (Value(number, container=container) for number in (2.0, 1.0, -1.0))
    e = (sum_of_products(container) * two).exp().called("e")
    return ((e + minus) * (e + one) ** -1).called("o", 1.0)


def diamond(container=tuple):
    a, b = Value(3.0, container=container).called("a"), Value(-2.0, container=container).called("b")
    return ((a + b).called("d") * (a * b).called("e")).called("f")


def twice(container=tuple):
    a = Value(3.0, container=container).called("a", 2.0)
    return (a + a).called("b", 1.0)


def chain(steps):
    node = Value(1.5, label="start")
    for _ in range(steps):
        node = node.tanh()
    return node


def tangle(seed, size=30):
    """A random graph of exactly `size` nodes, some of them used far from where they were made."""
    rng = random.Random(seed)
    nodes = [Value(rng.uniform(-2.0, 2.0), label=f"leaf{number}") for number in range(rng.randint(1, 6))]
    unused = list(nodes)
    while len(nodes) < size - len(unused):
        left, right = rng.choice(nodes[-6:]), rng.choice(nodes)
        made = left.tanh() if rng.random() < 0.25 else left * right
        unused = [node for node in unused if node not in made._prev] + [made]
        nodes.append(made)
    while len(unused) > 1 or len(nodes) < size:
        pair = [unused.pop(0), unused.pop(0)] if len(unused) > 1 else [unused.pop(), nodes[0]]
        made = pair[0] + pair[1]
        unused.append(made)
        nodes.append(made)
    return unused[0]


def nodes_of(root):
    found, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        if not any(node is other for other in found):
            found.append(node)
            waiting += node._prev
    return found
