"""Where the boxes of a graph go: columns from left to right, few crossings, nothing over anything else.

A node and the operation that made it are one unit: the round operation stands left of the box. An edge that passes
a column has a place of its own there, a lane, so that it never runs through a box. It draws nothing.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from dataclasses import dataclass, field
from itertools import pairwise

from .graph import Graph

Point = tuple[float, float]
STEM = 16.0  # from an operation to its box
COLUMN_GAP, ROW_GAP = 36.0, 16.0
LANE = 10.0
OP_HEIGHT = 28.0
SWEEPS, PASSES = 16, 30


@dataclass(frozen=True)
class Sizes:
    """Width and height of each node's box, and the width of its operation (0 without one)."""

    boxes: list[tuple[float, float]]
    ops: list[float]


@dataclass(frozen=True)
class Edge:
    """From a node's box to another node's operation, as the points of cubic Bezier curves, end to start."""

    child: int
    parent: int
    points: list[Point]


@dataclass
class Placed:
    """The centres of boxes and operations, the edges, and the size of it all; the top left corner is (0, 0)."""

    width: float
    height: float
    boxes: list[Point]
    ops: dict[int, Point]
    edges: list[Edge]


@dataclass
class _Columns:
    """Items (nodes, and from len(nodes) on lanes) in columns, and who is joined to whom."""

    items: list[list[int]]
    before: dict[int, list[int]] = field(default_factory=dict)
    after: dict[int, list[int]] = field(default_factory=dict)

    def join(self, left: int, right: int) -> None:
        self.after.setdefault(left, []).append(right)
        self.before.setdefault(right, []).append(left)


def layered(graph: Graph, sizes: Sizes) -> Placed:
    """Place every node of the graph."""
    deepest = max(node.depth for node in graph.nodes)
    columns = _Columns([[] for _ in range(deepest + 1)])
    column_of = [deepest - node.depth for node in graph.nodes]
    for at, column in enumerate(column_of):
        columns.items[column].append(at)
    ways = _ways(graph, columns, column_of)
    _reduce_crossings(columns)
    heights = {at: max(height, OP_HEIGHT if sizes.ops[at] else 0) for at, (_, height) in enumerate(sizes.boxes)}
    ys = _heights(columns, heights)

    spans, left = [], 0.0  # from where to where each column reaches
    starts = []  # where its boxes begin: operations of one column stand under each other, and so do boxes
    for column in columns.items:
        nodes = [at for at in column if at < len(graph.nodes)]
        stem = max((sizes.ops[at] + STEM for at in nodes if sizes.ops[at]), default=0.0)
        spans.append((left, left + stem + max(sizes.boxes[at][0] for at in nodes)))
        starts.append(left + stem)
        left = spans[-1][1] + COLUMN_GAP

    boxes = [(starts[column_of[at]] + width / 2, ys[at]) for at, (width, _) in enumerate(sizes.boxes)]
    ops = {at: (starts[column_of[at]] - STEM - width / 2, ys[at]) for at, width in enumerate(sizes.ops) if width}
    edges = _edges(graph, sizes, ways, (column_of, spans, ys), boxes, ops)
    bottom = max(ys[at] + heights.get(at, LANE) / 2 for at in ys)
    return Placed(spans[-1][1], bottom, boxes, ops, edges)


def _ways(graph: Graph, columns: _Columns, column_of: list[int]) -> dict[tuple[int, int], list[int]]:
    """For each joined pair of nodes the items on the way from the child to the parent, with fresh lanes."""
    ways: dict[tuple[int, int], list[int]] = {}
    fresh = len(graph.nodes)
    for parent, node in enumerate(graph.nodes):
        for child in dict.fromkeys(node.children):
            way = [child]
            for column in range(column_of[child] + 1, column_of[parent]):
                columns.items[column].append(fresh)
                way.append(fresh)
                fresh += 1
            way.append(parent)
            ways[child, parent] = way
            for left, right in pairwise(way):
                columns.join(left, right)
    return ways


def _reduce_crossings(columns: _Columns) -> None:
    """Sort every column by the mean place of its neighbours, to and fro, and keep the best order seen."""
    best, fewest = [list(column) for column in columns.items], _crossings(columns)
    for sweep in range(SWEEPS):
        if not fewest:
            break
        rightwards = sweep % 2 == 1
        sides = columns.before if rightwards else columns.after
        turn = columns.items if rightwards else columns.items[::-1]
        for known, column in pairwise(turn):
            place = {item: at for at, item in enumerate(known)}
            own = {item: float(at) for at, item in enumerate(column)}
            wanted = {item: _mean([place[other] for other in sides.get(item, [])], own[item]) for item in column}
            column.sort(key=wanted.__getitem__)
        if (now := _crossings(columns)) < fewest:
            best, fewest = [list(column) for column in columns.items], now
    columns.items = best


def _crossings(columns: _Columns) -> int:
    total = 0
    for left, right in pairwise(columns.items):
        place = {item: at for at, item in enumerate(right)}
        passed: list[int] = []
        for item in left:
            ends = sorted(place[other] for other in columns.after.get(item, []))
            total += sum(len(passed) - bisect_left(passed, end + 1) for end in ends)
            for end in ends:
                insort(passed, end)
    return total


def _heights(columns: _Columns, heights: dict[int, float]) -> dict[int, float]:
    """The y of every item: as near as possible to its neighbours', in the order of its column, without overlaps."""
    ys: dict[int, float] = {}
    gaps = []
    for column in columns.items:
        own = [heights.get(item, LANE) for item in column]
        gaps.append([(a + b) / 2 + ROW_GAP for a, b in pairwise(own)])
        top = 0.0
        for item, gap in zip(column, [0.0, *gaps[-1]], strict=True):
            top += gap
            ys[item] = top
    order = list(zip(columns.items, gaps, strict=True))
    for turn in range(PASSES):
        for column, gap in order if turn % 2 else order[::-1]:
            # The last turns go by what a node is made from alone: an operation stands in the middle of its inputs.
            sides = [columns.before, columns.after] if turn < PASSES - 2 else [columns.before]
            wanted = [_mean([ys[other] for side in sides for other in side.get(item, [])], ys[item]) for item in column]
            ys.update(zip(column, _spread(wanted, gap), strict=True))
    top = min(y - heights.get(item, LANE) / 2 for item, y in ys.items())
    return {item: y - top for item, y in ys.items()}


def _spread(wanted: list[float], gaps: list[float]) -> list[float]:
    """The positions nearest to the wanted ones (in squares) that keep the gaps: blocks that collide move as one."""
    offsets = [0.0]
    for gap in gaps:
        offsets.append(offsets[-1] + gap)
    blocks: list[tuple[float, int]] = []  # the sum of the positions that its members want for its first, their number
    for want, offset in zip(wanted, offsets, strict=True):
        total, size = want - offset, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / size:
            more, others = blocks.pop()
            total, size = total + more, size + others
        blocks.append((total, size))
    firsts = [total / size for total, size in blocks for _ in range(size)]
    return [first + offset for first, offset in zip(firsts, offsets, strict=True)]


def _edges(
    graph: Graph,
    sizes: Sizes,
    ways: dict[tuple[int, int], list[int]],
    places: tuple[list[int], list[tuple[float, float]], dict[int, float]],
    boxes: list[Point],
    ops: dict[int, Point],
) -> list[Edge]:
    column_of, spans, ys = places
    edges = []
    for parent, node in enumerate(graph.nodes):
        if parent not in ops:
            continue
        # Edges arrive at an operation one below the other, in the order in which they come from above and below.
        arriving = sorted(node.children, key=lambda child, parent=parent: ys[ways[child, parent][-2]])
        for at, child in enumerate(arriving):
            shift = 8.0 * (at - (len(arriving) - 1) / 2) if len(arriving) < 4 else 0.0
            twice = shift if arriving.count(child) > 1 else 0.0
            op_x, op_y = ops[parent]
            x, y = boxes[child][0] + sizes.boxes[child][0] / 2, ys[child] + twice
            points = [(x, y)]
            for column, item in enumerate(ways[child, parent][:-1], column_of[child]):
                if item != child:  # straight through the column, in its own lane
                    _line(points, (spans[column][0], ys[item] + twice))
                _line(points, (spans[column][1], ys[item] + twice), straight=True)
            reach = sizes.ops[parent] / 2 * math.sqrt(max(0.0, 1 - (shift / (OP_HEIGHT / 2)) ** 2))
            _line(points, (spans[column_of[parent]][0], op_y + shift))
            _line(points, (op_x - reach, op_y + shift), straight=True)
            edges.append(Edge(child, parent, points))
    return edges


def _line(points: list[Point], end: Point, straight: bool = False) -> None:
    """Go on to `end`, in a curve that leaves and arrives level, or straight."""
    (x, y), (to_x, to_y) = points[-1], end
    if straight or y == to_y:
        points += [(x + (to_x - x) / 3, y), (to_x - (to_x - x) / 3, to_y), end]
    else:
        middle = (x + to_x) / 2
        points += [(middle, y), (middle, to_y), end]


def _mean(values: list[float] | list[int], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise
