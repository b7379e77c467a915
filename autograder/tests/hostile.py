"""A submission that tries to act on every page that shows it: by its code, its messages, its answers, its cells."""

from __future__ import annotations

import json
from pathlib import Path

ELSEWHERE = "http://elsewhere.invalid/"
ACTS = (
    f"<script>fetch('{ELSEWHERE}script'); alert('script')</script>",
    f"<img src='{ELSEWHERE}picture' onerror=\"alert('picture')\">",
    f"<iframe src='{ELSEWHERE}frame'></iframe>",
    f"<style>@import '{ELSEWHERE}style';</style>",
    f"</code></pre></td></table><script>alert('closed')</script><link rel=stylesheet href='{ELSEWHERE}link'>",
    f"![a picture]({ELSEWHERE}markdown)",
    "<svg onload=\"alert('svg')\"></svg>",
    "[a link](javascript:alert('link'))",
    "```mermaid\n<script>alert('mermaid')</script>\n```",
    f"<meta http-equiv=refresh content='0; url={ELSEWHERE}refresh'>",
)
SHOWN = ("alert('closed')", "alert('svg')", "alert('mermaid')", f"{ELSEWHERE}refresh")  # as text, on every page


def make_hostile(folder: Path, notebook: str = "part4.ipynb") -> None:
    """Change the submission in `folder`: value.py raises and holds what acts, the notebook's answers and cells do."""
    code = "".join(f"# {line}\n" for act in ACTS for line in act.splitlines())
    code += f"raise ValueError({ACTS[0]!r})\n"
    (folder / "value.py").write_text((folder / "value.py").read_text() + code)
    document = json.loads((folder / notebook).read_text())
    for cell in list(document["cells"]):
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = "\n\n".join(ACTS)
    for act in ACTS:
        document["cells"] += [
            {"cell_type": "markdown", "metadata": {}, "source": act},
            {"cell_type": "raw", "metadata": {"raw_mimetype": "text/html"}, "source": act},
            {"cell_type": "code", "metadata": {}, "source": act, "outputs": [], "execution_count": None},
        ]
    (folder / notebook).write_text(json.dumps(document))
