"""The bank as it stands: it can be read, it fits the worked solution, and its fingerprints are of today."""

from pathlib import Path
from typing import Any

import pytest

from autograder.course import CourseError, find_root, load_course
from autograder.course.regions import solution_file
from autograder.judge import judge as judging
from autograder.misconceptions.bank import FOLDER, Workshop, load_bank, patched
from autograder.misconceptions.constants import with_constant
from autograder.misconceptions.fingerprints import load, save
from autograder.misconceptions.record import stale

COURSE = load_course(find_root(Path(__file__)))
BANKS = sorted(path.stem for path in FOLDER.glob("part*.toml"))


@pytest.mark.parametrize("name", BANKS)
def test_every_wrong_engine_fits_the_worked_solution_and_is_python(name):
    part = COURSE.part(name)
    workshop = Workshop(COURSE, part)
    for entry in load_bank(part).misconception:
        for engine in entry.engine:
            files = workshop.wrong(entry, engine)
            assert files != workshop.worked, entry.id
            compile(files[engine.file], engine.file, "exec")


@pytest.mark.parametrize("name", BANKS)
def test_the_fingerprints_were_recorded_from_what_stands_here(name):
    part = COURSE.part(name)
    recorded = load(FOLDER / f"{name}.json")
    assert not stale(load_bank(part), Workshop(COURSE, part), recorded), (
        f"run: python -m autograder.misconceptions.record {name}"
    )
    assert recorded is not None
    assert recorded.suite == judging.suite_digest(part)


@pytest.mark.parametrize("name", BANKS)
def test_every_task_that_an_engine_must_fail_has_its_fingerprint(name):
    recorded = load(FOLDER / f"{name}.json")
    assert recorded is not None
    found = {(one.id, one.engine, one.task) for one in recorded.fingerprints if one.tests}
    demanded = {
        (entry.id, number, task)
        for entry in load_bank(COURSE.part(name)).misconception
        for number, engine in enumerate(entry.engine)
        for task in engine.fails
    }
    assert found == demanded


def test_fingerprints_come_back_as_they_were_saved(tmp_path):
    recorded = load(FOLDER / "part4.json")
    assert recorded is not None
    save(tmp_path / "again.json", recorded)
    assert (tmp_path / "again.json").read_bytes() == (FOLDER / "part4.json").read_bytes()


def test_a_damaged_recording_is_a_sentence_and_no_traceback(tmp_path):
    (tmp_path / "part4.json").write_text('{"suite": 3}')
    with pytest.raises(CourseError, match="damaged"):
        load(tmp_path / "part4.json")


def test_a_change_has_to_stand_in_the_solution_exactly_once():
    assert patched(b"a += 1\nb += 1\n", (("a +=", "a ="),)) == b"a = 1\nb += 1\n"
    for source in (b"b += 1\n", b"a += 1\na += 1\n"):
        with pytest.raises(ValueError, match="times"):
            patched(source, (("a +=", "a ="),))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[misconception]]\nid = 'x'\n", "title"),
        ("[[misconception", "part4.toml"),
        (
            "[[misconception]]\nid = 'x'\ntitle = 't'\nbelief = 'b'\nexplanation = 'e'\nreread = 'r'\n"
            "[[misconception.engine]]\nfails = ['9.9']\nchange = [['a', 'b']]\n",
            "no task '9.9'",
        ),
    ],
)
def test_a_wrong_bank_is_refused_with_its_file_and_reason(tmp_path, text, says):
    (tmp_path / "part4.toml").write_text(text)
    with pytest.raises(CourseError, match=says):
        load_bank(COURSE.part("part4"), tmp_path)


def test_a_constant_body_reaches_every_piece_of_a_task_that_lies_in_several_functions():
    changed = with_constant(solution_file(COURSE, "value.py"), COURSE.part("part5"), ("5.1",), "[]")
    space: dict[str, Any] = {}
    exec(changed, space)
    value = space["Value"](2.5)
    assert [value + 1.5, 1.5 + value, value * 1.5, 1.5 * value] == [[], [], [], []]


def test_a_constant_body_replaces_the_closure_and_leaves_the_forward_line():

    changed = with_constant(solution_file(COURSE, "value.py"), COURSE.part("part4"), ("4.1",), "[]")
    assert "self.grad += out.grad" not in changed
    assert "            return []\n\n        out._backward = _backward" in changed
    assert 'Value(self.data + other.data, (self, other), "+")' in changed
    assert "self.grad += other.data * out.grad" in changed
