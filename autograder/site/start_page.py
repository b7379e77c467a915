"""Our own page of the site: which parts there are, how to work in the browser, and what becomes of the files.

Plain HTML with everything in it: no program, no file beside it, and links only to the site's own pages, all relative.
"""

from __future__ import annotations

import html
from collections.abc import Sequence

from autograder.course import Course, Part

STYLE = """
:root{color-scheme:light}
body{margin:0;background:#f6f6f2;color:#1b1b1b;font:17px/1.5 system-ui,sans-serif}
main{max-width:44rem;margin:0 auto;padding:1.5rem 1rem 3rem}
h1{font-size:1.7rem;line-height:1.2;margin:.5rem 0}
h2{font-size:1.2rem;margin:0 0 .5rem}
section{background:#fff;border:1px solid #c9c9c0;border-radius:8px;padding:1rem;margin:1rem 0}
section p{margin:.5rem 0}
a{color:#00508a}
.open{display:inline-block;background:#00508a;color:#fff;padding:.6rem 1rem;border-radius:6px;text-decoration:none;
 margin:.2rem .4rem .2rem 0}
.one{display:inline-block;padding:.5rem 0}
section ul{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:0 1.5rem}
section li{margin:0}
a:focus-visible{outline:3px solid #b35c00;outline-offset:2px}
code{display:inline-block;max-width:100%;box-sizing:border-box;background:#ecece4;padding:0 .3em;border-radius:3px;
 overflow-wrap:anywhere}
li{margin:.3rem 0}
"""


# JupyterLite's own pages read their settings from every page above them, and stop where one has none.
SETTINGS = '<script id="jupyter-config-data" type="application/json">{"baseUrl": "./"}</script>'


def start_page(course: Course, parts: Sequence[Part]) -> str:
    """The whole page."""
    title = html.escape(course.title)
    sections = "\n".join(_section(part) for part in parts)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{STYLE}</style>
{SETTINGS}
</head>
<body>
<main>
<h1>{title}</h1>
<p>Nothing to install: Python runs in this page, on your own machine. The first start can take half a minute.</p>
{sections}
<h2>How to work here</h2>
<ol>
<li>Open a part. Its folder stands at the left, its notebook is open; a double click opens a file such as
<code>value.py</code>.</li>
<li>After a change in a file, save it (Ctrl+S, on a Mac Cmd+S, on a phone File and
Save). Then run the notebook's check cell (Shift+Enter).</li>
<li>When you are done, save the notebook and run <code>from kit import submit; submit()</code> in a new cell. Download
the zip it offers, and hand that in as your course tells you.</li>
<li>The course's texts speak of a terminal; there is none here. For <code>pytest --hint 4.1</code> run
<code>from kit import hint; hint("4.1")</code> in a cell.</li>
</ol>
<h2>Where your files are</h2>
<p>In this browser, on this machine, and nowhere else: they are still here after you close the page, but a private
window or "clear browsing data" takes them away, and another machine does not have them. Download what you want to
keep: right click on a file in the list, then Download.</p>
<p>If a cell runs for ever, reload the page. What was saved stays.</p>
</main>
</body>
</html>
"""


def _section(part: Part) -> str:
    pages = {"the notebook": f"notebooks/index.html?path={part.id}/{part.notebook}.ipynb"}
    pages |= {name: f"edit/index.html?path={part.id}/{name}" for name in part.graded}
    links = "".join(
        f'<li><a class="one" href="{html.escape(to)}">{html.escape(name)}</a></li>' for name, to in pages.items()
    )
    return f"""<section>
<h2>{html.escape(part.heading)}</h2>
<a class="open" href="lab/index.html?path={part.id}/{part.notebook}.ipynb">Open part {part.number}</a>
<p>On a small screen, one thing at a time:</p>
<ul>{links}</ul>
</section>"""
