"""python kit.py submit: everything that is graded is looked at, and the zip holds it as the judge reads it."""

import json
import zipfile
from pathlib import Path

import pytest

from autograder.course import find_root, load_course
from autograder.judge.submission import read_submission

QUESTIONS = ("question-chain", "question-order")


def notebook(**answers: str) -> str:
    cells = [{"cell_type": "markdown", "metadata": {}, "source": ["# Story"]}]
    for name in QUESTIONS:
        text = answers.get(name.partition("-")[2], "The step adds 7.")
        cells.append({"cell_type": "markdown", "metadata": {"nbgrader": {"grade_id": name}}, "source": [text]})
    return json.dumps({"cells": cells, "nbformat": 4})


@pytest.fixture
def ready(folder):
    folder.write("part4.ipynb", notebook())
    return folder


def packed(folder) -> dict[str, bytes]:
    with zipfile.ZipFile(folder.path / "part4-submission.zip") as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_zip_holds_the_graded_files_side_by_side_and_byte_by_byte(ready):
    before = ready.names()
    run = ready.kit("submit")
    assert run.returncode == 0
    assert run.stdout.startswith("Packed value.py, part4.ipynb into part4-submission.zip: this is the file to hand")
    assert ready.names() == before | {"part4-submission.zip"}
    assert packed(ready) == {name: (ready.path / name).read_bytes() for name in ("value.py", "part4.ipynb")}


def test_a_second_zip_takes_the_place_of_the_first(ready):
    ready.kit("submit")
    ready.engine("stub")
    ready.kit("submit")
    assert packed(ready)["value.py"] == (ready.path / "value.py").read_bytes()


FAULTS = {
    "colon": (
        lambda f: f.engine("right", ("def backward(self):", "def backward(self)")),
        "Python cannot read value.py",
    ),
    "name": (lambda f: f.engine("right", ("class Value:", "class Valeu:")), "value.py has no class Value"),
    "import": (lambda f: f.engine("right", ("class ", "import torchh\n\n\nclass ")), "imports torchh, which is not"),
    "no file": (lambda f: (f.path / "value.py").unlink(), "There is no value.py in"),
    "renamed": (
        lambda f: (f.path / "value.py").rename(f.path / "value (1).py"),
        "there is value (1).py. Rename it",
    ),
    "size": (
        lambda f: f.engine("right", ("class ", f"X = '{'7' * 1_000_000}'\n\n\nclass ")),
        "value.py has 1.0 MB",
    ),
    "no notebook": (
        lambda f: (f.path / "part4.ipynb").unlink(),
        "There is no part4.ipynb in this folder. Your",
    ),
    "other notebook": (
        lambda f: (f.path / "part4.ipynb").rename(f.path / "part4-Copy1.ipynb"),
        "Is it part4-Copy1.ipynb? Rename it.",
    ),
    "damaged notebook": (lambda f: f.write("part4.ipynb", notebook()[:-3]), "part4.ipynb is damaged"),
    "another json": (lambda f: f.write("part4.ipynb", '{"cells": [7]}'), "part4.ipynb is damaged"),
    "deleted cell": (
        lambda f: f.write("part4.ipynb", notebook().replace("question-order", "x")),
        'the cell for the written answer "order" is missing',
    ),
    "doubled cell": (
        lambda f: f.write("part4.ipynb", notebook().replace("question-order", "question-chain")),
        'the cell for "chain" is there 2 times',
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_a_sentence_and_nothing_is_packed_unless_asked_for(ready, name):
    spoil, sentence = FAULTS[name]
    spoil(ready)
    run = ready.kit("submit")
    assert sentence in " ".join(run.stdout.split())
    assert run.returncode == 1
    assert "Traceback" not in run.stdout
    assert "part4-submission.zip" not in ready.names()
    assert max(len(line) for line in run.stdout.splitlines()) <= 80
    assert ready.kit("submit", "--anyway").returncode == 0
    assert {"value.py", "part4.ipynb"} & set(packed(ready))


def test_every_fault_is_named_at_once(ready):
    ready.engine("right", ("def backward(self):", "def backward(self)"))
    (ready.path / "part4.ipynb").unlink()
    screen = ready.kit("submit").stdout
    assert "Python cannot read value.py" in screen
    assert "There is no part4.ipynb" in screen


def test_what_is_not_done_yet_is_said_and_packed_all_the_same(ready):
    ready.engine("stub")
    ready.write("part4.ipynb", notebook(order="*Your answer.*", chain=" "))
    ready.write("value_old.py", (ready.path / "value.py").read_text(encoding="utf-8"))
    run = ready.kit("submit")
    said = " ".join(run.stdout.split())
    assert "Mind: Still marked with a TODO: 4.1, 4.2, 4.3." in said
    assert 'Mind: The written question "order" is not answered yet.' in said
    assert 'Mind: The written question "chain" is not answered yet.' in said
    assert "Mind: value_old.py is here too; only value.py is tested and graded." in said
    assert run.returncode == 0
    assert set(packed(ready)) == {"value.py", "part4.ipynb"}


def test_the_judge_reads_the_zip_as_it_reads_the_folder(ready):
    part = load_course(find_root(Path(__file__).parent)).part("part5")  # one graded file, as in material/
    ready.kit("submit")
    whole, zipped = (read_submission(part, path) for path in (ready.path, ready.path / "part4-submission.zip"))
    assert zipped.sources == whole.sources
    assert zipped.digest == whole.digest


def test_without_a_command_it_says_what_there_is(folder):
    run = folder.kit()
    assert run.returncode == 0
    assert "submit" in run.stdout
    assert folder.kit("sumbit").returncode == 2
