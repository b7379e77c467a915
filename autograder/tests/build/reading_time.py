"""How long a part takes somebody who reads it from the top and does everything: an estimate in minutes, by counting.

No measurement of people stands behind the rates below; they are what makes parts comparable and growth visible. Counted
is what a part asks of everybody: its README, its notebook up to the sections for looking things up or for those who
have more time, its tasks and its written questions.
"""

from __future__ import annotations

import difflib
import json
import re
from dataclasses import dataclass

from autograder.build.assignment import part_files
from autograder.course.code import worked_solution
from autograder.course.manifest import Course, Part

WORDS = 200  # a minute, technical prose
CODE_LINES = 25  # a minute, to read somebody else's
RUN = 10 / 60  # minutes to run a code cell and look at what it says
PREDICTION = 0.5  # minutes to think before a cell with a predict()
TASK = 2.0  # minutes to find the place, save, check, and read what the check says
OWN_LINE = 0.6  # minutes for each line that the reference writes in the place of the stub
QUESTION = 2.0  # minutes to think about a written question
SENTENCE = 0.6  # minutes to write each sentence of the answer, of as many as the question asks for at most

NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()
ASKED = re.compile(rf"\b({'|'.join(NUMBERS)})\s+sentences")
BEYOND = ("## Where people get stuck", "## If you have more time", "## Go deeper")


@dataclass(frozen=True)
class Reading:
    """What is counted in one part, and the minutes that it comes to."""

    words: int
    code_lines: int
    code_cells: int
    predictions: int
    tasks: int
    own_lines: int
    questions: int
    sentences: int

    @property
    def minutes(self) -> float:
        """All of it, one thing after the other."""
        return (
            self.words / WORDS
            + self.code_lines / CODE_LINES
            + self.code_cells * RUN
            + self.predictions * PREDICTION
            + self.tasks * TASK
            + self.own_lines * OWN_LINE
            + self.questions * QUESTION
            + self.sentences * SENTENCE
        )


def reading(course: Course, part: Part) -> Reading:
    """Count what `part` asks of everybody, from the files that students get."""
    files = part_files(course, part)
    words = _words(files["README.md"].decode())
    code_lines = code_cells = predictions = sentences = 0
    for cell in json.loads(files[f"{part.notebook}.ipynb"])["cells"]:
        text = "".join(cell["source"])
        if text.startswith(BEYOND):
            break
        if cell["cell_type"] == "markdown":
            words += _words(text)
            sentences += sum(1 + NUMBERS.index(found) for found in ASKED.findall(text.lower()))
        else:
            code_cells += 1
            code_lines += sum(
                1 for line in text.splitlines() if line.strip() and not line.startswith(("import ", "from "))
            )
            predictions += "guess = predict(" in text
    return Reading(
        words=words,
        code_lines=code_lines,
        code_cells=code_cells,
        predictions=predictions,
        tasks=len(part.tasks),
        own_lines=_own_lines(files, worked_solution(course, part)),
        questions=len(part.questions),
        sentences=sentences,
    )


def _words(text: str) -> int:
    """How many words there are; the bars of a table and lone signs are none."""
    return sum(any(letter.isalnum() for letter in word) for word in text.split())


def _own_lines(stubs: dict[str, bytes], worked: dict[str, bytes]) -> int:
    """How many lines of code the worked solution has that the stub does not have."""
    count = 0
    for name, content in worked.items():
        before, after = stubs[name].decode().splitlines(), content.decode().splitlines()
        for line in difflib.ndiff(before, after):
            count += line.startswith("+ ") and bool(line[2:].strip()) and not line[2:].strip().startswith("#")
    return count
