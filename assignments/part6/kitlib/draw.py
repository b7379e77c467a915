"""draw_dot(v): the expression graph of a node, from left to right, with data and grad in every box.

Where Graphviz's program `dot` is installed, it decides where things go (layout.py does otherwise); the drawing is
made here in either case. The engine is only read, see graph.py.
"""

from __future__ import annotations

import math
import shutil
import subprocess

from .graph import Graph, Node, Undrawable, read_graph
from .layout import OP_HEIGHT, Edge, Placed, Point, Sizes, layered
from .svg import FAINT, INK, MUTED, PAPER, SIZE, TINT, Drawing, coordinate, picture, plain, tag, width_of, words

ROW = 20.0  # height of a line in a box
PADDING = 8.0
MARGIN = 16.0
TEXT = 13.0
LONGEST_LAYOUT = 10.0  # seconds for `dot`
INCH = 72.0
OP_FILL, OP_LINE, LINE = "#fff3d6", "#7a5200", "#44525f"


def draw_dot(root: object, title: str = "") -> Drawing:
    """Draw the node `root` and everything it was computed from; a sentence takes the picture's place if need be."""
    try:
        graph = read_graph(root)
    except Undrawable as problem:
        return Drawing(str(problem))
    heading = plain(title, 80)
    name = graph.names[-1]
    first = f"{heading or 'Graph of ' + name}: {graph.summary}"
    sizes = _sizes(graph)
    placed = _through_dot(graph, sizes) or layered(graph, sizes)
    summary = f"{graph.summary}, from left to right; {name} is the last node."
    svg = _paint(graph, sizes, placed, heading, (heading or f"Graph of {name}", summary))
    return Drawing("\n".join([first, "", *graph.lines()]), svg)


def paint_graph(graph: Graph, widest: Graph, heading: str, summary: str) -> str:
    """The picture alone, with boxes large enough for the texts of `widest`, the same graph with other numbers."""
    sizes = _sizes(widest)
    placed = _through_dot(graph, sizes) or layered(graph, sizes)
    return _paint(graph, sizes, placed, heading, (heading, summary))


def _sizes(graph: Graph) -> Sizes:
    """Boxes that stand below each other are equally wide."""
    boxes = [_box_size(node) for node in graph.nodes]
    widths: dict[int, float] = {}
    for node, (width, _) in zip(graph.nodes, boxes, strict=True):
        widths[node.depth] = max(width, widths.get(node.depth, 0.0))
    boxes = [(widths[node.depth], height) for node, (_, height) in zip(graph.nodes, boxes, strict=True)]
    return Sizes(boxes, [_op_width(node) for node in graph.nodes])


def _box_size(node: Node) -> tuple[float, float]:
    values = max(width_of(f"{key} {value}", TEXT) for key, value in node.rows)
    lines = len(node.rows) + bool(node.label)
    return max(values, width_of(node.label, TEXT)) + 2 * PADDING, lines * ROW + 6


def _op_width(node: Node) -> float:
    return max(OP_HEIGHT, width_of(node.op, TEXT) + 16) if node.op else 0.0


def _paint(graph: Graph, sizes: Sizes, placed: Placed, heading: str, said: tuple[str, str]) -> str:
    top = MARGIN + (28 if heading else 0)
    pieces = [words(MARGIN, MARGIN + SIZE, heading, size=15, bold=True)] if heading else []
    inside = [_arrow(edge.points, "kit-edge", edge.parent) for edge in placed.edges]
    for at, node in enumerate(graph.nodes):
        if at in placed.ops:
            (x, y), (box_x, box_y) = placed.ops[at], placed.boxes[at]
            start, end = (x + sizes.ops[at] / 2, y), (box_x - sizes.boxes[at][0] / 2, box_y)
            inside.append(_arrow([start, start, end, end], "kit-stem", at))
            inside.append(_op(node, placed.ops[at], sizes.ops[at], at))
        inside.append(_box(node, placed.boxes[at], sizes.boxes[at], at))
    pieces.append(tag("g", "".join(inside), transform=f"translate({coordinate(MARGIN)} {coordinate(top)})"))
    width = max(placed.width, width_of(heading, 15)) + 2 * MARGIN
    return picture(width, placed.height + top + MARGIN, pieces, *said)


def _box(node: Node, centre: Point, size: tuple[float, float], at: int) -> str:
    (width, height), left, top = size, centre[0] - size[0] / 2, centre[1] - size[1] / 2
    frame: dict[str, object] = {"x": left, "y": top, "width": width, "height": height, "rx": 4}
    dashes = {"stroke_dasharray": "5 3"} if node.foreign else {}
    pieces = [tag("rect", **frame, fill=PAPER, stroke=INK, stroke_width=1.3, **dashes)]
    line = top + 3
    if node.label:
        pieces.insert(1, tag("path", d=_header(left + 0.7, top + 0.7, width - 1.4, ROW + 2.3), fill=TINT))
        pieces.append(tag("path", d=_path([(left, line + ROW)], [(left + width, line + ROW)]), stroke=FAINT))
        pieces.append(
            words(centre[0], line + 14, node.label, size=TEXT, mono=True, bold=not node.foreign, anchor="middle")
        )
        line += ROW
    for key, value in node.rows:
        pieces.append(words(left + PADDING, line + 14, key, size=TEXT, mono=True, fill=MUTED))
        kind = {"class_": f"kit-{key}"}
        pieces.append(words(left + width - PADDING, line + 14, value, size=TEXT, mono=True, anchor="end", **kind))
        line += ROW
    return tag("g", "".join(pieces), class_="kit-node", data_node=at)


def _header(x: float, y: float, width: float, height: float) -> str:
    """A rectangle with round corners at the top."""
    x, y, width, height = (round(value, 1) for value in (x, y, width, height))
    return (
        f"M{x} {y + height:.1f}v{3.3 - height:.1f}q0 -3.3 3.3 -3.3h{width - 6.6:.1f}q3.3 0 3.3 3.3v{height - 3.3:.1f}z"
    )


def _op(node: Node, centre: Point, width: float, at: int) -> str:
    x, y = centre
    shape = tag("ellipse", cx=x, cy=y, rx=width / 2, ry=OP_HEIGHT / 2, fill=OP_FILL, stroke=OP_LINE, stroke_width=1.3)
    text = words(x, y + 4.5, node.op, size=TEXT, mono=True, anchor="middle")
    return tag("g", shape + text, class_="kit-op", data_node=at)


def _arrow(points: list[Point], kind: str, at: int) -> str:
    """at: the node that the operation at the arrow's end makes."""
    end = points[-1]
    (x, y), (from_x, from_y) = end, next((p for p in reversed(points) if math.dist(p, end) > 0.5), points[0])
    angle = math.atan2(y - from_y, x - from_x)
    sides = [(x - 8 * math.cos(angle + turn), y - 8 * math.sin(angle + turn)) for turn in (0.42, -0.42)]
    line = tag(
        "path",
        class_=kind,
        data_node=at,
        d=_path(points[:1], points[1:], "C"),
        fill="none",
        stroke=LINE,
        stroke_width=1.3,
    )
    return line + tag("path", class_="kit-head", d=_path([(x, y)], sides) + "z", fill=LINE, data_node=at)


def _path(start: list[Point], rest: list[Point], kind: str = "L") -> str:
    first, others = (" ".join(f"{coordinate(x)} {coordinate(y)}" for x, y in part) for part in (start, rest))
    return f"M{first}{kind}{others}"


def _through_dot(graph: Graph, sizes: Sizes) -> Placed | None:
    """The places that Graphviz chooses; None when it is not installed or does not answer as it should."""
    program = shutil.which("dot")
    if program is None:
        return None
    lines = ["digraph {", 'rankdir=LR; nodesep=0.22; ranksep=0.3; node [fixedsize=true, label=""]; edge [dir=none]']
    for at, node in enumerate(graph.nodes):
        width, height = (length / INCH for length in sizes.boxes[at])
        lines.append(f"b{at} [shape=box, width={width:.4f}, height={height:.4f}]")
        if node.op:
            lines.append(f"o{at} [shape=ellipse, width={sizes.ops[at] / INCH:.4f}, height={OP_HEIGHT / INCH:.4f}]")
            lines.append(f"o{at} -> b{at} [weight=8]")
            lines += [f"b{child} -> o{at}" for child in node.children]
    try:
        answer = subprocess.run(
            [program, "-Tplain"],
            input="\n".join([*lines, "}"]),
            capture_output=True,
            encoding="utf-8",
            timeout=LONGEST_LAYOUT,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            check=True,
        ).stdout
        return _read_plain(graph, answer)
    except (OSError, subprocess.SubprocessError, ValueError, LookupError):
        return None


def _read_plain(graph: Graph, answer: str) -> Placed:
    """Graphviz's answer in its format "plain": lengths in inches, counted from the bottom."""
    rows = [line.split() for line in answer.splitlines()]
    _, _, width, height = (rows[0][0], *(float(text) * INCH for text in rows[0][1:4]))

    def point(x: str, y: str) -> Point:
        return float(x) * INCH, height - float(y) * INCH

    places = {row[1]: point(row[2], row[3]) for row in rows if row[0] == "node"}
    edges = []
    for row in rows:
        if row[0] == "edge" and row[1].startswith("b"):
            numbers = row[4 : 4 + 2 * int(row[3])]
            points = [point(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
            edges.append(Edge(int(row[1][1:]), int(row[2][1:]), points))
    if len(edges) != sum(len(node.children) for node in graph.nodes):
        raise ValueError("not every edge has been placed")
    ops = {at: places[f"o{at}"] for at, node in enumerate(graph.nodes) if node.op}
    return Placed(width, height, [places[f"b{at}"] for at in range(len(graph.nodes))], ops, edges)
