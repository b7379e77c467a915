"""kit.py: a check from the notebook says what the terminal says; hints come one after the other."""

import subprocess

import pytest
from conftest import Folder, student_environment

SWAPPED = ("self.grad += other.data * out.grad", "self.grad += self.data * out.grad")


def in_notebook(folder: Folder, code: str) -> str:
    """What a cell prints: a process of its own in another folder, as a notebook's kernel may be."""
    prelude = f"import sys; sys.path.insert(0, {str(folder.path)!r}); from kit import check, hint\n"
    return subprocess.run(
        [folder.python, "-c", prelude + code],
        cwd=folder.path.parent,
        env=student_environment(),
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout


def test_check_prints_what_the_terminal_shows_for_that_task(folder):
    folder.engine("right", SWAPPED)
    assert in_notebook(folder, "check('4.2')").strip() == folder.run("--task", "4.2").stdout.strip()


def test_check_sees_the_file_as_it_is_saved_now(folder):
    first = "check('4.2')\n"
    edit = f"p = {str(folder.path / 'value.py')!r}; s = open(p).read(); open(p, 'w').write(s.replace{SWAPPED!r})\n"
    screen = in_notebook(folder, f"import value\n{first}{edit}{first}")
    assert screen.index("closure of *  done") < screen.index("closure of *  wrong")


def test_check_of_an_unknown_task_is_a_sentence(folder):
    assert in_notebook(folder, "check('5.1')") == "There is no task 5.1 in part 4. Its tasks are 4.1, 4.2, 4.3.\n"


def test_three_hints_come_one_after_the_other_and_the_last_one_stays(folder, golden):
    screens = [folder.run("--hint", "4.1") for _ in range(4)]
    assert [run.returncode for run in screens] == [0, 0, 0, 0]
    golden("hints", "\n".join(run.stdout for run in screens[:3]))
    assert screens[3].stdout == screens[2].stdout


def test_every_task_has_its_own_count_of_hints_and_the_notebook_shares_it(folder):
    folder.run("--hint", "4.1")
    assert "Hint 1 of 3 for 4.2" in in_notebook(folder, "hint('4.2')")
    assert "Hint 2 of 3 for 4.1" in in_notebook(folder, "hint('4.1')")


@pytest.mark.parametrize("damage", ["", "[1]", '{"4.1": "x"}', '{"4.1": -7}'])
def test_a_damaged_memory_begins_again(folder, damage):
    folder.write(".hints.json", damage)
    assert "Hint 1 of 3" in folder.run("--hint", "4.1").stdout


def test_name_gives_each_node_its_name_and_returns_them_by_name(kit):
    class Node:
        label = ""

    first, second = Node(), Node()
    assert kit.name(a=first, total=second) == {"a": first, "total": second}
    assert (first.label, second.label) == ("a", "total")


def test_lines_that_meet_an_open_task_name_it_and_the_cell_goes_on(kit, capsys):
    with kit.when_ready():
        print("before")
        raise NotImplementedError("TODO 4.2: the closure of *")
    with kit.when_ready():
        raise RecursionError
    assert capsys.readouterr().out == (
        "before\nstill to do: 4.2: the closure of *\ntoo deep for a function that calls itself\n"
    )


def test_any_other_error_of_a_cell_is_shown_as_it_is(kit):
    with pytest.raises(TypeError, match="'NoneType' object is not callable"), kit.when_ready():
        raise TypeError("'NoneType' object is not callable")
