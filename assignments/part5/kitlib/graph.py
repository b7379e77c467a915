"""The graph below a node, read from any engine into plain texts, and the graph as a table of text.

It looks at data, grad, label, _op and _prev and nothing else, calls no method of the engine, and never recurses.
What cannot be drawn becomes an Undrawable, a sentence for the student.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .svg import number, plain, table

MOST_NODES = 200
MISSING = object()


class Undrawable(Exception):
    """There is no picture of this; the text says why."""


@dataclass(frozen=True)
class Node:
    """One node as texts. children are positions in Graph.nodes, as often as the engine names them."""

    label: str
    data: str
    grad: str | None
    op: str
    children: tuple[int, ...]
    depth: int  # steps to the root on the longest way
    foreign: bool = False  # something without data and _prev, where a node should be

    @property
    def rows(self) -> list[tuple[str, str]]:
        """What stands in the node's box below its label."""
        return [("data", self.data), *([("grad", self.grad)] if self.grad is not None else [])]


@dataclass(frozen=True)
class Graph:
    """Every node once, children before what is made from them, the root last."""

    nodes: tuple[Node, ...]

    @property
    def names(self) -> list[str]:
        """A different name for each node: its label, with its place in the table where that is missing or taken."""
        names: list[str] = []
        for place, node in enumerate(self.nodes, 1):
            number_ = f"#{place}"
            names.append(node.label if node.label and node.label not in names else f"{node.label} {number_}".strip())
        return names

    @property
    def operations(self) -> int:
        return sum(bool(node.op) for node in self.nodes)

    @property
    def summary(self) -> str:
        """How many nodes and operations there are, in words."""
        return f"{_count(len(self.nodes), 'node')}, {_count(self.operations, 'operation')}"

    def lines(self) -> list[str]:
        """The table: each node's name, what it is made from, data, grad."""
        names = self.names
        rows = [["node", "made from", "data", "grad"]]
        for node, name in zip(self.nodes, names, strict=True):
            made = formula(node.op, [names[child] for child in node.children])
            rows.append([name, made, node.data, "" if node.grad is None else node.grad])
        return table(rows)


def read_graph(root: object) -> Graph:
    """The graph below `root`. Raises Undrawable when it is no node, too large, or goes round in a circle."""
    return read_nodes(root)[0]


def read_nodes(root: object) -> tuple[Graph, list[object]]:
    """The graph, and the engine's own objects in the order of Graph.nodes. Raises Undrawable as read_graph does."""
    if not _is_node(root):
        kind = type(root).__name__
        advice = " Give it one of them, for example [0]." if isinstance(root, (list, tuple)) else ""
        raise Undrawable(f"Here a node is drawn with what it was computed from, and this {kind} is not a node.{advice}")
    found, children = _collect(root)
    depths = _depths(children, [_text(node, "label") for node in found])
    order = sorted(range(len(found)), key=lambda at: (-depths[at], at))
    new = {old: place for place, old in enumerate(order)}
    nodes = tuple(_node(found[at], [new[child] for child in children[at]], depths[at]) for at in order)
    return Graph(nodes), [found[at] for at in order]


def _collect(root: object) -> tuple[list[object], list[list[int]]]:
    """The nodes in the order in which they are met, and for each the positions of its children."""
    found, places, children = [root], {id(root): 0}, []
    for node in found:  # grows while it is walked through
        mine = []
        for child in _children(node):
            if id(child) not in places:
                places[id(child)] = len(found)
                found.append(child)
            mine.append(places[id(child)])
        children.append(mine)
        if len(found) > MOST_NODES:
            raise Undrawable(
                f"There are more than {MOST_NODES} nodes below this one, too many for a picture. "
                "Draw one of its inner nodes instead."
            )
    return found, children


def _children(node: object) -> list[object]:
    held = _look(node, "_prev")
    if held is MISSING or held is None:
        return []
    if not isinstance(held, Iterable):
        raise Undrawable(f"The _prev of a node is {plain(held)}, which is no collection of nodes.")
    # A set has no order of its own, and the picture should not change from run to run.
    unordered = isinstance(held, (set, frozenset))
    return sorted(held, key=lambda child: (_text(child, "label"), _text(child, "data"))) if unordered else list(held)


def _depths(children: list[list[int]], labels: list[str]) -> list[int]:
    """Each node's longest way to the root, found by taking off, round by round, what nothing left is made from."""
    depths, left, turn = [0] * len(children), set(range(len(children))), 0
    while left:
        used = {child for at in left for child in children[at]}
        free = left - used
        if not free:
            raise Undrawable(_circle(children, left, labels))
        for at in free:
            depths[at] = turn
        left -= free
        turn += 1
    return depths


def _circle(children: list[list[int]], left: set[int], labels: list[str]) -> str:
    # Each node that is left is a child of another one that is left: following consumers must come back.
    consumer = {child: at for at in left for child in children[at]}
    way = [min(left)]
    while consumer[way[-1]] not in way:
        way.append(consumer[way[-1]])
    way = way[way.index(consumer[way[-1]]) :]
    names = [labels[at] or "a node without a label" for at in way[:6]]
    if len(way) == 1:
        return f"This graph cannot be drawn: {names[0]} stands in its own _prev, as if it were computed from itself."
    chain = " -> ".join([*names, *(["..."] if len(way) > len(names) else []), names[0]])
    return f"This graph cannot be drawn: it goes round in a circle ({chain}). Look at what is put into _prev."


def _node(source: object, children: list[int], depth: int) -> Node:
    if not _is_node(source):
        return Node("not a node", number(source), None, "?" if children else "", tuple(children), depth, foreign=True)
    grad = _look(source, "grad")
    # Something that has children was made by an operation, even if the engine does not say by which one.
    op = _text(source, "_op", 12) or ("?" if children else "")
    data = _look(source, "data")
    return Node(
        _text(source, "label"),
        "missing" if data is MISSING else number(data),
        None if grad is MISSING else number(grad),
        op,
        tuple(children),
        depth,
    )


def _is_node(source: object) -> bool:
    return (
        not isinstance(source, type) and _look(source, "data") is not MISSING and _look(source, "_prev") is not MISSING
    )


def _look(source: object, name: str) -> object:
    try:
        return getattr(source, name, MISSING)
    except Exception:  # a property of a half-finished engine
        return MISSING


def _text(source: object, name: str, longest: int = 20) -> str:
    value = _look(source, name)
    return "" if value is MISSING or value is None else plain(value, longest).strip()


def formula(op: str, names: list[str]) -> str:
    if not op:
        return ""
    if op.startswith("**") and len(op) > 2 and len(names) == 1:
        return f"{names[0]}{op}"
    if len(names) == 2 and not op.isidentifier():
        return f"{names[0]} {op} {names[1]}"
    return f"{op}({', '.join(names)})"


def _count(amount: int, noun: str) -> str:
    return f"{amount} {noun}{'' if amount == 1 else 's'}"
