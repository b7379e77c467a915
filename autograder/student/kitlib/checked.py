"""What check("4.3") came to, as a notebook shows it: the terminal's message in a frame, and the same as plain text.

It adds no word of its own and judges nothing: what is right and wrong stands in the message.
"""

from __future__ import annotations

import html
import sys
from dataclasses import dataclass

from .svg import INK, MUTED, PAPER

FRAME = (
    f"max-width:52em;box-sizing:border-box;margin:0;padding:10px 14px;border-radius:6px;border:1px solid {MUTED};"
    f"background:{PAPER};color:{INK};white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.45"
)


@dataclass(frozen=True, repr=False)
class Checked:
    """The message of one check. print() and a terminal show it as text, a notebook in a frame."""

    text: str

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def _repr_html_(self) -> str:
        # Lines break where a phone is narrower than the terminal's 80 columns: a sentence is read without scrolling.
        return f'<pre style="{FRAME}" role="group" aria-label="what the check says">{html.escape(self.text)}</pre>'


def show(checked: Checked) -> None:
    """Show it in the notebook where one runs, else print it."""
    loaded = sys.modules.get("IPython")  # it is wherever a notebook runs; the kit does without it elsewhere
    shell = loaded.get_ipython() if loaded else None
    if shell is None:
        print(checked)
    else:
        shell.display_pub.publish({"text/plain": str(checked), "text/html": checked._repr_html_()})
