"""A row of the gate's report."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Row:
    """One thing that was held against the suites: how many there were, and a sentence for each that broke the rule.

    `note` says more about a row that holds, in a few words.
    """

    what: str
    held: int = 0
    breaches: list[str] = field(default_factory=list)
    note: str = ""
