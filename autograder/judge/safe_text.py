"""Text that came from a submission, made safe to show: no control characters, no hidden direction changes, not endless.

Addresses are left out as well: they differ from run to run, and a verdict must not.

Escaping for HTML is left to whoever writes HTML.
"""

from __future__ import annotations

import re
import unicodedata

# Controls, formats (direction marks, zero width), surrogates, private use, unassigned, line and paragraph separators.
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")  # as in <value.Value object at 0x7f8ad0c1b2e0>
MAX_COMBINING = 2  # marks stacked on one character; more is an attempt to paint over the line above


def plain(text: str, limit: int = 300) -> str:
    """`text` on one line of at most `limit` characters, with everything invisible written as an escape."""
    text = _ADDRESS.sub("", text[: 10 * limit])
    shown: list[str] = []
    combining = 0
    for char in text[: limit + 1]:
        category = unicodedata.category(char)
        combining = combining + 1 if category in {"Mn", "Me"} else 0
        if char in "\n\t\r" or category == "Zs":
            shown.append(" ")
        elif category in _INVISIBLE or combining > MAX_COMBINING:
            shown.append(f"\\u{{{ord(char):x}}}")
        else:
            shown.append(char)
    line = " ".join("".join(shown).split())
    return line if len(text) <= limit and len(line) <= limit else line[: limit - 3] + "..."
