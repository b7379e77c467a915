"""What all pictures of the kit share: the Drawing that a cell shows, safe texts, numbers, and pieces of SVG.

Every picture brings its own background, so that it reads the same on a light and on a dark page, and it asks for
nothing from elsewhere. It holds no ids and no style sheet: many pictures stand on one page.
"""

from __future__ import annotations

import html
import math
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from .files import Stumble

INK, MUTED, FAINT, PAPER, TINT = "#1c2733", "#4d5b69", "#c3ccd6", "#ffffff", "#e9eff6"
SANS = "Helvetica, Arial, 'DejaVu Sans', sans-serif"
MONO = "'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace"
SIZE = 14  # of most texts, in pixels
CHARACTER = 0.63  # an advance in parts of the font size: a little more than the fonts above need
LONGEST = 24  # characters of a label or a value that are shown
SMALLEST, LARGEST_WHOLE = 1e-4, 1e6  # between these a number is written without an exponent


@dataclass(frozen=True, repr=False)
class Drawing:
    """A picture and its text twin. A notebook shows both, print() and a terminal the text.

    text    what the picture says, as lines of text
    svg     the picture; empty when there is only a sentence to say
    shrinks whether the picture may be scaled down to a narrow page; otherwise it is scrolled
    """

    text: str
    svg: str = ""
    shrinks: bool = False

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def _repr_svg_(self) -> str | None:
        return self.svg or None

    def _repr_html_(self) -> str:
        if not self.svg:
            return f"<p>{html.escape(self.text)}</p>"
        limit = "max-width:100%;height:auto;min-width:340px" if self.shrinks else "max-width:none"
        shown = self.svg.replace("<svg ", f'<svg style="display:block;{limit}" ', 1)
        # What can be scrolled has to be reachable with the keyboard, hence the tabindex.
        return (
            f'<div style="overflow-x:auto" tabindex="0" role="group" aria-label="picture">{shown}</div>'
            '<details style="margin-top:6px"><summary>The same as text</summary>'
            '<pre style="overflow-x:auto" tabindex="0" role="group" aria-label="the picture as text">'
            f"{html.escape(self.text)}</pre></details>"
        )

    def save(self, path: str | Path) -> Path:
        """Write the picture (a name ending in .svg) or its text (.txt). Raises Stumble when that cannot be done."""
        target = Path(path)
        content = self._contents().get(target.suffix.lower())
        if content is None:
            raise Stumble(f"A picture is saved as .svg and its text as .txt, and {target.name} is neither.")
        if not content:
            raise Stumble(f"There is no picture to save, only a sentence: {self.text}")
        try:
            target.write_text(content + "\n", encoding="utf-8", newline="\n")
        except OSError as problem:
            raise Stumble(f"{target} cannot be written: {problem.strerror}.") from problem
        return target

    def _contents(self) -> dict[str, str]:
        return {".svg": self.svg, ".txt": self.text}


def number(value: object, digits: int = 4) -> str:
    """A number as every picture writes it: 4 significant digits, whole ones below a million in full, no -0.

    What is no number is shown as its text, made safe and cut.
    """
    exact = as_float(value)
    if exact is None or isinstance(value, bool):
        return plain(value)
    if not math.isfinite(exact):
        return str(exact)
    if exact == int(exact) and abs(exact) < LARGEST_WHOLE:
        return str(int(exact))
    rounded = float(f"{exact:.{digits - 1}e}")
    if SMALLEST <= abs(rounded) < 10**digits:
        decimals = max(0, digits - 1 - math.floor(math.log10(abs(rounded))))
        return _short(f"{rounded:.{decimals}f}")
    mantissa, exponent = f"{rounded:.{digits - 1}e}".split("e")
    return f"{_short(mantissa)}e{int(exponent)}"


def as_float(value: object) -> float | None:
    """The value as a float; None for what is not a number."""
    if isinstance(value, (str, bytes, bytearray)):
        return None
    try:
        return float(value)  # type: ignore[arg-type]
    except Exception:  # whatever a foreign __float__ does, the value can still be shown as text
        return None


def plain(value: object, longest: int = LONGEST) -> str:
    """Any value as one short line that is safe on a terminal and in XML."""
    try:
        text = str(value)
    except Exception:
        text = "(not printable)"
    text = "".join(sign if sign.isprintable() else " " if sign.isspace() else "\ufffd" for sign in text[: longest + 1])
    return text if len(text) <= longest else text[: longest - 1] + "\u2026"


def columns(text: str) -> int:
    """How many columns of a fixed-width font the text takes."""
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    return len(text) + wide - sum(unicodedata.combining(sign) > 0 for sign in text)


def width_of(text: str, size: float = SIZE) -> float:
    """About how many pixels the text takes, rather too many than too few."""
    return columns(text) * size * CHARACTER


def tag(name: str, body: str = "", **attributes: object) -> str:
    """One SVG element; an underscore in an attribute's name stands for its hyphen, class_ for class."""
    pairs = ((key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items())
    inside = "".join(f' {key}="{_attribute(value)}"' for key, value in pairs)
    return f"<{name}{inside}>{body}</{name}>" if body else f"<{name}{inside}/>"


def words(x: float, y: float, text: str, **more: object) -> str:
    """A line of text with its baseline at y. more: anchor, size, mono, bold, fill, and any attribute of <text>."""
    attributes: dict[str, object] = {
        "x": x,
        "y": y,
        "font_family": MONO if more.pop("mono", False) else SANS,
        "font_size": more.pop("size", SIZE),
        "fill": more.pop("fill", INK),
        "text_anchor": more.pop("anchor", "start"),
    }
    if more.pop("bold", False):
        attributes["font_weight"] = "bold"
    return tag("text", html.escape(text), **attributes, **more)


def coordinate(value: float) -> str:
    """A length in pixels to a tenth, as short as it can be written."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


def picture(width: float, height: float, pieces: list[str], title: str, summary: str) -> str:
    """The whole SVG on its own paper. title and summary are for those who hear it."""
    w, h = math.ceil(width), math.ceil(height)
    paper = tag("rect", x=0.5, y=0.5, width=w - 1, height=h - 1, rx=6, fill=PAPER, stroke=FAINT)
    head = f"<title>{html.escape(title)}</title><desc>{html.escape(summary)}</desc>"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" role="img" '
        f'aria-label="{html.escape(title)}">{head}{paper}{"".join(pieces)}</svg>'
    )


def table(rows: list[list[str]]) -> list[str]:
    """Rows of cells as lines of text, the columns aligned on the left."""
    widths = [max(columns(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = ("  ".join(cell + " " * (w - columns(cell)) for cell, w in zip(row, widths, strict=True)) for row in rows)
    return [line.rstrip() for line in lines]


def _short(text: str) -> str:
    """A decimal without the zeros at its end that say nothing."""
    return text.rstrip("0").rstrip(".") if "." in text else text


def _attribute(value: object) -> str:
    return coordinate(value) if isinstance(value, float) else html.escape(str(value))
