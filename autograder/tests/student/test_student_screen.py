"""The screen that plain pytest gives in a student's folder, for engines in every state."""

import pytest

SWAPPED = ("self.grad += other.data * out.grad", "self.grad += self.data * out.grad")
ASSIGNED = (
    "self.grad += out.grad\n            other.grad += out.grad",
    "self.grad = out.grad\n            other.grad = out.grad",
)
TIMES_TODO = (
    "            self.grad += other.data * out.grad\n            other.grad += self.data * out.grad",
    '            raise NotImplementedError("TODO 4.2: the closure of *")',
)
NO_RETURN = ("        out._backward = _backward\n        return out", "        out._backward = _backward")
SCREENS = {
    "right": ("right", (), 0),
    "stub": ("stub", (), 1),
    "assigned": ("right", (ASSIGNED,), 1),
    "swapped": ("right", (SWAPPED,), 1),
    "times_not_started": ("right", (TIMES_TODO,), 1),
    "no_return": ("right", (NO_RETURN,), 1),
    "raises": ("right", (("self.grad += other.data", "self.grad += 1 / 0"),), 1),
    "calls_itself": ("right", (("        visit(self)", "        self.backward()"),), 1),
    "own_assert": ("right", (("        visit(self)", "        visit(self)\n        assert self.grad == 1.0"),), 1),
}


@pytest.mark.parametrize("name", SCREENS)
def test_the_screen_is_the_one_we_have_read_and_liked(folder, golden, name):
    engine, changes, code = SCREENS[name]
    run = folder.engine(engine, *changes).run()
    golden(name, run.stdout)
    assert run.returncode == code


def test_an_example_that_hypothesis_found_is_shown_with_its_numbers(folder, golden):
    folder.engine("right", ("self.grad += other.data * out.grad", "self.grad += (other.data or 1.5) * out.grad"))
    run = folder.run()
    golden("found_example", run.stdout)
    assert run.returncode == 1


def test_what_the_students_code_prints_stands_below_the_explanation(folder):
    folder.engine("right", SWAPPED, ("self.grad += self.data * out.grad", "print('seen', other.data)"))
    assert "printed   seen -3.0" in folder.run().stdout


def test_a_plain_number_in_a_nodes_place_is_called_one(folder):
    folder.engine("right", ("        out._backward = _backward\n        return out", "        return out.data"))
    screen = " ".join(folder.run().stdout.split())
    assert "'float' object has no attribute 'grad'" in screen
    assert "c.grad = 5.0 (a plain number came back, where a node is wanted)" in screen


def test_a_tests_own_remark_stands_with_its_numbers_or_as_a_note(folder):
    folder.engine("right", ("        self.grad = 1.0\n", "        self.grad = 2.0\n"))
    assert "got       -6.0\n  note      both routes count" in folder.run().stdout
    folder.engine("right", ASSIGNED)
    assert "with      a = 3.0\n  expected  a.grad == 14.0" in folder.run().stdout


def test_a_task_that_fails_only_on_top_of_a_wrong_one_waits_for_it(folder):
    screen = folder.engine("right", SWAPPED).run().stdout
    assert "backward()    waits for 4.2" in screen
    assert screen.count("Wrong: ") == 1


def test_a_students_own_tests_run_too_and_have_a_line(folder):
    folder.write("test_mine.py", "def test_a():\n    assert 7 == 8\n\ndef test_b():\n    pass\n")
    run = folder.run()
    assert "Tests of your own: 2, 1 failed (pytest -v shows them)." in run.stdout
    assert run.returncode == 1


def test_colour_comes_on_demand_and_always_beside_a_word(folder):
    screen = folder.engine("right", SWAPPED).run("--color=yes").stdout
    coloured = [line for line in screen.splitlines() if "\x1b" in line]
    assert len(coloured) >= 3
    assert all("done" in line or "wrong" in line.lower() or "waits" in line for line in coloured)


def test_verbose_is_pytests_own_output_with_the_traceback(folder):
    screen = folder.engine("right", SWAPPED).run("-v", "--task", "4.2").stdout
    assert "test session starts" in screen
    assert "assert a.grad == -15.0" in screen
    assert "Wrong: " not in screen
