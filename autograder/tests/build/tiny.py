"""A tiny course: two written parts, an announced one, and secrets that are easy to recognise."""

from __future__ import annotations

from autograder.course.manifest import Course

FILES = {
    "solutions/course.toml": """\
title = "A tiny course"
late_window_days = 2
[[part]]
id = "part1"
title = "Counting"
due = 2027-04-12T22:00:00Z
graded = { "counter.py" = ["Counter"] }
[[part.task]]
id = "1.1"
title = "the start"
points = 1
[[part]]
id = "part2"
title = "Stepping"
due = 2027-04-19T22:00:00Z
graded = { "counter.py" = ["Counter"] }
[[part.task]]
id = "2.1"
title = "one step"
points = 2
[[part.task]]
id = "2.2"
title = "many steps"
points = 2.5
[[part.question]]
id = "why-count"
title = "Why a counter never forgets"
points = 3
[[part]]
id = "part3"
title = "Announced"
due = 2027-04-26T22:00:00Z
""",
    "nbgrader_config.py": """\
from nbgrader.preprocessors import CheckCellMetadata, ClearOutput, ComputeChecksums, LockCells, SaveCells

c = get_config()
c.GenerateAssignment.preprocessors = [LockCells, ClearOutput, CheckCellMetadata, ComputeChecksums, SaveCells]
""",
    "solutions/counter.py": '''\
"""A counter that remembers where it has been."""

#: part 3
import math

#: end


class Counter:
    """Counts from a start."""

    #: task 1.1
    def __init__(self, start):
        self.count = start
        self.past = []

    #: stub
    #:| def __init__(self, start):
    #:|     # TODO 1.1: remember the start.
    #:|     raise NotImplementedError("TODO 1.1: the start")
    #: end

    #: part 2
    def step(self, width):
        """Go on by `width` and return where that leads."""
        #: end
        #: task 2.1
        self.past.append(self.count)
        self.count += width * self.direction(width)
        #: stub
        #:| # TODO 2.1: go on by width.
        #:|
        #:| raise NotImplementedError("TODO 2.1: one step")
        #: end
        #: task 3.1
        self.count = math.floor(self.count + 0.25)
        #: end
        #: part 2
        return self.count

    def direction(self, width):
        """Always forward."""
        return 1

    #: end
    #: part 2
    def walk(self, widths):
        """Step by each of the widths."""
        #: end
        #: task 2.2
        return [self.step(width) for width in sorted(widths)]

        #: stub
        #:| # TODO 2.2: take every step.
        #:| raise NotImplementedError("TODO 2.2: many steps")
        #: end
''',
    "solutions/part1/README.md": "# Counting\n",
    "solutions/part1/hints.toml": '["1.1"]\nhints = ["Where?", "In an attribute.", "One line."]\n',
    "solutions/part1/part1.py": '# %% task="1.1"\ncheck("1.1")\n',
    "solutions/part2/README.md": "# Stepping\n\nStep, then walk.\n",
    "solutions/part2/hints.toml": """\
["2.1"]
hints = ["Where are you?", "Where were you?", "Remember first, then go."]
["2.2"]
hints = ["How many?", "In which order?", "A list of what step returns."]
""",
    "solutions/part2/part2.py": """\
# %% [markdown]
# # Stepping
# A word with an umlaut: Zähler.

# %%
from counter import Counter

# %% task="2.1"
check("2.1")

# %% task="2.2"
check("2.2")

# %% [markdown]
# ## Why does a counter never forget?

# %% [markdown] question="why-count"
# Your answer goes here.

# %% [markdown] answer="why-count"
# Because every single step leaves its former place behind in a list, and nobody ever empties that list again.
""",
    "autograder/suites/part1/test_public.py": "def test_start(Counter):\n    assert Counter(3).count == 3\n",
    "autograder/suites/part2/test_public.py": '''\
import pytest


@pytest.mark.task("2.1")
def test_a_step_leads_on(Counter):
    """Counter(3).step(4)"""
    counter = Counter(3)
    assert counter.step(4) == pytest.approx(7, rel=1e-9)
''',
    "autograder/suites/part2/test_hidden.py": '''\
import pytest

LADDER = [(2, 19), (23, 42), (71, 113), (5, 118)]


@pytest.mark.task("2.1")
def test_a_negative_step_leads_back(Counter):
    """Counter(11).step(-23), and then the length of its past"""
    counter = Counter(3)
    assert counter.step(4) == pytest.approx(7, rel=1e-9)
    assert counter.step(-23) == pytest.approx(-16, rel=1e-9)
    assert counter.count == -16
''',
    "autograder/student/__init__.py": '"""Not for students."""\n',
    "autograder/student/kit.py": '"""The kit."""\n\n\ndef check(task):\n    return task\n',
    "autograder/student/kitlib/__init__.py": '"""What the kit is made of."""\n',
    "autograder/student/conftest.py": '"""Fixtures."""\n',
}


def edit(course: Course, name: str, old: str, new: str) -> None:
    """Replace `old`, which has to be there, in one of the course's files."""
    path = course.root / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def announce(course: Course, entries: str, number: int = 2) -> None:
    """Write what a newer release of part 2 changes, as TOML, into its changes.toml."""
    path = course.solutions / "part2" / "changes.toml"
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    path.write_text(f"{before}[[release]]\nnumber = {number}\ndate = 2027-04-1{number}\n{entries}\n", encoding="utf-8")
