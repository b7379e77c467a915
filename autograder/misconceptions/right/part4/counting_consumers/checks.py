"""Right instruments, written with all() and with a class that stands in for a node's function."""

import math


def gradient_check(f, xs, grads, h=1e-6, tol=1e-4):
    def slope(i):
        up = f([x + (h if i == j else 0.0) for j, x in enumerate(xs)])
        down = f([x - (h if i == j else 0.0) for j, x in enumerate(xs)])
        return (up - down) / h / 2

    def agrees(i):
        found = slope(i)
        return math.isfinite(grads[i]) and abs(found - grads[i]) <= max(tol, tol * abs(found))

    return len(xs) == len(grads) and all(agrees(i) for i in range(len(xs)))


class Watch:
    def __init__(self, node, seen):
        self.node, self.seen, self.own = node, seen, node._backward
        node._backward = self

    def __call__(self):
        self.seen.append(self.node)
        self.own()


def record_schedule(root):
    seen = []
    watches = [Watch(node, seen) for node in root.topological_order() if node._prev]
    root.backward()
    for watch in watches:
        watch.node._backward = watch.own
    return seen
