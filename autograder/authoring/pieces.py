"""The texts of a task's skeleton, each at its place in its file. Nothing is read or written here.

A function here takes a file's text, or None where there is no file yet, and returns it with the task's piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.build.placeholders import is_unwritten, placeholder
from autograder.build.readme import POINTS, SHARE
from autograder.course import Course, Part

WIDTH = 116
# What the skeleton's code returns and its tests ask for, so that all but the placeholders is in order.
RESULT = '"PLACEHOLDER"'


@dataclass(frozen=True)
class Place:
    """A task to be added: where it goes and what it is called. `method`: it is one of the class Value."""

    course: Course
    part: Part
    task: str
    title: str
    file: str
    name: str
    method: bool

    def lacks(self, what: str) -> str:
        """A placeholder of this task."""
        return placeholder(self.task, what)

    def solution(self, text: str | None) -> str:
        """The reference: a function whose body is the task's region, with its stub."""
        if text is None:
            text = f'"""{self.lacks("what this file is for, in a sentence")}"""\n'
        code = [
            f"def {self.name}({'self' if self.method else ''}):",
            f'    """{self.lacks("what goes in, what comes out, and what is left to the student")}"""',
            f"    #: task {self.task}",
            f"    return {RESULT}  # {self.lacks('the finished code')}",
            "    #: stub",
            f"    #:| # TODO {self.task}: {self.lacks('what to do, in a sentence')}",
            f'    #:| raise NotImplementedError("TODO {self.task}: {self.lacks("what is missing, in a few words")}")',
            "    #: end",
        ]
        if any(
            self.file in {**part.graded, **part.given} for part in self.course.parts if part.number < self.part.number
        ):
            code = [f"#: part {self.part.number}", *code, "#: end"]
        indent = " " * 4 if self.method else ""
        return text.rstrip("\n") + ("\n\n" if self.method else "\n\n\n") + _lines(indent + line for line in code)

    def hints(self, text: str | None) -> str:
        """Three hints."""
        text = text or "# Three hints per task: a question, a pointer, nearly the step. None of them is code.\n"
        hints = [
            self.lacks("hint 1, a question that leads to the idea"),
            self.lacks("hint 2, where to look, and what to think of there"),
            self.lacks("hint 3, nearly the step, in words and not in code"),
        ]
        lines = [f'["{self.task}"]', "hints = [", *(f'    """{hint}""",' for hint in hints), "]"]
        return text.rstrip("\n") + "\n\n" + _lines(lines)

    def notebook(self, text: str | None) -> str:
        """A section with the check cell, after that of the part's last task."""
        if text is None:
            what = self.lacks("what this part is about, and how to work in it")
            text = f"# %% [markdown]\n# # {self.part.heading}\n#\n# {what}\n\n# %%\nfrom kit import check\n"
        heading = f"{self.title[0].upper()}{self.title[1:]} (task {self.task})"
        if is_unwritten(self.title):
            heading = self.lacks("the heading of its section")
        section = [
            "# %% [markdown]",
            f"# ## {heading}",
            "#",
            f"# {self.lacks('what to know before the task, and what to write where')}",
            "",
            f'# %% task="{self.task}"',
            f'check("{self.task}")',
        ]
        lines = text.rstrip("\n").split("\n")
        cells = [n for n, line in enumerate(lines) if re.match(r"# ?%%", line)]
        last = max((n for n in cells if ' task="' in lines[n]), default=len(lines))
        after = next((n for n in cells if n > last), None)
        if after is None:
            return _lines([*lines, "", *section])
        return _lines([*lines[:after], *section, "", *lines[after:]])

    def readme(self, text: str | None) -> str:
        """What is demanded, after what the part's other tasks demand; the table of points is made by the build."""
        if text is None:
            text = (
                _lines(
                    [
                        f"# {self.part.heading}",
                        "",
                        self.lacks("what the part is about, what is needed, what to do, as the other parts say it"),
                        "",
                        "## How it is marked",
                        "",
                        "| task or written question | points |",
                        "|---|---|",
                        POINTS,
                        "",
                        f"For each task, the tests in this folder (the public ones) decide {SHARE} of the points,",
                        "and hidden tests the rest.",
                        "",
                        "## What is demanded",
                    ]
                )
                + "\n"
            )
        demand = f"- **{self.task}** {self.lacks('what its tests ask for, and all that they ask for')}"
        lines = text.rstrip("\n").split("\n")
        bullets = [n for n, line in enumerate(lines) if re.match(rf"- \*\*{self.part.number}\.\d", line)]
        if not bullets:
            return _lines([*lines, "", demand])
        end = next((n for n in range(bullets[-1] + 1, len(lines)) if not lines[n].startswith("  ")), len(lines))
        return _lines([*lines[:end], demand, *lines[end:]])

    def public_test(self, text: str | None) -> str:
        """A test for students, which the skeleton's reference passes."""
        text = text or f'"""Part {self.part.number}, the public tests."""\n\nimport pytest\n'
        what = "public tests, each with a line here that says what it computes"
        return self._with_test(text, f"test_of_{self._underscored}_in_public_is_a_placeholder", what)

    def hidden_test(self, text: str | None) -> str:
        """A hidden test, which the skeleton's reference passes."""
        text = (
            text or f'"""Part {self.part.number}, the hidden tests: other numbers, and the edges."""\n\nimport pytest\n'
        )
        what = "hidden tests, with other numbers; their names are all that students read"
        return self._with_test(text, f"test_of_{self._underscored}_in_hidden_is_a_placeholder", what)

    @property
    def _underscored(self) -> str:
        return self.task.replace(".", "_")

    def _with_test(self, text: str, name: str, what: str) -> str:
        fixture = "Value" if self.method else self.file.removesuffix(".py")
        call = f"Value(2.0).{self.name}()" if self.method else f"{fixture}.{self.name}()"
        lines = [
            f"# ---- {self.task} ".ljust(WIDTH, "-"),
            "",
            "",
            f'@pytest.mark.task("{self.task}")',
            f"def {name}({fixture}):",
            f'    """{self.lacks(what)}"""',
            f"    assert {call} == {RESULT}",
        ]
        return text.rstrip("\n") + "\n\n\n" + _lines(lines)


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"
