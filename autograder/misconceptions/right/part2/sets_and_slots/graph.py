"""A right walk, breadth first; a generator hands out the edges."""

from collections import deque


def walk(root):
    waiting, met = deque([root]), {root}
    while waiting:
        parent = waiting.popleft()
        for child in parent._prev:
            yield child, parent
            if child not in met:
                met.add(child)
                waiting.append(child)


def trace(root):
    edges = frozenset(walk(root))
    return {root} | {child for child, _ in edges}, edges
