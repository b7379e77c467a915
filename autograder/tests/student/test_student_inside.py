"""Where no process can be started (the browser), a check runs in the notebook's own, and leaves no trace there."""

import subprocess

import pytest
from conftest import Folder, student_environment

SWAPPED = ("self.grad += other.data * out.grad", "self.grad += self.data * out.grad")
PRELUDE = """
import os, random, sys
sys.path.insert(0, {path!r})
from kitlib import inside
from kitlib.files import HERE
"""


@pytest.fixture
def cell(folder: Folder):
    """Runs a cell's code in one process, as a kernel does, and returns what it prints."""

    def run(code: str) -> str:
        command = [folder.python, "-c", PRELUDE.format(path=str(folder.path)) + code]
        done = subprocess.run(
            command, cwd=folder.path, env=student_environment(), capture_output=True, encoding="utf-8"
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_it_says_what_a_process_of_its_own_says(folder, cell):
    folder.engine("right", SWAPPED)
    said = cell("print(inside.run_pytest(['--task', '4.2', '--color=no']))")
    assert said.strip() == folder.run("--task", "4.2").stdout.strip()


def test_a_second_check_sees_the_file_as_it_is_saved_now(folder, cell):
    folder.engine("right")
    path = str(folder.path / "value.py")
    edit = f"p = {path!r}; s = open(p).read(); open(p, 'w').write(s.replace{SWAPPED!r})\n"
    check = "print(inside.run_pytest(['--task', '4.2', '--color=no']))\n"
    said = cell(f"import value\n{check}{edit}{check}")
    assert said.index("closure of *  done") < said.index("closure of *  wrong")


def test_the_notebook_keeps_its_modules_its_place_its_limit_and_its_dice(folder, cell):
    folder.engine("right")
    said = cell(
        "import value\n"
        "sys.setrecursionlimit(777); random.seed(5)\n"
        "def state():\n"
        "    return value is sys.modules['value'], inside is sys.modules['kitlib.inside'], os.getcwd(), sys.path[:], "
        "sys.getrecursionlimit(), random.getstate(), sys.argv[:]\n"
        "before = state()\n"
        "inside.run_pytest(['--task', '4.2'])\n"
        "print(state() == before, 'conftest' in sys.modules, 'test_public' in sys.modules)\n"
    )
    assert said.strip() == "True False False"


def test_nothing_is_left_in_the_folder(folder, cell):
    folder.engine("right")
    before = folder.names()
    cell("sys.dont_write_bytecode = True\ninside.run_pytest(['--task', '4.2'])")
    assert folder.names() == before


def test_in_the_browser_the_limit_is_low_during_a_check_and_before_every_cell(folder, cell):
    folder.engine("right")
    folder.write("value.py", "import sys\nprint('LIMIT', sys.getrecursionlimit())\nraise SystemError('LIMIT %d' % "
                 "sys.getrecursionlimit())\n")  # fmt: skip
    said = cell(
        "inside.IN_BROWSER = True\n"
        "print(inside.run_pytest(['--task', '4.2', '--color=no']))\n"
        "sys.setrecursionlimit(3000); inside.guard_cells(); print('now', sys.getrecursionlimit())"
    )
    assert "LIMIT 400" in said
    assert "now 400" in said


def test_submit_in_a_notebook_gives_the_zip_as_a_link(folder, cell):
    folder.engine("right")
    said = cell("import kit\nlink = kit.submit(anyway=True)\nprint(link._repr_html_()[:160])")
    assert '<a download="part4-submission.zip" href="data:application/zip;base64,UEsDB' in said
    assert (folder.path / "part4-submission.zip").is_file()


def test_submit_of_something_broken_says_how_to_insist_in_a_notebook(folder, cell):
    folder.write("value.py", "class Value(:\n")
    said = cell("import kit\nprint(kit.submit())")
    assert "submit(anyway=True)" in " ".join(said.split())
    assert said.strip().endswith("None")
