"""Markdown to HTML for feedback pages and the formgrader, where the text may be a student's.

nbconvert's own filter passes raw HTML, javascript: links and mermaid blocks through, and stops at a picture that
is not there. A page that a marker opens while logged in must do none of these.
"""

from __future__ import annotations

import html
from typing import Any

from jinja2 import pass_context
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath


class SafeRenderer(IPythonRenderer):
    """nbconvert's renderer with every tag escaped and every script-like link taken out."""

    def __init__(self, attachments: dict[str, dict[str, str]]) -> None:
        super().__init__(escape=True, allow_harmful_protocols=False, attachments=attachments)

    def block_mermaidjs(self, code: str) -> str:
        """A diagram's source is shown as text: the stock renderer would put it into the page unescaped."""
        return f"<pre>{html.escape(code.strip())}</pre>\n"

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """A picture that came along with the text; of any other one a line that says where it lies.

        A page that loads a student's picture from elsewhere tells that host who opened it, and when.
        """
        name = url.removeprefix("attachment:")
        if name != url and name in self.attachments:
            return super().image(text, url, title)
        said = "missing" if name != url else f"not loaded, it lies at {html.escape(url)}"
        return f"<em>[picture {said}: {html.escape(text)}]</em>"


@pass_context
def markdown_to_html(context: Any, source: str) -> str:
    """The jinja filter `markdown2html`: `source` as HTML, with the pictures attached to the cell being shown."""
    cell = context.get("cell") or {}
    return render(source, cell.get("attachments") or {})


def render(source: str, attachments: dict[str, dict[str, str]] | None = None) -> str:
    """`source` as HTML without any tag, script or link target that the text itself brought along.

    Text that makes the renderer itself stumble is shown as it is written.
    """
    try:
        return str(MarkdownWithMath(renderer=SafeRenderer(attachments or {})).render(source))
    except Exception:
        return f"<pre>{html.escape(source)}</pre>"
