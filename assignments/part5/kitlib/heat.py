"""heatmap(f, (0, 1), (0, 1)): the values of a function of two numbers as coloured cells, with points on top.

The colours grow evenly from dark to light, so they can be told apart in grey and by the colour-blind; a scale with
numbers stands beside them, and the same values stand as numbers in the text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from .axis import Axis, make_axis, round_ticks, tick_texts
from .svg import INK, PAPER, Drawing, as_float, number, picture, plain, table, tag, width_of, words

SIDE = 300.0
SMALL = 14
MOST_STEPS = 60
COARSE = 6  # values per row of the text's grid, and rows
SHADES = 96  # neighbours of one shade become one rectangle
BAR = 18.0
NO_NUMBER = "#b9b9b9"
# Viridis at nine even places, the colour map of Nathaniel Smith and Stefan van der Walt (given to the public domain).
RAMP = ("440154", "472d7b", "3b528b", "2c728e", "21918c", "28ae80", "5ec962", "addc30", "fde725")


def heatmap(
    f: Callable[[float, float], object],
    x: tuple[float, float],
    y: tuple[float, float],
    points: Iterable[tuple[float, float, object]] = (),
    title: str = "",
    steps: int = 24,
) -> Drawing:
    """Draw f(x, y) over a rectangle, as steps times steps cells, each with the value at its middle.

    f       takes two floats; returns a number, or a node, of which data counts. What it raises is not caught.
    x, y    from where to where
    points  (x, y, target): drawn on top, with the target as a number
    """
    wrong = _unusable(x, y, steps)
    if wrong:
        return Drawing(wrong)
    try:
        spots = [(float(a), float(b), number(target)) for a, b, target in points]
    except (TypeError, ValueError):
        return Drawing("The points of a heatmap are triples of x, y and target: [(0, 0, -1), (0, 1, 1)].")
    middles = [(place + 0.5) / steps for place in range(steps)]
    values = [[_value(f, _between(x, a), _between(y, b)) for a in middles] for b in middles]
    known = [value for row in values for value in row if math.isfinite(value)]
    if not known:
        return Drawing("The function gives no finite number anywhere in this rectangle, so there is nothing to colour.")
    ends = min(known), max(known)
    heading = plain(title, 80)
    said = f"{heading or 'Heat map'}: values from {number(ends[0])} to {number(ends[1])}"
    missing = steps * steps - len(known)
    note = f"{missing} cells are grey: no finite number there." if missing else ""
    text = [said, "", *_grid(f, x, y, 1e-9 * max(map(abs, ends))), *_targets(f, spots), *([note] if note else [])]
    return Drawing("\n".join(text), _paint(values, ends, (x, y), spots, (heading, said, note)), shrinks=True)


def _unusable(x: object, y: object, steps: object) -> str:
    for name, span in (("x", x), ("y", y)):
        ends = [as_float(end) for end in span] if isinstance(span, Sequence) else []
        low, high = ends if len(ends) == 2 else (None, None)
        if low is None or high is None or not low < high or not math.isfinite(high - low):
            return f"A heatmap needs two numbers for {name}, the smaller one first: {name}=(-1, 1)."
    if not isinstance(steps, int) or not 2 <= steps <= MOST_STEPS:
        return f"steps is the number of cells on a side, a whole number from 2 to {MOST_STEPS}."
    return ""


def _between(span: tuple[float, float], part: float) -> float:
    return span[0] + (span[1] - span[0]) * part


def _value(f: Callable[[float, float], object], x: float, y: float) -> float:
    """f there, as a float; nan where it gives no number."""
    result = f(x, y)
    value = as_float(getattr(result, "data", result))
    return math.nan if value is None else value


def _grid(
    f: Callable[[float, float], object], x: tuple[float, float], y: tuple[float, float], noise: float
) -> list[str]:
    """The function on a coarse grid, edges included, the largest y in the first row as in the picture.

    What is smaller than `noise`, far below what a colour shows, is written as 0.
    """

    def cell(a: float, b: float) -> str:
        value = _value(f, a, b)
        return number(0 if abs(value) < noise else value, 3)

    parts = [place / COARSE for place in range(COARSE + 1)]
    rows = [["y \\ x", *(number(_between(x, part)) for part in parts)]]
    for b in (_between(y, part) for part in reversed(parts)):
        rows.append([number(b), *(cell(_between(x, part), b) for part in parts)])
    return table(rows)


def _targets(f: Callable[[float, float], object], spots: list[tuple[float, float, str]]) -> list[str]:
    if not spots:
        return []
    rows = [["x", "y", "target", "value"]]
    rows += [[number(a), number(b), target, number(_value(f, a, b))] for a, b, target in spots]
    return ["", *table(rows)]


def _paint(
    values: list[list[float]],
    ends: tuple[float, float],
    spans: tuple[tuple[float, float], tuple[float, float]],
    spots: list[tuple[float, float, str]],
    said: tuple[str, str, str],
) -> str:
    heading, summary, note = said
    top = 46.0 if heading else 18.0
    pieces = [words(16, 28, heading, size=15, bold=True)] if heading else []
    ups = _axis(spans[1], top + SIDE, top)
    left = 26 + max(width_of(text, SMALL) for _, text in ups.marks())
    across = _axis(spans[0], left, left + SIDE)
    pieces += _cells(values, ends, left, top)
    pieces.append(tag("rect", x=left, y=top, width=SIDE, height=SIDE, fill="none", stroke=INK))
    for at, text in ups.marks():
        pieces.append(tag("line", x1=left - 5, y1=at, x2=left, y2=at, stroke=INK))
        pieces.append(words(left - 9, at + 4.5, text, size=SMALL, anchor="end"))
    for at, text in across.marks():
        pieces.append(tag("line", x1=at, y1=top + SIDE, x2=at, y2=top + SIDE + 5, stroke=INK))
        pieces.append(words(at, top + SIDE + 20, text, size=SMALL, anchor="middle"))
    for a, b, target in spots:
        if spans[0][0] <= a <= spans[0][1] and spans[1][0] <= b <= spans[1][1]:
            pieces += _spot(across.pixel(a), ups.pixel(b), target, (left, left + SIDE))
    scale, width = _scale(ends, left + SIDE + 24, top)
    bottom = top + SIDE + 34
    if note:
        pieces.append(words(16, bottom + 8, note, size=13))
        bottom += 22
    whole = max(left + SIDE + 24 + width + 16, width_of(heading, 15) + 24)
    return picture(whole, bottom, [*pieces, *scale], heading or "Heat map", f"{summary}.")


def _axis(span: tuple[float, float], start: float, end: float) -> Axis:
    """An axis that ends exactly where the cells do."""
    full = make_axis(list(span), start, end)
    inside = tuple(tick for tick in full.ticks if span[0] - 1e-9 <= tick <= span[1] + 1e-9)
    return Axis(span[0], span[1], start, end, False, inside)


def _cells(values: list[list[float]], ends: tuple[float, float], left: float, top: float) -> list[str]:
    cell = SIDE / len(values)
    pieces = []
    for row, line in enumerate(reversed(values)):
        shades = [_shade(value, ends) for value in line]
        start = 0
        for at in range(1, len(shades) + 1):
            if at == len(shades) or shades[at] != shades[start]:
                # A hair larger than they are, or the paper would shine through between them.
                wide = (at - start) * cell + (0.4 if at < len(shades) else 0.0)
                tall = cell + (0.4 if row + 1 < len(values) else 0.0)
                corner = {"x": left + start * cell, "y": top + row * cell}
                pieces.append(tag("rect", "", **corner, width=wide, height=tall, fill=shades[start]))
                start = at
    return [tag("g", "".join(pieces), class_="kit-cells", shape_rendering="crispEdges")]


def _shade(value: float, ends: tuple[float, float]) -> str:
    if not math.isfinite(value):
        return NO_NUMBER
    # Halved first: the difference of two large numbers can be more than a float holds.
    span = ends[1] / 2 - ends[0] / 2
    return _colour(round((value / 2 - ends[0] / 2) / span * SHADES) / SHADES if span else 0.5)


def _colour(part: float) -> str:
    """The ramp's colour at a part from 0 to 1."""
    at = min(max(part, 0.0), 1.0) * (len(RAMP) - 1)
    low = min(int(at), len(RAMP) - 2)
    channels = zip(*(bytes.fromhex(text) for text in RAMP[low : low + 2]), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * (at - low)):02x}" for a, b in channels)


def _spot(x: float, y: float, target: str, inside: tuple[float, float]) -> list[str]:
    """A point, and its target on a small label that stays within the cells' left and right edge."""
    wide = width_of(target, SMALL) + 10
    beside = x + 12 if x + 12 + wide <= inside[1] else x - 12 - wide
    return [
        tag("circle", cx=x, cy=y, r=8, fill=PAPER),  # a rim that shows on dark cells, as the ring does on light ones
        tag("circle", cx=x, cy=y, r=5, fill=PAPER, stroke=INK, stroke_width=2, class_="kit-point"),
        tag("rect", x=beside, y=y - 10, width=wide, height=20, rx=4, fill=PAPER, stroke=INK),
        words(beside + wide / 2, y + 4.5, target, size=SMALL, bold=True, anchor="middle"),
    ]


def _scale(ends: tuple[float, float], left: float, top: float) -> tuple[list[str], float]:
    """The bar of colours with its numbers, and its width."""
    low, high = ends
    if low == high:
        text = number(low)
        bar = tag("rect", x=left, y=top, width=BAR, height=BAR, fill=_colour(0.5), stroke=INK)
        return [bar, words(left + BAR + 8, top + 14, text, size=SMALL)], BAR + 8 + width_of(text, SMALL)
    slices = 64
    tall = SIDE / slices
    pieces = [
        tag(
            "rect",
            x=left,
            y=top + SIDE - (at + 1) * tall,
            width=BAR,
            height=tall + 0.4,
            fill=_colour((at + 0.5) / slices),
        )
        for at in range(slices)
    ]
    pieces.append(tag("rect", x=left, y=top, width=BAR, height=SIDE + 0.4, fill="none", stroke=INK))
    ticks = (
        [tick for tick in round_ticks(low, high) if low <= tick <= high] if math.isfinite(high - low) else [low, high]
    )
    texts = tick_texts(ticks)
    for tick, text in zip(ticks, texts, strict=True):
        y = top + SIDE * (high / 2 - tick / 2) / (high / 2 - low / 2)
        pieces.append(tag("line", x1=left + BAR, y1=y, x2=left + BAR + 5, y2=y, stroke=INK))
        pieces.append(words(left + BAR + 9, y + 4.5, text, size=SMALL))
    return pieces, BAR + 9 + max(width_of(text, SMALL) for text in texts)
