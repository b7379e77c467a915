"""A backward pass of the suites' own: a test of `exp` must not fail because somebody broke backward() of part 4.

Nodes that can say what is below them, and can call their closure, in one go do so: a proxy, whose every attribute would
otherwise be a request of its own. All others are walked through here.
"""

from __future__ import annotations

from typing import Any


def nodes_below(root: Any) -> list[Any]:
    """Every node that `root` depends on, and `root`, each once, children before parents: the suites' own order."""
    at_once = getattr(type(root), "__below__", None)
    if at_once is not None:
        return at_once(root)
    order: list[Any] = []
    seen: set[int] = set()
    todo = [(root, False)]
    while todo:
        node, children_are_placed = todo.pop()
        if children_are_placed:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            todo.append((node, True))
            todo.extend((child, False) for child in node._prev)
    return order


def fire(node: Any) -> None:
    """Call the node's closure."""
    at_once = getattr(type(node), "__fire__", None)
    if at_once is not None:
        at_once(node)
    else:
        node._backward()


def send_back(root: Any, gradient: float) -> None:
    """A backward pass that starts from `gradient` at `root` and calls every node's closure once, parents first."""
    order = nodes_below(root)
    root.grad = gradient
    for node in reversed(order):
        fire(node)
