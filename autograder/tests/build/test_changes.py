"""Releasing again, and the worked solution: told to students, numbered, and nothing of theirs is lost."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from autograder.build.assignment import build, part_files
from autograder.build.changes import changed_since, changelog
from autograder.build.release import LeakError
from autograder.build.solution import release_solution
from autograder.course.manifest import CourseError, load_course
from autograder.tests.build.test_release import everything, let_out
from autograder.tests.build.tiny import announce, edit

CLOSED = datetime(2027, 4, 21, 22, tzinfo=UTC)  # part 2 is due on the 19th, and two days late are taken
TEST = "autograder/suites/part2/test_public.py"


def correct_the_test(built) -> None:
    edit(built, TEST, "counter.step(4) == pytest.approx(7", "counter.step(5) == pytest.approx(8")
    build(built)


def solved(course, **options):
    return release_solution(course, course.part("part2"), **{"now": CLOSED, **options})


def test_students_read_every_release_the_newest_first(course):
    announce(course, 'tests = ["A step of 5\\nis asked for."]\nhandout = ["A word."]')
    announce(course, 'code = ["Hints are shorter."]', number=3)
    text = changelog(course, course.part("part2"))
    assert re.findall(r"^(?:## |- ).*", text, re.MULTILINE) == [
        "## Release 3, 2027-04-13",
        "- `code:` Hints are shorter.",
        "## Release 2, 2027-04-12",
        "- `handout:` A word.",
        "- `tests:` A step of 5 is asked for.",
        "## Release 1",
    ]
    assert part_files(course, course.part("part2"))["CHANGELOG.md"].decode() == text
    assert "## Release 2" not in changelog(course, course.part("part1"))


@pytest.mark.parametrize(
    ("entries", "number", "complaint"),
    [
        ('tests = ["a"]', 3, "release 3 stands where release 2 belongs"),
        ("tests = []", 2, "release 2 says nothing"),
        ('bugs = ["a"]', 2, "bugs: Extra inputs"),
        ('tests = "a"', 2, "tests: Input should be a valid tuple"),
        ("tests = [", 2, "changes.toml: "),
        ('tests = ["a"]\n[[relese]]', 2, "relese is unknown"),
    ],
)
def test_a_wrong_list_of_changes_is_named(course, entries, number, complaint):
    announce(course, entries, number)
    with pytest.raises(CourseError, match=r"^solutions/part2/changes\.toml: ") as caught:
        changelog(course, course.part("part2"))
    assert complaint in str(caught.value)


def test_a_corrected_test_goes_out_under_a_new_number_and_only_when_students_are_told(built):
    first = let_out(built)
    assert (first.number, first.changed, first.update) == (1, (), None)
    before = everything(built.release), (built.root / "gradebook.db").read_bytes()
    correct_the_test(built)
    with pytest.raises(CourseError) as caught:
        let_out(built)
    said = str(caught.value)
    assert said.startswith("part.json, test_public.py differ from release 1 of part2, and nothing tells students")
    assert "number = 2 into solutions/part2/changes.toml" in said
    assert (everything(built.release), (built.root / "gradebook.db").read_bytes()) == before

    announce(built, 'tests = ["The first test took a step of 4 for one of 5."]')
    build(built)
    second = let_out(built)
    assert (second.number, second.changed) == (2, ("CHANGELOG.md", "part.json", "test_public.py"))
    assert sorted(p.name for p in built.release.iterdir()) == ["part2", "part2-update.zip", "part2.zip"]
    assert b"`tests:` The first test took" in (second.folder / "CHANGELOG.md").read_bytes()

    # The update over a student's folder, whatever its name, by the command that the changelog gives.
    mine = built.root / "my part 2"
    mine.mkdir()
    with zipfile.ZipFile(second.archive) as whole:
        whole.extractall(built.root / "elsewhere")
    shutil.copytree(built.root / "elsewhere" / "part2", mine, dirs_exist_ok=True)
    own = {"counter.py": b"# my work\n", "part2.ipynb": b"{}", "notes.txt": b"mine"}
    for name, content in {**own, "test_public.py": b"# the wrong test\n"}.items():
        (mine / name).write_bytes(content)
    shutil.copy(second.update, mine)
    [command] = re.findall(r"^    python (.*)$", (second.folder / "CHANGELOG.md").read_text(), re.MULTILINE)
    subprocess.run([sys.executable, *command.split()], cwd=mine, check=True, timeout=60)
    now = everything(mine)
    assert {name: now[name] for name in own} == own
    handed_out = everything(second.folder)
    assert {name: now[name] for name in handed_out if name not in own} == {
        name: content for name, content in handed_out.items() if name not in own
    }


def test_what_is_told_without_a_change_of_files_may_have_the_same_number_or_the_next():
    before = {"a.py": b"1", "CHANGELOG.md": b"## Release 2, 2027-04-12\n- `tests:` a typo"}
    part = load_course(Path(__file__).parents[3]).part("part2")
    assert changed_since(part, before, dict(before)) == []
    assert changed_since(part, before, before | {"CHANGELOG.md": b"## Release 2, 2027-04-12\n"}) == ["CHANGELOG.md"]
    assert changed_since(part, before, before | {"CHANGELOG.md": b"## Release 3\n"}) == ["CHANGELOG.md"]
    assert changed_since(part, {}, before) == []


def test_a_release_never_goes_back_to_an_older_number(built):
    announce(built, 'handout = ["A word."]')
    build(built)
    let_out(built)
    (built.solutions / "part2" / "changes.toml").unlink()
    build(built)
    with pytest.raises(CourseError, match=r"release 2 of part2 is out already, and .* ends with release 1"):
        let_out(built)


def test_the_worked_solution_waits_until_nothing_more_is_taken(built):
    with pytest.raises(CourseError, match=r"part2 is taken until 2027-04-21 22:00 UTC .* or early on purpose"):
        solved(built, now=CLOSED - timedelta(seconds=1))
    assert not built.release.exists()
    path = built.solutions / "course.toml"
    path.write_text(path.read_text() + '\n[[extension]]\nstudent = "ada"\npart = "part2"\ndays = 1.5\n')
    with pytest.raises(CourseError, match="2027-04-23 10:00 UTC"):
        solved(load_course(built.root))
    assert solved(load_course(built.root), early=True).folder.is_dir()


def test_the_worked_solution_stands_in_a_folder_of_its_own(built):
    let_out(built)
    before = everything(built.release)
    done = solved(built)
    assert done.files == ("CHANGELOG.md", "README.md", "counter.py")
    code = (done.folder / "counter.py").read_text()
    assert "self.past.append(self.count)" in code
    assert "TODO" not in code
    assert "math" not in code  # part 3's
    now = everything(built.release)
    assert {name: now[name] for name in before} == before
    with zipfile.ZipFile(done.archive) as packed:
        assert packed.namelist() == [f"part2-solution/{name}" for name in done.files]
    assert solved(built, dry_run=True).number == 1


@pytest.mark.parametrize(
    ("planted", "what"),
    [
        ("assert counter.step(-23) == pytest.approx(-16, rel=1e-9)", "a hidden test"),
        ("self.count = math.floor(self.count + 0.25)", "the solution of task 3.1"),
        ("every single step leaves its former place behind in a list", "the model answer to why-count"),
    ],
)
def test_no_hidden_test_later_solution_or_model_answer_leaves_with_it(built, planted, what):
    announce(built, f"tests = ['{planted}']")
    with pytest.raises(LeakError, match=rf"part2-solution/CHANGELOG\.md:11: {what}"):
        solved(built)
    assert not built.release.exists()


def test_a_solution_that_changed_after_its_release_needs_an_entry_too(built):
    solved(built)
    edit(built, "solutions/counter.py", "return [self.step(width)", "return list(self.step(width)")
    edit(built, "solutions/counter.py", "in sorted(widths)]", "in sorted(widths))")
    with pytest.raises(CourseError, match=r"counter\.py differs from release 1 of part2"):
        solved(built)
    announce(built, 'code = ["The worked solution of 2.2 makes its list in the open."]')
    assert solved(built).changed == ("CHANGELOG.md", "README.md", "counter.py")


def test_through_nbgrader_s_exchange_a_second_fetch_replaces_nothing_that_is_there(built, tmp_path):
    """What the README says of `nbgrader fetch_assignment --replace`: it brings what was deleted, and only that."""
    from nbgrader.auth import Authenticator
    from nbgrader.coursedir import CourseDirectory
    from nbgrader.exchange.default import ExchangeFetchAssignment, ExchangeReleaseAssignment
    from traitlets.config import Config

    config = Config()
    config.CourseDirectory.root, config.CourseDirectory.course_id = str(built.root), "tiny"
    config.CourseDirectory.assignment_id = "part2"
    config.Exchange.root = str(tmp_path / "exchange")
    (tmp_path / "exchange").mkdir()
    (tmp_path / "exchange").chmod(0o777)
    home = tmp_path / "home"
    home.mkdir()
    config.Exchange.assignment_dir = str(home)

    def hand_out(**options):
        step = ExchangeReleaseAssignment(coursedir=CourseDirectory(config=config), config=config)
        step.force = options.get("force", False)
        step.start()

    def fetch(replace=False):
        step = ExchangeFetchAssignment(CourseDirectory(config=config), Authenticator(config=config), config=config)
        step.replace_missing_files = replace
        step.start()

    let_out(built)
    hand_out()
    fetch()
    mine = home / "part2"
    (mine / "counter.py").write_text("# my work\n")
    correct_the_test(built)
    announce(built, 'tests = ["A step of 5."]')
    build(built)
    let_out(built)
    hand_out(force=True)
    old = (mine / "test_public.py").read_bytes()
    fetch(replace=True)
    assert (mine / "test_public.py").read_bytes() == old
    for name in ("test_public.py", "part.json", "CHANGELOG.md"):
        (mine / name).unlink()
    fetch(replace=True)
    assert (mine / "test_public.py").read_bytes() == (built.release / "part2" / "test_public.py").read_bytes()
    assert (mine / "counter.py").read_text() == "# my work\n"
    assert let_out(built).changed == ()
