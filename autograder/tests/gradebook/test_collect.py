"""Downloads from an LMS: every file finds its student, or stands on a list with the reason."""

from __future__ import annotations

import re
import zipfile

import pytest
from nbgrader.api import Gradebook
from nbgrader.apps.zipcollectapp import ZipCollectApp
from traitlets.config.loader import Config

from autograder.course.manifest import CourseError, Group, load_course
from autograder.gradebook.collect import Roster, plan
from autograder.gradebook.config import configure

ROSTER = Roster({"4521": "jane", "4522": "omar"}, {"jane doe": ["jane"], "li wei": ["li1", "li2"]})
SHIPPED = {"kit.py", "README.md"}


@pytest.fixture
def part(tiny):
    return tiny.course.part("4")


def planned(part, *paths: str, roster: Roster = ROSTER, groups=()) -> tuple[dict[tuple[str, str], str], dict[str, str]]:
    taken, left = plan(part, paths, roster, SHIPPED, {group.key: group for group in groups})
    return {(found.student, found.file): found.path for found in taken}, left


@pytest.mark.parametrize(
    ("path", "student", "file"),
    [
        ("doejane_4521_998877_value.py", "jane", "value.py"),
        ("doejane_LATE_4521_998877_value.py", "jane", "value.py"),
        ("doejane_4521_998877_value-3.py", "jane", "value.py"),
        ("submissions/doejane_4521_998878_part4.ipynb", "jane", "part4.ipynb"),
        ("doejane_4521_998877_my_part4.zip/part4/value.py", "jane", "value.py"),
        ("doejane_4521_998877_part4/value.py", "jane", "value.py"),
        ("Jane Doe_31337_assignsubmission_file_/value.py", "jane", "value.py"),
        ("Jane Doe_31337_assignsubmission_file/value (1).py", "jane", "value.py"),
        ("C1-Part 4-77/Jane  Doe_31337_assignsubmission_file_value.py", "jane", "value.py"),
        ("Jane Doe_31337_assignsubmission_file_/part4/part4.ipynb", "jane", "part4.ipynb"),
        ("jd12_attempt_2026-10-26-21-59-30/value.py", "jd12", "value.py"),
        ("Part 4_jd12_attempt_2026-10-26-21-59-30_value.py", "jd12", "value.py"),
        ("doejane_4521_998877_homework.ipynb", "jane", "homework.ipynb"),
    ],
)
def test_each_form_of_name_finds_its_student_and_its_file(part, path, student, file):
    assert planned(part, path) == ({(student, file): path}, {})


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("value.py", "says no student"),
        ("essay.pdf", "says no student"),
        ("roejim_9999_998877_value.py", "no student in the gradebook has the lms_user_id 9999 (roejim)"),
        ("Jim Roe_1_assignsubmission_file_/value.py", "no student in the gradebook is called Jim Roe"),
        ("Li Wei_1_assignsubmission_file_/value.py", "Li Wei may be any of li1, li2"),
        ("doejane_4521_998877_Value.txt", "is no file of part4"),
        ("doejane_4521_998877_values.py", "is no file of part4"),
    ],
)
def test_a_file_that_cannot_be_assigned_is_listed_with_the_reason(part, path, reason):
    taken, left = planned(part, path)
    assert not taken
    assert reason in left[path]


def test_of_several_attempts_the_newest_file_of_each_name_counts_and_the_others_are_listed(part):
    old, new = "jd_attempt_2026-10-25-08-00-00/", "jd_attempt_2026-10-26-21-59-30/"
    taken, left = planned(part, f"{new}value.py", f"{old}value.py", f"{old}part4.ipynb")
    assert taken == {("jd", "value.py"): f"{new}value.py", ("jd", "part4.ipynb"): f"{old}part4.ipynb"}
    assert left == {f"{old}value.py": f"an older attempt; {new}value.py is newer"}


def test_canvas_numbers_a_file_that_is_sent_again_beyond_nine(part):
    names = [f"doejane_4521_{at}_value{suffix}.py" for at, suffix in ((7, ""), (8, "-2"), (9, "-10"))]
    taken, left = planned(part, *names)
    assert taken == {("jane", "value.py"): names[2]}
    assert set(left) == set(names[:2])


def test_two_files_of_which_none_is_newer_are_not_decided_silently(part):
    taken, left = planned(part, "doejane_4521_1_a/value.py", "doejane_4521_1_b/value.py")
    assert len(taken) == 1
    assert "no way to tell which is newer" in left["doejane_4521_1_b/value.py"]


def test_files_of_the_handout_and_of_the_machine_are_left_without_a_word(part):
    noise = ("__MACOSX/doejane_4521_1_p/._value.py", "doejane_4521_1_p/__pycache__/value.pyc", "x/.DS_Store")
    assert planned(part, "doejane_4521_2_kit.py", "doejane_4521_1_p/README.md", *noise) == ({}, {})


def test_without_an_import_of_students_the_lms_number_tells_them_apart(part):
    names = ("doejane_4521_1_value.py", "doejane_4522_2_value.py", "Jane Doe_7_assignsubmission_file_/value.py")
    taken, left = planned(part, *names, roster=Roster())
    assert {student for student, _ in taken} == {"4521", "4522", "Jane Doe 7"}
    assert not left


def test_a_name_that_is_a_pattern_for_nbgrader_is_listed(part):
    _, left = planned(part, "J*ne_7_assignsubmission_file_/value.py", roster=Roster())
    assert "pattern" in next(iter(left.values()))


PAIR = Group(name="Group_3 (late)", students=("jane", "omar"))
OTHERS = Group(name="Group", students=("li1", "li2"))
CLASS = Roster(
    {"4521": "jane", "4522": "omar", "4523": "li1"},
    {"jane doe": ["jane"], "omar anne-marie": ["omar"], "marie": ["li1"], "li wei": ["li2"]},
    frozenset({"jane", "omar", "li1", "li2"}),
)


@pytest.mark.parametrize(
    "path",
    [
        "group_3late_4521_998877_value.py",  # Canvas: the number is one member's
        "group_3late_LATE_4522_998877_value-1.py",
        "group_3late_4522_998877_work.zip/part4/value.py",
        "Group 3 (late)_17_assignsubmission_file_/value.py",  # Moodle 4: the number is the group's
        "C1-Part 4-77/Group 3 late_17_assignsubmission_file_value.py",
        "group3late_attempt_2026-10-26-21-59-30/value.py",
    ],
)
def test_a_groups_file_is_every_members(part, path):
    groups = [OTHERS, PAIR]
    expected = {("jane", "value.py"): path, ("omar", "value.py"): path}
    assert planned(part, path, roster=CLASS, groups=groups) == (expected, {})
    assert planned(part, path, roster=Roster(), groups=groups) == (expected, {})


@pytest.mark.parametrize(
    ("path", "student"),
    [
        ("Group 3-Jane Doe_31337_assignsubmission_file_/value.py", "jane"),  # Moodle before 4: a copy for each member
        ("doejane_4521_998877_value.py", "jane"),
        ("Jane Doe_31337_assignsubmission_file_/value.py", "jane"),
        ("jane_attempt_2026-10-26-21-59-30/value.py", "jane"),
    ],
)
def test_a_members_own_file_stays_that_members(part, path, student):
    assert planned(part, path, roster=CLASS, groups=[PAIR]) == ({(student, "value.py"): path}, {})


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("teamx_4521_998877_value.py", "teamx is no group in course.toml, and not the name of jane (4521)"),
        ("group_3late_4523_998877_value.py", "the lms_user_id 4523 is no student's of the group Group_3 (late)"),
        ("Group 9_17_assignsubmission_file_/value.py", "is called Group 9, and no group in course.toml"),
        ("Default group_assignsubmission_file_/value.py", "is called Default group, and no group"),
        ("Group-Omar Anne-Marie_5_assignsubmission_file_/value.py", "may be any of omar, li1"),
        ("typo_4521_998877_value.py", "course.toml has jnae in the group Typo, who is not in the gradebook"),
    ],
)
def test_a_groups_file_that_cannot_be_assigned_is_listed_with_the_reason(part, path, reason):
    groups = [PAIR, Group(name="Typo", students=("jane", "jnae"))]
    taken, left = planned(part, path, roster=CLASS, groups=groups)
    assert not taken
    assert reason in left[path]


def test_a_group_that_sends_again_has_the_newer_file_for_each_member(part):
    old, new = "group_3late_4521_7_value.py", "group_3late_4521_8_value-1.py"
    taken, left = planned(part, old, new, roster=CLASS, groups=[PAIR])
    assert taken == {("jane", "value.py"): new, ("omar", "value.py"): new}
    assert left == {old: f"an older attempt; {new} is newer"}


@pytest.mark.parametrize(
    ("groups", "says"),
    [
        ([("A", ["jane"], None), ("B", ["omar", "jane"], "part4")], "jane stands in two groups of part4"),
        ([("Group A", ["jane"], None), ("group_a", ["omar"], None)], "two groups whose names are the same"),
        ([("A", ["jane"], "part77")], "the group A is for part77, which is no part"),
        ([("(-)", ["jane"], None)], "has no letter and no digit"),
    ],
)
def test_groups_that_contradict_each_other_are_refused_with_the_manifest(tiny, groups, says):
    path = tiny.root / "solutions" / "course.toml"
    for name, students, part in groups:
        extra = f'part = "{part}"\n' if part else ""
        path.write_text(f'{path.read_text()}\n[[group]]\nname = "{name}"\nstudents = {students}\n{extra}')
    with pytest.raises(CourseError, match=re.escape(says)):
        load_course(tiny.root)


def collect(tiny) -> None:
    config = Config()
    configure(config, tiny.root)
    config.CourseDirectory.assignment_id = "part4"
    ZipCollectApp.clear_instance()
    app = ZipCollectApp.instance(config=config)
    try:
        app.init_syspath = lambda: None
        app.initialize([])
        app.start()
    finally:
        ZipCollectApp.clear_instance()


def test_zip_collect_puts_a_groups_files_into_the_folder_of_each_member(tiny):
    manifest = tiny.root / "solutions" / "course.toml"
    manifest.write_text(f'{manifest.read_text()}\n[[group]]\nname = "Team B"\nstudents = ["jane", "omar", "lea"]\n')
    archive = tiny.root / "downloaded" / "part4" / "archive"
    archive.mkdir(parents=True)
    notebook = (tiny.root / "release" / "part4" / "part4.ipynb").read_text()
    with zipfile.ZipFile(archive / "C1-Part 4-77.zip", "w") as bundle:
        bundle.writestr("Team B_17_assignsubmission_file_/value.py", "# earns 4.1=2")
        bundle.writestr("Team B_17_assignsubmission_file_/part4.ipynb", notebook)
        bundle.writestr("Team C_18_assignsubmission_file_/value.py", "# whose is that")
        bundle.writestr("Kim Roe_19_assignsubmission_file_/value.py", "# earns 4.1=1")
    with Gradebook(tiny.api.coursedir.db_url, "micrograder") as gradebook:
        for student, first in (("jane", "Jane"), ("omar", "Omar"), ("lea", "Lea"), ("kim", "Kim")):
            gradebook.update_or_create_student(student, first_name=first, last_name="Roe")
    collect(tiny)
    submitted = tiny.root / "submitted"
    files = {p.relative_to(submitted).as_posix(): p.read_text() for p in submitted.rglob("value.py")}
    team = {f"{student}/part4/value.py": "# earns 4.1=2" for student in ("jane", "omar", "lea")}
    assert files == {**team, "kim/part4/value.py": "# earns 4.1=1"}
    assert {path.parts[-3] for path in submitted.rglob("part4.ipynb")} == {"jane", "omar", "lea"}
    listed = (tiny.root / "downloaded" / "part4" / "not_collected.txt").read_text().splitlines()
    assert ["Team C, and no group in course.toml" in line for line in listed] == [True]


def test_zip_collect_brings_python_files_and_notebooks_into_submitted_and_lists_the_rest(tiny):
    archive = tiny.root / "downloaded" / "part4" / "archive"
    archive.mkdir(parents=True)
    notebook = (tiny.root / "release" / "part4" / "part4.ipynb").read_text()
    with zipfile.ZipFile(archive / "submissions.zip", "w") as bundle:
        bundle.writestr("doejane_4521_1_value.py", "# first")
        bundle.writestr("doejane_4521_2_value-1.py", "# earns 4.1=2")
        bundle.writestr("doejane_4521_3_part4-1.ipynb", notebook)
        bundle.writestr("roejim_4999_4_value.py", "# who is that")
    with zipfile.ZipFile(archive / "late.zip", "w") as bundle:
        bundle.writestr("omar_attempt_2027-05-04-01-30-00/value.py", "# earns 4.1=1")
    with Gradebook(tiny.api.coursedir.db_url, "micrograder") as gradebook:
        gradebook.update_or_create_student("jane", first_name="Jane", last_name="Doe", lms_user_id="4521")
    collect(tiny)
    submitted = tiny.root / "submitted"
    assert {path.name for path in submitted.iterdir()} == {"jane", "omar"}
    assert (submitted / "jane" / "part4" / "value.py").read_text() == "# earns 4.1=2"
    assert (submitted / "jane" / "part4" / "part4.ipynb").is_file()
    assert "2027-05-04 01:30:00" in (submitted / "omar" / "part4" / "timestamp.txt").read_text()
    listed = (tiny.root / "downloaded" / "part4" / "not_collected.txt").read_text().splitlines()
    assert [line.partition(": ")[0].rpartition("/")[2] for line in listed] == [
        "doejane_4521_1_value.py",
        "roejim_4999_4_value.py",
    ]
    assert tiny.grade()["success"]
    assert tiny.row("jane")["task-4-1"] == (2.0, False)
