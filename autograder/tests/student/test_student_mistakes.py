"""The likely mistake in a student's own run: named where everything agrees with the table, and never otherwise."""

import hashlib
import json
import sys
from types import SimpleNamespace

import pytest

ASSIGNED = (
    "self.grad += out.grad\n            other.grad += out.grad",
    "self.grad = out.grad\n            other.grad = out.grad",
)
SWAPPED = ("self.grad += other.data * out.grad", "self.grad += self.data * out.grad")
A_NUMBER = ("        out._backward = _backward\n        return out", "        return out.data")
TWICE = "test_a_node_used_twice_collects_both_contributions"
ONCE = "test_plus_hands_its_gradient_on"


def entry(title, reread='part 4, section 10, "The bug"'):
    text = "The closure replaces what stands in grad. The last contribution to arrive wipes out all the others."
    return {"title": title, "explanation": text, "reread": reread}


def put_table(folder, *seen, task="4.1", more=()):
    """Write mistakes.json with one mistake that ends the tests as `seen` says; `more` are others that do the same."""
    tests = (folder.path / "test_public.py").read_bytes()
    names = ["replaces", *more]
    table = {
        "tests": hashlib.sha256(tests).hexdigest()[:16],
        "mistakes": {name: entry(f"It {name} what is there") for name in names},
        "fingerprints": [{"id": name, "task": task, "seen": seen} for name in names],
    }
    folder.write("mistakes.json", json.dumps(table))
    return table


@pytest.fixture
def modules(kit):
    """The student's modules kitlib.mistakes and kitlib.seen, as kit.py has imported them."""
    return SimpleNamespace(mistakes=sys.modules["kitlib.mistakes"], seen=sys.modules["kitlib.seen"])


def like(folder, modules, failed):
    """The titles that the folder's table gives for tests of 4.1 that failed at a line with numbers."""
    tests = {name: modules.seen.Seen("failed", line, "", numbers) for name, (line, numbers) in failed.items()}
    found = modules.mistakes.read_table(folder.path).like("4.1", {ONCE: modules.seen.PASSED, **tests})
    return [one.title for one in found]


SEVEN = (TWICE, [["failed", 7, "", [7.0]]])


def test_the_mistake_that_agrees_stands_below_what_was_seen(folder, golden):
    put_table(folder, SEVEN)
    run = folder.engine("right", ASSIGNED).run()
    golden("likely", run.stdout)
    assert run.returncode == 1


def test_of_several_that_look_the_same_all_are_said(folder, golden):
    put_table(folder, SEVEN, more=["forgets"])
    golden("likely_one_of", folder.engine("right", ASSIGNED).run().stdout)


def test_of_too_many_none_is_said(folder):
    put_table(folder, SEVEN, more=["forgets", "halves", "doubles"])
    assert "Likely" not in folder.engine("right", ASSIGNED).run().stdout


def test_check_in_a_notebook_says_it_too(folder):
    put_table(folder, SEVEN)
    assert "Likely: It replaces" in folder.engine("right", ASSIGNED).run("--task", "4.1").stdout


@pytest.mark.parametrize(
    "seen",
    [
        [(TWICE, [["failed", 7, "", [7.5]]])],
        [(TWICE, [["failed", 8, "", [7.0]]])],
        [(TWICE, [["failed", 7, "", [7.0, 7.0]]])],
        [(TWICE, [["error", 7, "TypeError:none-called", []]])],
        [SEVEN, (ONCE, [["failed", 7, "", [1.0]]])],
        [(ONCE, [["failed", 7, "", [7.0]]])],
    ],
    ids=["another number", "another line", "more numbers", "an error", "a test that fails there", "another test"],
)
def test_anything_that_does_not_agree_is_not_named(folder, modules, seen):
    put_table(folder, *seen)
    assert like(folder, modules, {TWICE: (7, (7.0,))}) == []


def test_a_number_that_only_the_order_of_a_set_explains_is_one_of_several_ways(folder, modules):
    put_table(folder, (TWICE, [["failed", 7, "", [3.25]], ["failed", 7, "", [7.0]]]))
    assert like(folder, modules, {TWICE: (7, (7.0,))}) == ["It replaces what is there"]
    assert like(folder, modules, {TWICE: (7, (5.5,))}) == []


def test_a_well_known_error_is_named_whatever_line_it_came_up_at(folder):
    kind = [["failed", 0, "AttributeError:number-as-node", []]]
    put_table(folder, (TWICE, kind), (ONCE, kind))
    assert "Likely: " in folder.engine("right", A_NUMBER).run().stdout


def test_a_failure_that_says_nothing_but_that_it_failed_is_not_named(folder):
    folder.engine("right", ("self.grad += out.grad", "self.grad += [][3]"))
    put_table(folder, (TWICE, [["failed", 0, "IndexError", []]]), (ONCE, [["failed", 0, "IndexError", []]]))
    assert "Likely" not in folder.run().stdout


def test_tests_that_were_changed_are_not_compared_with_the_table(folder):
    put_table(folder, SEVEN)
    folder.engine("right", ASSIGNED)
    suite = (folder.path / "test_public.py").read_text(encoding="utf-8")
    folder.write("test_public.py", suite + "\n# my own remark\n")
    assert "Likely" not in folder.run().stdout


def test_other_line_ends_are_no_change(folder):
    put_table(folder, SEVEN)
    path = folder.path / "test_public.py"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert "Likely: " in folder.engine("right", ASSIGNED).run().stdout


def test_a_part_of_a_tasks_tests_is_not_enough_to_name_a_mistake(folder):
    put_table(folder, SEVEN)
    assert "Likely" not in folder.engine("right", ASSIGNED).run("-k", TWICE).stdout


def test_a_task_on_top_of_tasks_that_did_not_run_is_not_named(folder):
    seen = ("test_backward_on_the_diamond", [["failed", 6, "", [6.0]]])
    put_table(folder, seen, task="4.3")
    folder.engine("right", SWAPPED)
    alone = folder.run("--task", "4.3").stdout
    assert "got       6.0" in alone
    assert "Likely" not in alone


DAMAGED = ["", "{", "[]", "null", '{"tests": 3}', '{"tests": "x", "mistakes": []}']


def test_a_damaged_table_changes_nothing_else(folder):
    plain = folder.engine("right", ASSIGNED).run().stdout
    folder.write("mistakes.json", DAMAGED[1])
    assert folder.run().stdout == plain


@pytest.mark.parametrize("text", DAMAGED)
def test_a_damaged_table_names_nothing(folder, modules, text):
    folder.write("mistakes.json", text)
    assert like(folder, modules, {TWICE: (7, (7.0,))}) == []


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("mistakes", {"replaces": {}}),
        ("mistakes", 5),
        ("fingerprints", [{"id": "replaces"}]),
        ("fingerprints", [3]),
        ("fingerprints", [{"id": "replaces", "task": "4.1", "seen": [[TWICE, [["failed", 7]]]]}]),
    ],
)
def test_a_table_with_a_damaged_entry_names_nothing(folder, modules, key, value):
    table = put_table(folder, SEVEN)
    assert like(folder, modules, {TWICE: (7, (7.0,))}) != []
    folder.write("mistakes.json", json.dumps({**table, key: value}))
    assert like(folder, modules, {TWICE: (7, (7.0,))}) == []
