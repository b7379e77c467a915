"""curves({"loss": [(0, 2.5), (1, 1.75)]}): lines over an x axis, either axis logarithmic if wished.

Lines differ in dash and in marker too, not only in colour. What cannot be shown is counted in a note, never dropped
in silence.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .axis import FURTHEST, Axis, make_axis
from .svg import (
    FAINT,
    INK,
    MUTED,
    Drawing,
    as_float,
    coordinate,
    number,
    picture,
    plain,
    table,
    tag,
    width_of,
    words,
)

Points = list[tuple[float, float]]

WIDTH, PLOT_HEIGHT = 460.0, 240.0
SMALL = 14
MOST_CURVES = 6
FEW = 45  # with more points, not every one gets a marker
MOST_DRAWN = 600  # with more points, the lowest and the highest of each stretch are drawn
ROWS = 8  # of the text's table
# Dark enough on white to be seen by everyone, and apart from each other for the colour-blind.
STYLES = (
    ("#00609c", "", "circle"),
    ("#b84a00", "7 4", "square"),
    ("#007a5a", "2 3", "triangle"),
    ("#8c3a78", "10 3 2 3", "diamond"),
    ("#3d3d3d", "4 2", "cross"),
    ("#7a6000", "1 4", "plus"),
)
SHAPES = {
    "circle": "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "square": "M-3.6 -3.6h7.2v7.2h-7.2z",
    "triangle": "M0 -4.6L4.4 3.4H-4.4z",
    "diamond": "M0 -5L5 0L0 5L-5 0z",
    "cross": "M-4 -4L4 4M-4 4L4 -4",
    "plus": "M-5 0H5M0 -5V5",
}


@dataclass(frozen=True)
class _Curve:
    """One line: its points that can be shown, and how it looks."""

    name: str
    points: Points
    colour: str
    dashes: str
    marker: str


def curves(
    lines: Mapping[str, Iterable[tuple[object, object]]],
    title: str = "",
    x: str = "",
    y: str = "",
    log_x: bool = False,
    log_y: bool = False,
) -> Drawing:
    """Draw lines through points (x, y), one per name; a sentence takes the picture's place if there is nothing to draw.

    x and y are the axes' names. Points that an axis cannot show (0 and below on a log axis, inf, nan, no number) are
    left out, and a note says how many.
    """
    try:
        read = {plain(name, 40): [(as_float(a), as_float(b)) for a, b in points] for name, points in lines.items()}
    except (AttributeError, TypeError, ValueError):
        return Drawing('curves() takes names with lists of points: curves({"loss": [(0, 2.5), (1, 1.75)]}).')
    if len(read) > MOST_CURVES:
        return Drawing(f"curves() draws at most {MOST_CURVES} lines in one picture, and these are {len(read)}.")
    kept: list[_Curve] = []
    notes: list[str] = []
    for (name, pairs), style in zip(read.items(), STYLES, strict=False):
        shown = [
            (a, b) for a, b in pairs if a is not None and b is not None and abs(a) < FURTHEST and abs(b) < FURTHEST
        ]
        positive = [(a, b) for a, b in shown if (a > 0 or not log_x) and (b > 0 or not log_y)]
        notes += _left_out(name, len(pairs) - len(shown), "not a number that can be drawn")
        notes += _left_out(name, len(shown) - len(positive), "0 or below, which a log axis cannot show")
        kept.append(_Curve(name, positive, *style))
    if not any(curve.points for curve in kept):
        return Drawing(" ".join(["There is no point to draw.", *notes]))
    heading = plain(title, 80)
    across, up = plain(x, 60), plain(y, 60)
    text = [heading or "Curves: " + ", ".join(curve.name for curve in kept), "", *_text(kept, across or "x"), *notes]
    return Drawing("\n".join(text), _paint(kept, heading, (across, up), (log_x, log_y), notes), shrinks=True)


def _left_out(name: str, amount: int, why: str) -> list[str]:
    return [f"{name}: {amount} {'point' if amount == 1 else 'points'} left out ({why})."] if amount else []


def _text(kept: list[_Curve], across: str) -> list[str]:
    lines = []
    for curve in kept:
        if curve.points:
            low, high = (pick(curve.points, key=lambda point: point[1]) for pick in (min, max))
            lines.append(
                f"{curve.name}: {len(curve.points)} points, lowest {number(low[1])} at {across} = {number(low[0])}, "
                f"highest {number(high[1])} at {across} = {number(high[0])}"
            )
    everywhere = sorted({point[0] for curve in kept for point in curve.points})
    at = sorted({round(step * (len(everywhere) - 1) / (ROWS - 1)) for step in range(ROWS)})
    values = [dict(curve.points) for curve in kept]
    rows = [[across, *(curve.name for curve in kept)]]
    for here in (everywhere[place] for place in at):
        rows.append([number(here), *(number(known[here]) if here in known else "" for known in values)])
    return [*lines, "", *table(rows)]


def _paint(kept: list[_Curve], heading: str, names: tuple[str, str], logs: tuple[bool, bool], notes: list[str]) -> str:
    pieces: list[str] = []
    top = 12.0
    if heading:
        pieces.append(words(16, top + 16, heading, size=15, bold=True))
        top += 28
    legend, height = _legend(kept, top)
    top += height + 4
    if names[1]:
        pieces.append(words(16, top + 12, names[1], size=SMALL, fill=MUTED))
        top += 22
    bottom = top + PLOT_HEIGHT
    ups = make_axis([b for curve in kept for _, b in curve.points], bottom, top + 6, logs[1])
    left = 26 + max(width_of(text, SMALL) for _, text in ups.marks())
    acrosses = make_axis([a for curve in kept for a, _ in curve.points], left, WIDTH - 30, logs[0])
    pieces += legend + _grid(acrosses, ups)
    for curve in kept:
        pieces += _line([(acrosses.pixel(a), ups.pixel(b)) for a, b in curve.points], curve)
    bottom += 22
    if names[0]:
        bottom += 18
        pieces.append(words((left + WIDTH - 30) / 2, bottom, names[0], size=SMALL, fill=MUTED, anchor="middle"))
    for line in (piece for note in notes for piece in _wrapped(note)):
        bottom += 18
        pieces.append(words(16, bottom, line, size=13, fill=MUTED))
    summary = "; ".join(f"{curve.name} with {len(curve.points)} points" for curve in kept)
    title = heading or "Curves: " + ", ".join(curve.name for curve in kept)
    return picture(max(WIDTH, width_of(heading, 15) + 24), bottom + 14, pieces, title, f"Line chart: {summary}.")


def _legend(kept: list[_Curve], top: float) -> tuple[list[str], float]:
    """A sample of each line beside its name, in as many rows as it takes, and the height of it all."""
    pieces, left, row = [], 16.0, 0
    for curve in kept:
        wide = 44 + width_of(curve.name, SMALL)
        if left > 16 and left + wide > WIDTH - 12:
            left, row = 16.0, row + 1
        y = top + 20 * row + 8
        pieces += _line([(left, y), (left + 15, y), (left + 30, y)], curve, only_middle=True, class_="kit-legend")
        pieces.append(words(left + 36, y + 4.5, curve.name, size=SMALL))
        left += wide + 14
    return pieces, 20.0 * (row + 1)


def _grid(across: Axis, up: Axis) -> list[str]:
    left, right, top, bottom = across.start, across.end, up.end, up.start
    pieces = []
    for y, text in up.marks():
        pieces.append(_rule(left, y, right, y, FAINT))
        pieces.append(words(left - 8, y + 4.5, text, size=SMALL, anchor="end"))
    marks = across.marks()
    pieces += [_rule(x, bottom, x, bottom + 5, INK) for x, _ in marks]
    every = next((step for step in range(1, len(marks)) if _apart(marks[::step])), len(marks))
    pieces += [words(x, bottom + 19, text, size=SMALL, anchor="middle") for x, text in marks[::every]]
    return [*pieces, _rule(left, bottom, right, bottom, INK), _rule(left, top, left, bottom, INK)]


def _apart(marks: list[tuple[float, str]]) -> bool:
    """Is there room between the texts below an axis?"""
    halves = [(x, width_of(text, SMALL) / 2) for x, text in marks]
    return all(x + half + 6 < right - its for (x, half), (right, its) in itertools.pairwise(halves))


def _line(at: Points, curve: _Curve, only_middle: bool = False, class_: str = "kit-curve") -> list[str]:
    drawn = _thinned(at)
    look: dict[str, Any] = {"stroke": curve.colour, "stroke_width": 2, "stroke_linejoin": "round"}
    if curve.dashes:
        look["stroke_dasharray"] = curve.dashes
    path = "L".join(f"{coordinate(x)} {coordinate(y)}" for x, y in drawn)
    pieces = [tag("path", class_=class_, d="M" + path, fill="none", **look)] if len(drawn) > 1 else []
    marked = at[1:2] if only_middle else at if len(at) <= FEW else at[:: max(1, len(at) // 8)]
    for x, y in marked:
        where = f"translate({coordinate(x)} {coordinate(y)})"
        shape = SHAPES[curve.marker]
        pieces.append(tag("path", d=shape, transform=where, fill=curve.colour, stroke=curve.colour, stroke_width=1.6))
    return pieces


def _thinned(at: Points) -> Points:
    if len(at) <= MOST_DRAWN:
        return at
    size = math.ceil(len(at) / (MOST_DRAWN / 2))
    kept: Points = []
    for start in range(0, len(at), size):
        stretch = range(start, min(start + size, len(at)))
        ends = {min(stretch, key=lambda i: at[i][1]), max(stretch, key=lambda i: at[i][1])}
        kept += [at[i] for i in sorted(ends)]
    return [at[0], *kept, at[-1]]


def _rule(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour)


def _wrapped(text: str, longest: int = 56) -> list[str]:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > longest:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
