"""The leak scan: every kind of secret in every place is found, whatever its spacing; the honest release is not."""

from __future__ import annotations

import json
import py_compile
import zipfile
from pathlib import Path

import pytest

from autograder.build.assignment import part_files
from autograder.build.leakscan import scan_folder, scan_zip
from autograder.build.withheld import collect_secrets
from autograder.course.manifest import CourseError
from autograder.tests.build.tiny import FILES, edit

PLANTS = {
    "own task": ("self.past.append(self.count)", "the solution of task 2.1 (solutions/counter.py:28)"),
    "second task": ("return [self.step(width) for width in sorted(widths)]", "the solution of task 2.2"),
    "later task": ("self.count = math.floor(self.count + 0.25)", "the solution of task 3.1"),
    "model answer": ("every single step leaves its former place behind in a list", "the model answer to why-count"),
    "hidden name": ("test_a_negative_step_leads_back", "a hidden test (suites/part2/test_hidden.py:7)"),
    "hidden docstring": ("Counter(11).step(-23), and then the length of its past", "a hidden test"),
    "hidden assertion": ("assert counter.step(-23) == pytest.approx(-16, rel=1e-9)", "a hidden test"),
    "short assertion": (
        "assert counter.step(-23) == pytest.approx(-16, rel=1e-9)\nassert counter.count == -16",
        "a hidden test (suites/part2/test_hidden.py:12)",
    ),
    "hidden helper": ("LADDER = [(2, 19), (23, 42), (71, 113), (5, 118)]", "a hidden test"),
}


@pytest.fixture
def secrets(course):
    return collect_secrets(course, course.part("part2"))


@pytest.fixture
def folder(course, tmp_path) -> Path:
    """The honest part 2, as a folder that is about to leave."""
    folder = tmp_path / "out" / "part2"
    folder.mkdir(parents=True)
    for name, content in part_files(course, course.part("part2")).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def pack(folder: Path) -> Path:
    archive = folder.with_suffix(".zip")
    with zipfile.ZipFile(archive, "w") as packed:
        for path in folder.rglob("*"):
            packed.write(path, path.relative_to(folder.parent).as_posix())
    return archive


def in_source(folder, text):
    path = folder / "counter.py"
    path.write_text("# one\n# two\n" + text + "\n")
    return "part2/counter.py:3: "


def in_a_comment(folder, text):
    path = folder / "kit.py"
    path.write_text('"""The kit."""\n' + "".join(f"#   {line}\n" for line in text.splitlines()))
    return "part2/kit.py:2: "


def in_a_string(folder, text):
    path = folder / "conftest.py"
    path.write_text(f'"""Fixtures."""\n\nSETUP = {text!r}\n')
    return "part2/conftest.py:3: "


def in_a_readme(folder, text):
    path = folder / "README.md"
    path.write_text(path.read_text() + "```python\n" + text + "\n```\n")
    return "part2/README.md:5: "


def in_notebook(folder, change):
    path = folder / "part2.ipynb"
    notebook = json.loads(path.read_text())
    change(notebook)
    text = json.dumps(notebook, indent=1)
    path.write_text(text)
    return text


def line_with(text, wanted):
    wanted = json.dumps(wanted)[1:-1]
    return next(number for number, line in enumerate(text.splitlines(), 1) if wanted in line)


def in_a_cell(folder, text):
    def change(notebook):
        notebook["cells"][1]["source"] = ["x = 1\n", *text.splitlines(keepends=True)]

    written = in_notebook(folder, change)
    return f"part2/part2.ipynb:{line_with(written, text.splitlines()[0])}: "


def in_an_output(folder, text):
    def change(notebook):
        output = {"output_type": "stream", "name": "stdout", "text": text.splitlines(keepends=True)}
        notebook["cells"][2]["outputs"] = [output]

    written = in_notebook(folder, change)
    return f"part2/part2.ipynb:{line_with(written, text.splitlines()[0])}: "


def in_cell_metadata(folder, text):
    def change(notebook):
        notebook["cells"][0]["metadata"]["note"] = {"deep": [1, {"er": text}]}

    in_notebook(folder, change)
    return "part2/part2.ipynb:"


def in_notebook_metadata(folder, text):
    in_notebook(folder, lambda notebook: notebook["metadata"].update({text: 1}))
    return "part2/part2.ipynb:"


def in_part_json(folder, text):
    path = folder / "part.json"
    data = json.loads(path.read_text())
    data["tasks"][1]["hints"][2] = text
    path.write_text(json.dumps(data, indent=2))
    return "part2/part.json:"


def in_broken_json(folder, text):
    (folder / "part.json").write_text("{\n" + text)
    return "part2/part.json:2: "


def in_a_subfolder(folder, text):
    (folder / "more").mkdir()
    (folder / "more" / "notes.txt").write_text("\n" + text)
    return "part2/more/notes.txt:2: "


def in_a_binary(folder, text):
    (folder / "picture.png").write_bytes(b"\x89PNG\0\0" + text.encode() + b"\0\xff")
    return "part2/picture.png:"


def in_utf_16(folder, text):
    (folder / "README.md").write_bytes(text.encode("utf-16"))
    return "part2/README.md:"


def in_a_compiled_file(folder, text):
    source = folder.parent / "source.py"
    source.write_text(f"def f():\n    return {text!r}\n")
    py_compile.compile(str(source), cfile=str(folder / "kit.pyc"), doraise=True)
    return "part2/kit.pyc:"


def in_a_compiled_file_under_another_name(folder, text):
    in_a_compiled_file(folder, text)
    (folder / "kit.pyc").rename(folder / "kit.txt")
    return "part2/kit.txt:"


PLACES = [
    in_source,
    in_a_comment,
    in_a_string,
    in_a_readme,
    in_a_cell,
    in_an_output,
    in_cell_metadata,
    in_notebook_metadata,
    in_part_json,
    in_broken_json,
    in_a_subfolder,
    in_a_binary,
    in_utf_16,
    in_a_compiled_file,
    in_a_compiled_file_under_another_name,
]


def test_the_honest_part_has_no_leak(folder, secrets):
    assert scan_folder(folder, secrets) == []
    assert scan_zip(pack(folder), secrets) == []


@pytest.mark.parametrize("plant", PLANTS)
@pytest.mark.parametrize("place", PLACES)
def test_every_secret_is_found_in_every_place_with_its_file_and_line(folder, secrets, place, plant):
    text, what = PLANTS[plant]
    where = place(folder, text)
    found = [str(leak) for leak in scan_folder(folder, secrets)]
    assert any(leak.startswith(where) and what in leak for leak in found), found
    zipped = [str(leak) for leak in scan_zip(pack(folder), secrets)]
    assert zipped == [f"part2.zip/{leak}" for leak in found]


@pytest.mark.parametrize(
    "text",
    [
        "self . past.append( self.count )",
        "self.past.append(  # remember\n    self.count,\n)",
        "if True: self.past.append(self.count); print(1)",
        "self.past\\\n    .append(self.count)",
        "> self.past.append(\n> self.count)".replace("> ", "  "),
        "x = 'self.past.append(self.count)'",
        'x = b"first\\nself.past.append(self.count)\\n"',
        "self.count = math.floor(self.count + .25e0)".replace(".25e0", "0.250"),
        "LADDER = [(2., 19), (23, 42.0),\n    (71, 113), # far\n (5, 118),]",
        'assert counter.step(-23) == pytest.approx(-16, rel=0.000000001), "no"',
    ],
)
def test_spacing_line_ends_quotes_comments_and_the_spelling_of_numbers_make_no_difference(folder, secrets, text):
    in_source(folder, text)
    assert scan_folder(folder, secrets) != []


@pytest.mark.parametrize(
    "text",
    [
        "EVERY   single step\nleaves its *former* place behind in a list!",
        "Every single step leaves its former place behind.",
    ],
)
def test_case_breaks_and_punctuation_make_no_difference_to_a_model_answer(folder, secrets, text):
    in_a_readme(folder, text)
    assert scan_folder(folder, secrets) != []


@pytest.mark.parametrize(
    "text",
    [
        "import math",
        "return self.count",
        "self.count = start",
        "counter = Counter(3)",
        "assert counter.step(4) == pytest.approx(7, rel=1e-9)",
        "def walk(self, widths):",
        "Why a counter never forgets",
        "every single step leaves",
        "self.past",
        "for width in sorted(widths):",
    ],
)
def test_what_students_may_read_and_common_phrases_are_no_leak(folder, secrets, text):
    for place in (in_source, in_a_comment, in_a_readme, in_a_cell):
        place(folder, text)
    assert scan_folder(folder, secrets) == []


def test_earlier_solutions_may_leave_but_not_with_their_own_part(course, folder, secrets):
    in_source(folder, "self.past = []\nself.count = start")
    assert scan_folder(folder, secrets) == []
    for other in folder.glob("*.*"):
        other.unlink()
    own = collect_secrets(course, course.part("part1"))
    in_source(folder, "self.past = []\nself.count = start")
    assert scan_folder(folder, own) == []  # in another order, lines as short as these say nothing
    in_source(folder, "self.count = start\nself.past = []")
    assert {leak.what for leak in scan_folder(folder, own)} == {
        f"the solution of task 1.1 (solutions/counter.py:{line})" for line in (14, 15)
    }


def test_a_whole_hidden_test_that_was_copied_into_the_public_ones_is_found(course, folder):
    hidden = FILES["autograder/suites/part2/test_hidden.py"].replace("test_a_negative_step", "test_another")
    (course.root / "autograder/suites/part2/test_public.py").write_text(hidden)
    (folder / "test_public.py").write_text(hidden)
    leaks = scan_folder(folder, collect_secrets(course, course.part("part2")))
    assert [leak.line for leak in leaks] == [9]


@pytest.mark.parametrize("name", ["kit.pyc", "engine.so", "data.bin", "Makefile"])
def test_compiled_and_unexpected_files_are_refused_whatever_they_hold(folder, secrets, name):
    (folder / name).write_bytes(b"harmless")
    [leak] = scan_folder(folder, secrets)
    assert (leak.file, leak.line) == (f"part2/{name}", 1)


def test_a_harmless_output_is_refused(folder, secrets):
    in_an_output(folder, "42")
    [leak] = scan_folder(folder, secrets)
    assert leak.what == "a notebook cell with outputs"


def test_a_link_is_refused(folder, secrets):
    (folder / "hidden.py").symlink_to(folder / "kit.py")
    assert [leak.what for leak in scan_folder(folder, secrets)] == ["a link; only plain files may leave"]


def test_a_damaged_compiled_file_is_read_as_far_as_it_can_be(folder, secrets):
    in_a_compiled_file(folder, PLANTS["hidden docstring"][0] + " ")
    path = folder / "kit.pyc"
    path.write_bytes(path.read_bytes()[:-20])
    assert {"a compiled file"} < {leak.what for leak in scan_folder(folder, secrets)}


def test_a_secret_in_a_file_name_or_a_zips_comment_is_found(folder, secrets):
    (folder / "test_a_negative_step_leads_back.py").write_text("")
    assert [leak.file for leak in scan_folder(folder, secrets)] == ["part2/test_a_negative_step_leads_back.py"]
    (folder / "test_a_negative_step_leads_back.py").unlink()
    archive = pack(folder)
    with zipfile.ZipFile(archive, "a") as packed:
        packed.comment = PLANTS["own task"][0].encode()
    assert [leak.file for leak in scan_zip(archive, secrets)] == ["part2.zip"]


def test_a_hidden_suite_that_is_not_python_is_reported(course):
    edit(course, "autograder/suites/part2/test_hidden.py", "counter = Counter(3)", "counter = Counter(3")
    with pytest.raises(CourseError, match=r"suites/part2/test_hidden\.py:\d+: not Python"):
        collect_secrets(course, course.part("part2"))
