"""What a part's README tells students about points agrees with course.toml, which alone decides them."""

import re
from pathlib import Path

import pytest

from autograder.course.manifest import Part, find_root, load_course

COURSE = load_course(find_root(Path(__file__).parent))
WRITTEN = [part for part in COURSE.parts if part.tasks]
ROW = re.compile(r"^\| (?P<what>.+?) \| (?P<points>[\d.]+) \|$", re.MULTILINE)


def readme(part: Part) -> str:
    return (COURSE.solutions / part.id / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("part", WRITTEN, ids=lambda part: part.id)
def test_the_readme_promises_the_points_that_the_manifest_gives(part: Part) -> None:
    promised = [(row["what"], float(row["points"])) for row in ROW.finditer(readme(part))]
    tasks = [(f"{task.id} {task.title}", float(task.points)) for task in part.tasks]
    questions = sum(float(question.points) for question in part.questions)
    assert promised[: len(tasks)] == tasks
    assert sum(points for _, points in promised[len(tasks) :]) == questions


@pytest.mark.parametrize("part", WRITTEN, ids=lambda part: part.id)
def test_the_readme_names_the_public_share(part: Part) -> None:
    assert f"{float(COURSE.public_share):.0%}".replace("%", " %") in readme(part)
