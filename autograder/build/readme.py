"""A part's README: what solutions/partN/README.md says, with the points that course.toml gives.

Two marks stand in the text in place of numbers: a line `<!-- points -->` as the body of the table of points, and
`<!-- public share -->` in a sentence. All else is copied as it is written, in whatever language.
"""

from __future__ import annotations

from autograder.course.manifest import Part

POINTS = "<!-- points -->"
SHARE = "<!-- public share -->"


def with_points(text: str, part: Part) -> str:
    """The README's text with its marks filled in; a text without marks comes back as it is."""
    table = "\n".join(f"| {each.label.replace('|', chr(92) + '|')} | {float(each.points):g} |" for each in part.counted)
    return text.replace(POINTS, table).replace(SHARE, f"{float(part.public_share * 100):g} %")
