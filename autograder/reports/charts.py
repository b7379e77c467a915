"""Where the marks of the report's charts go: numbers only, which charts.jinja turns into SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.reports.facts import Facts, TaskFacts

WIDTH = 640  # of every drawing, in its own units; the page scales it
BINS = 10


@dataclass(frozen=True)
class Bar:
    """A rectangle, what stands beside it, and what it says when pointed at."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    text: str
    tip: str


@dataclass(frozen=True)
class Bin:
    """How many scores lie in a range; `low` counts in, `high` only in the last range."""

    low: float
    high: float
    count: int
    last: bool

    @property
    def name(self) -> str:
        """The range in words."""
        return (
            f"{number(self.low)} to {number(self.high)}"
            if self.last
            else f"{number(self.low)} to under " + number(self.high)
        )


@dataclass(frozen=True)
class Histogram:
    """The score distribution: bars, the y axis' ticks as (y, count), the x axis' as (x, points), the median's x."""

    height: int
    base: float
    bins: tuple[Bin, ...]
    bars: tuple[Bar, ...]
    y_ticks: tuple[tuple[float, int], ...]
    x_ticks: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Rows:
    """A horizontal chart: one row per thing, with its label at (0, y)."""

    height: int
    left: float
    labels: tuple[tuple[float, str], ...]
    bars: tuple[Bar, ...]
    notes: tuple[tuple[float, float, str], ...] = ()


@dataclass(frozen=True)
class Grid:
    """The matrix of tasks failed together; cells are Bars whose `kind` is a shade from 0 to 4."""

    height: int
    names: tuple[tuple[float, float, str, str], ...]
    cells: tuple[Bar, ...]


def number(value: float) -> str:
    """A number of points, with two digits at most: 2.5, not 2.50."""
    return f"{round(value, 2):g}"


def bins(scores: Sequence[float], maximum: float) -> tuple[Bin, ...]:
    """The scores in ten ranges of equal width from 0 to `maximum`."""
    counts = [0] * BINS
    for score in scores:
        # Of a part that was dropped there are no points to get.
        counts[min(BINS - 1, max(0, int(score / (maximum or 1.0) * BINS + 1e-9)))] += 1
    return tuple(
        Bin(maximum * at / BINS, maximum * (at + 1) / BINS, count, at == BINS - 1) for at, count in enumerate(counts)
    )


def histogram(scores: Sequence[float], maximum: float) -> Histogram:
    """The score distribution as bars."""
    found = bins(scores, maximum)
    left, base, top = 48.0, 220.0, 24.0
    highest = max([1, *(one.count for one in found)])
    step = _step(highest)
    ceiling = math.ceil(highest / step) * step
    width = (WIDTH - left - 8) / BINS
    scale = (base - top) / ceiling
    bars = tuple(
        Bar(
            round(left + at * width + 2, 1),
            round(base - one.count * scale, 1),
            round(width - 4, 1),
            round(one.count * scale, 1),
            "plain",
            str(one.count) if one.count else "",
            f"{one.name} points: {one.count}",
        )
        for at, one in enumerate(found)
    )
    return Histogram(
        height=268,
        base=base,
        bins=found,
        bars=bars,
        y_ticks=tuple((round(base - value * scale, 1), value) for value in range(0, ceiling + 1, step)),
        x_ticks=tuple((round(left + at * width, 1), number(maximum * at / BINS)) for at in range(BINS + 1)),
    )


def _step(highest: int) -> int:
    """A round distance between ticks so that there are at most six."""
    for power in range(12):
        for digit in (1, 2, 5):
            if highest <= digit * 10**power * 5:
                return digit * 10**power
    return highest


def task_bars(tasks: Sequence[TaskFacts], students: int) -> Rows:
    """Per task a bar of the class: all points, some, none, not started."""
    left, row = 190.0, 30
    bars: list[Bar] = []
    for at, task in enumerate(tasks):
        x = left
        parts = (
            ("full", task.full, "all points"),
            ("some", task.some, "some points"),
            ("none", task.none, "no points"),
            ("unstarted", task.not_started, "not started"),
        )
        for kind, count, words in parts:
            width = (WIDTH - left) * count / students if students else 0.0
            text = str(count) if width >= 24 else ""
            if count:
                tip = f"{task.id}: {words}: {count} of {students}"
                bars.append(Bar(round(x, 1), at * row + 4, round(max(width - 1, 0.5), 1), row - 8, kind, text, tip))
            x += width
    labels = tuple(
        (at * row + row / 2 + 4.0, shortened(f"{task.id} {task.title}", 27)) for at, task in enumerate(tasks)
    )
    return Rows(max(1, len(tasks)) * row, left, labels, tuple(bars))


def belief_bars(found: Facts, most: int = 12) -> Rows:
    """The most frequent misconceptions as bars."""
    shown, row, left = found.beliefs[:most], 28, 280.0
    longest = max([1, *(len(belief.students) for belief in shown)])
    bars: list[Bar] = []
    notes: list[tuple[float, float, str]] = []
    for at, belief in enumerate(shown):
        count = len(belief.students)
        width = round((WIDTH - left - 90) * count / longest, 1)
        tip = f"{belief.title}: {count} of {found.judged}"
        bars.append(Bar(left, at * row + 4, width, row - 8, "plain", "", tip))
        notes.append((left + width + 6, at * row + row / 2 + 4.0, f"{count} of {found.judged}"))
    labels = tuple((at * row + row / 2 + 4.0, shortened(belief.title, 40)) for at, belief in enumerate(shown))
    return Rows(max(1, len(shown)) * row, left, labels, tuple(bars), tuple(notes))


def grid(found: Facts) -> Grid:
    """Tasks failed together: one cell per pair, the darker the more it exceeds what chance alone would give."""
    ids = [task.id for task in found.tasks]
    left, top = 48.0, 28.0
    width = min(72.0, (WIDTH - left) / max(1, len(ids)))
    height = 34.0
    cells = []
    for pair in found.together:
        column, line = ids.index(pair.one), ids.index(pair.other) - 1
        shade = 1 + sum(pair.both >= pair.expected * times for times in (1.25, 1.75, 2.5)) if pair.both else 0
        tip = f"{pair.one} and {pair.other}: {pair.both} failed both; {number(pair.expected)} expected by chance"
        x, y = left + column * width, top + line * height
        cells.append(Bar(round(x + 1, 1), y + 1, round(width - 2, 1), height - 2, str(shade), str(pair.both), tip))
    names = [(left + at * width + width / 2, 18.0, name, "middle") for at, name in enumerate(ids[:-1])]
    names += [(left - 8, top + at * height + height / 2 + 4, name, "end") for at, name in enumerate(ids[1:])]
    return Grid(int(top + height * max(1, len(ids) - 1)) + 4, tuple(names), tuple(cells))


def shortened(text: str, length: int) -> str:
    """The text, cut to `length` characters where a label has no more room."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
