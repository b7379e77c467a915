"""The class report: one HTML file that asks no other host for anything and holds no script.

Every text that came out of a submission is escaped by the template; a policy in the page forbids whatever might slip.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from autograder.course.manifest import Course, Part
from autograder.gradebook.rows import Row, read_rows
from autograder.gradebook.verdicts import load_verdicts
from autograder.judge.safe_text import plain
from autograder.judge.verdict import Flag
from autograder.reports import charts
from autograder.reports.facts import FEWEST, NEARLY, Facts, facts


@dataclass(frozen=True)
class PartPage:
    """One part as the template sees it: the verdicts' facts, and the gradebook's rows."""

    part: Part
    facts: Facts
    rows: tuple[Row, ...]
    window: timedelta
    anonymous: bool
    named: Callable[[str], str]

    @property
    def maximum(self) -> float:
        """The points that the judge can give."""
        return float(self.part.points)

    @property
    def median(self) -> float:
        """Of the points in the tasks; 0 without verdicts."""
        return statistics.median(self.facts.scores) if self.facts.scores else 0.0

    @property
    def mean(self) -> float:
        """Of the points in the tasks; 0 without verdicts."""
        return statistics.fmean(self.facts.scores) if self.facts.scores else 0.0

    @property
    def all_right(self) -> int:
        """How many have all points of all tasks."""
        return sum(score >= self.maximum - NEARLY for score in self.facts.scores)

    @property
    def late(self) -> list[Row]:
        """Those who handed in late, the latest first."""
        return sorted((row for row in self.rows if row.late), key=lambda row: (-(row.late or timedelta()), row.student))

    @property
    def no_time(self) -> int:
        """Submissions that came without a time."""
        return sum(row.handed_in and row.late is None for row in self.rows)

    @property
    def waiting(self) -> int:
        """Students with a written answer that nobody has marked yet."""
        return sum(row.handed_in and bool(row.waits) for row in self.rows)

    @property
    def ungraded(self) -> list[str]:
        """Those who handed in and have no verdict."""
        return [
            self.named(row.student) for row in self.rows if row.handed_in and row.student not in self.facts.verdicts
        ]

    @property
    def absent(self) -> list[str]:
        """Those in the gradebook who handed nothing in."""
        gone = [row for row in self.rows if not row.handed_in and row.student not in self.facts.verdicts]
        return [self.named(row.student) for row in gone]

    @property
    def flags(self) -> list[tuple[str, Flag]]:
        """Every flag with its student, the same flags together."""
        found = [(student, flag) for student, verdict in self.facts.verdicts.items() for flag in verdict.flags]
        return sorted(found, key=lambda pair: (pair[1].id, pair[0]))

    @property
    def stopped(self) -> list[tuple[str, str]]:
        """Submissions of which nothing could be used, and why; the reason may quote them, so no names, no reason."""
        shown = "left out" if self.anonymous else ""
        return [(student, shown or v.problem) for student, v in self.facts.verdicts.items() if v.problem]

    @property
    def histogram(self) -> charts.Histogram:
        """The chart of the scores."""
        return charts.histogram(self.facts.scores, self.maximum)

    @property
    def tasks(self) -> charts.Rows:
        """The chart of the tasks."""
        return charts.task_bars(self.facts.tasks, self.facts.judged)

    @property
    def beliefs(self) -> charts.Rows:
        """The chart of the misconceptions."""
        return charts.belief_bars(self.facts)

    @property
    def grid(self) -> charts.Grid:
        """The chart of the tasks failed together."""
        return charts.grid(self.facts)


def report(course: Course, parts: Sequence[Part], *, anonymous: bool = False, now: datetime | None = None) -> str:
    """The report on `parts` as an HTML document. Raises CourseError when nbgrader_config.py is broken."""
    rows = {part.id: read_rows(course, part) for part in parts}
    verdicts = {part.id: load_verdicts(course, part.id) for part in parts}
    everybody = {row.student for own in rows.values() for row in own} | {
        name for own in verdicts.values() for name in own
    }
    named = _aliases(everybody) if anonymous else _own_name
    pages = [
        PartPage(
            part=part,
            facts=facts(part, verdicts[part.id]),
            rows=tuple(rows[part.id]),
            window=timedelta(days=course.late_window_days),
            anonymous=anonymous,
            named=named,
        )
        for part in parts
    ]
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "points": charts.number,
        "share": _share,
        "correlation": _correlation,
        "span": _span,
        "named": named,
        "spaced": _spaced,
    }
    return environment.get_template("report.jinja").render(
        title=course.title,
        made=(now or datetime.now(UTC)).strftime("%Y-%m-%d %H:%M UTC"),
        anonymous=anonymous,
        parts=pages,
        width=charts.WIDTH,
        fewest=FEWEST,
    )


def write_report(course: Course, parts: Sequence[Part], *, anonymous: bool = False, out: Path | None = None) -> Path:
    """Write the report to `out`, or to reports/PARTS.html in the course, and return where it is."""
    name = "-".join(part.id for part in parts) + ("-anonymous" if anonymous else "")
    path = out or course.root / "reports" / f"{name}.html"
    page = report(course, parts, anonymous=anonymous)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page, encoding="utf-8")
    return path


def _own_name(student: str) -> str:
    return plain(student, 100)


def _aliases(students: set[str]) -> Callable[[str], str]:
    """Numbers in place of names, drawn anew for each report, so that neither order nor an older report tells who."""
    order = sorted(students)
    random.SystemRandom().shuffle(order)
    width = len(str(len(order)))
    numbers = {student: f"student {at:0{width}d}" for at, student in enumerate(order, 1)}
    return numbers.__getitem__


def _share(count: int, of: int) -> str:
    return f"{100 * count / of:.0f} %" if of else "–"


def _correlation(value: float | None) -> str:
    return "–" if value is None else f"{value:+.2f}".replace("-", "−")


def _span(late: timedelta) -> str:
    minutes = max(1, int(late.total_seconds() // 60))
    days, hours = divmod(minutes // 60, 24)
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes % 60} min" if hours else f"{minutes} min"


def _spaced(name: str) -> Markup:
    """A test's name that a narrow screen may break after each word."""
    return Markup("<wbr>_").join(escape(word) for word in name.split("_"))
