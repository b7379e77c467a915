"""Where students are sent to read again, there is something to read: banks and hints name sections that exist."""

import re
import tomllib
from pathlib import Path

import pytest

from autograder.course.manifest import Part, find_root, load_course
from autograder.course.notebook_text import source_path

COURSE = load_course(find_root(Path(__file__).parent))
BANKS = Path(__file__).parents[2] / "misconceptions"
REREAD = re.compile(r'part (?P<part>\d+), section (?P<section>\d+), "(?P<title>[^"]+)"')
HEADING = re.compile(r"^# (?P<level>##+) (?:(?P<section>\d+)\. )?(?P<title>.+?)(?: \(tasks? .*\))?$", re.MULTILINE)
BANKED = [part for part in COURSE.written_parts if (BANKS / f"{part.id}.toml").is_file()]


def headings(part: Part) -> set[tuple[int, str]]:
    """(number of the section, title) of each section of the part's notebook, and of each heading within one."""
    found, section = set(), 0
    for heading in HEADING.finditer(source_path(COURSE, part).read_text(encoding="utf-8")):
        if heading["level"] == "##":
            section = int(heading["section"] or 0)
        found.add((section, heading["title"]))
    return found


@pytest.mark.parametrize("part", BANKED, ids=lambda part: part.id)
def test_every_mistake_names_a_section_of_a_notebook(part: Part) -> None:
    bank = tomllib.loads((BANKS / f"{part.id}.toml").read_text(encoding="utf-8"))
    for entry in bank["misconception"]:
        named = REREAD.search(entry["reread"])
        assert named, entry["reread"]
        assert (int(named["section"]), named["title"]) in headings(COURSE.part(f"part{named['part']}")), entry["reread"]


@pytest.mark.parametrize("part", COURSE.written_parts, ids=lambda part: part.id)
def test_every_section_that_the_part_itself_points_at_is_there(part: Part) -> None:
    folder = source_path(COURSE, part).parent
    numbers = {section for section, _ in headings(part)}
    for path in (*folder.glob("*.toml"), *folder.glob("*.md"), *folder.glob("*.py")):
        for said in re.finditer(r"[Ss]ections? (?P<section>\d+)(?! of part)", path.read_text(encoding="utf-8")):
            assert int(said["section"]) in numbers, f"{path.name}: {said[0]}"
