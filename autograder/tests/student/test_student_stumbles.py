"""The first stumbles: each has a sentence of its own, with the file, the line where there is one, and what to do."""

import sys

import pytest

BROKEN = {
    "colon": ("def backward(self):", "def backward(self)", "Python cannot read value.py, line 33: expected ':'."),
    "indent": ("        self.grad = 1.0", "      self.grad = 1.0", "Python cannot read value.py, line "),
    "missing_module": ("\n\nclass", "\nimport torchh\n\nclass", "value.py:3 imports torchh, which is not there."),
    "name_error": (
        "\n\nclass",
        "\nprint(valeu)\n\nclass",
        "value.py stops while Python reads it, at value.py:3: NameError",
    ),
    "exit": ("\n\nclass", "\nexit()\n\nclass", "value.py:3 ends the whole program (exit)."),
    "misnamed": (
        "class Value:",
        "class Valeu:",
        "value.py has no class Value, but it has Valeu (line 4). Name it Value.",
    ),
    "lower_case": ("class Value:", "class value:", "value.py has no class Value, but it has value (line 4)."),
    "no_class": ("class Value:", "class Node:", "value.py has no class Value. "),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_value_py_that_cannot_be_used_is_explained(folder, name):
    old, new, sentence = BROKEN[name]
    run = folder.engine("right", (old, new)).run()
    assert sentence in " ".join(run.stdout.split())
    assert run.stdout.count("cannot run ") == 3
    assert "Traceback" not in run.stdout
    assert run.returncode == 1


def test_the_screen_of_a_syntax_error(folder, golden):
    golden("syntax_error", folder.engine("right", ("def backward(self):", "def backward(self)")).run().stdout)


def test_a_value_py_in_another_encoding_is_explained(folder):
    text = (folder.path / "value.py").read_text(encoding="utf-8")
    (folder.path / "value.py").write_bytes(text.encode("utf-16"))
    assert "UTF-8" in folder.run().stdout


def test_a_missing_value_py_is_explained(folder):
    (folder.path / "value.py").unlink()
    run = folder.run()
    assert "There is no value.py in" in run.stdout
    assert run.returncode == 1


@pytest.mark.parametrize("other", ["value (1).py", "value.py.txt", "value_old.py"])
def test_a_renamed_value_py_is_found(folder, other):
    (folder.path / "value.py").rename(folder.path / other)
    assert f"There is no value.py here, but there is {other}." in " ".join(folder.run().stdout.split())


def test_a_second_copy_is_pointed_out(folder):
    folder.write("value (1).py", (folder.path / "value.py").read_text(encoding="utf-8"))
    run = folder.run()
    assert "Mind: value (1).py is here too; only value.py is tested and graded." in run.stdout
    assert run.returncode == 0


@pytest.mark.parametrize("name", ["part.json", "test_public.py"])
def test_a_missing_file_of_the_course_is_named(folder, name):
    (folder.path / name).unlink()
    run = folder.run()
    assert run.stdout.startswith(f"{name} is missing")
    assert run.returncode == 4


def test_a_test_file_that_was_broken_by_an_edit_is_named(folder):
    folder.write("test_public.py", "def test(:\n")
    run = folder.run()
    assert "test_public.py cannot be read by pytest." in run.stdout
    assert "Traceback" not in run.stdout
    assert run.returncode == 1


def test_a_missing_hypothesis_is_answered_with_how_to_install_it(folder):
    hide = "import importlib.util, sys\nfind = importlib.util.find_spec\n"
    hide += "importlib.util.find_spec = lambda name, *rest: None if name == 'hypothesis' else find(name, *rest)\n"
    folder.write("hide.py", hide)
    run = folder.run("-p", "hide", PYTHONPATH=str(folder.path))
    assert "-m pip install hypothesis" in run.stdout
    assert sys.executable in run.stdout
    assert run.returncode == 4


def test_an_old_python_is_told_which_one_is_needed(folder):
    text = (folder.path / "conftest.py").read_text(encoding="utf-8")
    folder.write("conftest.py", text.replace("OLDEST = (3, 10)", "OLDEST = (99, 0)"))
    run = folder.run()
    assert "needs Python 3.10 or newer, and this is " in run.stdout
    assert run.returncode == 4


@pytest.mark.parametrize("change", ["\n# a note of mine\n", "\n\ndef test_more():\n    assert 7 > 3\n"])
def test_an_edited_test_file_is_said_to_be_graded_with_the_original(folder, change):
    text = (folder.path / "test_public.py").read_text(encoding="utf-8")
    assert "not as handed out" not in folder.run("--task", "4.1").stdout
    folder.write("test_public.py", text.replace("\n", "\r\n"))  # a checkout on Windows is no edit
    assert "not as handed out" not in folder.run("--task", "4.1").stdout
    folder.write("test_public.py", text + change)
    said = " ".join(folder.run("--task", "4.1").stdout.split())
    assert said.endswith("Mind: test_public.py is not as handed out any more. Your work is graded with the original.")


def test_a_name_in_other_letters_is_a_renamed_file_where_the_system_does_not_tell_them_apart(folder, kit, monkeypatch):
    files = sys.modules["kitlib.files"]
    (folder.path / "value.py").rename(folder.path / "Value.py")
    monkeypatch.setattr(files.Path, "is_file", lambda path: True)
    with pytest.raises(files.Stumble, match=r"There is no value\.py here, but there is Value\.py\. Rename it"):
        files.load("value.py", folder=folder.path)


HIDE = "import sys\nfor name in {}:\n    sys.modules[name] = None\n"  # as if it were not installed


@pytest.mark.parametrize("missing", [("pytest",), ("hypothesis",), ("pytest", "hypothesis")])
def test_kit_py_says_which_of_the_test_tools_are_missing_and_how_to_get_them(folder, missing):
    folder.write("sitecustomize.py", HIDE.format(missing))
    run = folder.kit(PYTHONPATH=str(folder.path))
    assert f"The tests still need {' and '.join(missing)}." in run.stdout
    assert f"  {sys.executable} -m pip install {' '.join(missing)}\n" in run.stdout


def test_kit_py_tells_an_old_python_which_one_is_needed(folder):
    text = (folder.path / "kit.py").read_text(encoding="utf-8")
    folder.write("kit.py", text.replace("sys.version_info < (3, 10)", "sys.version_info < (99, 0)"))
    run = folder.kit()
    assert run.stdout.startswith("This course needs Python 3.10 or newer, and this is 3.")
    assert run.returncode == 1


def test_without_pytest_everything_but_the_tests_works(folder):
    folder.write("sitecustomize.py", HIDE.format(["pytest", "_pytest", "hypothesis"]))
    folder.write("draw.py", "from kit import check, draw_dot, hint, predict, step\ncheck('4.2')\nhint('4.2')\n")
    run = folder.run_file("draw.py", PYTHONPATH=str(folder.path))
    assert "pytest is not installed for this notebook" in run.stdout
    assert "Hint 1 of 3 for 4.2" in run.stdout
    assert "Traceback" not in folder.kit("submit", PYTHONPATH=str(folder.path)).stdout
