"""One axis of a chart: from a range of numbers to pixels, with ticks at round numbers; decades on a log axis."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .svg import number

TICKS = 6
FURTHEST = 1e150  # larger numbers are left out of charts: differences of them would overflow


@dataclass(frozen=True)
class Axis:
    """An axis from the number low to the number high, drawn from the pixel start to the pixel end.

    log axes work on powers of ten: low, high and the ticks are then exponents.
    """

    low: float
    high: float
    start: float
    end: float
    log: bool
    ticks: tuple[float, ...]

    def pixel(self, value: float) -> float:
        """Where the number stands; on a log axis it has to be above 0."""
        at = math.log10(value) if self.log else value
        return self.start + (at - self.low) / (self.high - self.low) * (self.end - self.start)

    def marks(self) -> list[tuple[float, str]]:
        """The pixel and the text of each tick."""
        texts = _log_texts(self.ticks) if self.log else tick_texts(self.ticks)
        numbers = [10.0**tick for tick in self.ticks] if self.log else self.ticks
        return [(self.pixel(at), text) for at, text in zip(numbers, texts, strict=True)]


def make_axis(values: list[float], start: float, end: float, log: bool = False) -> Axis:
    """The axis that shows all the values, with some room; on a log axis all of them are above 0."""
    ends = [min(values), max(values)] if values else [1.0, 10.0] if log else [0.0, 1.0]
    low, high = (math.log10(value) for value in ends) if log else ends
    if high - low < 1e-12 * max(abs(low), abs(high), 1e-300):
        room = 0.5 if log else abs(low) / 10 or 1.0
        low, high = low - room, high + room
    if log and high - low >= 1:
        step = max(1, math.ceil((math.ceil(high) - math.floor(low)) / 8))
        low, high = math.floor(low / step) * step, math.ceil(high / step) * step
        return Axis(low, high, start, end, log, tuple(float(at) for at in range(low, high + 1, step)))
    if log:  # less than a decade: 1, 2 and 5 are the round numbers
        decades = range(math.floor(low) - 1, math.ceil(high) + 1)
        round_ones = [decade + math.log10(lead) for decade in decades for lead in (1, 2, 5)]
        low = max(at for at in round_ones if at <= low + 1e-9)
        high = min([at for at in round_ones if at >= high - 1e-9] or [float(math.ceil(high))])
        return Axis(low, high, start, end, log, tuple(at for at in round_ones if low - 1e-9 <= at <= high + 1e-9))
    ticks = round_ticks(low, high)
    step = ticks[1] - ticks[0]
    low, high = min(low, ticks[0]), max(high, ticks[-1])
    if low < ticks[0]:
        low = ticks[0] - step * math.ceil((ticks[0] - low) / step - 1e-9)
    if high > ticks[-1]:
        high = ticks[-1] + step * math.ceil((high - ticks[-1]) / step - 1e-9)
    return Axis(low, high, start, end, log, tuple(round_ticks(low, high, step)))


def round_ticks(low: float, high: float, step: float = 0.0) -> list[float]:
    """Multiples of a round step (1, 2, 5 times a power of ten unless one is given) from low to high, at least two."""
    if not step:
        rough = (high - low) / TICKS
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(lead * power for lead in (1, 2, 5, 10) if lead * power >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [at * step for at in range(first, max(last, first + 1) + 1)]


def tick_texts(ticks: tuple[float, ...] | list[float]) -> list[str]:
    """The ticks as texts, with as many digits as it takes to tell them apart."""
    texts: list[str] = []
    for digits in range(4, 16):
        texts = [number(tick, digits) for tick in ticks]
        if len(set(texts)) == len(texts):
            break
    return texts


def _log_texts(ticks: tuple[float, ...]) -> list[str]:
    whole = all(tick == int(tick) for tick in ticks)
    return [("1" if tick == 0 else f"1e{int(tick)}") if whole else number(10.0**tick) for tick in ticks]
