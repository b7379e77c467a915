"""The table of known mistakes that travels with a part: what is in it, and that nothing hidden is."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from pathlib import Path

import pytest

from autograder.build.assignment import PACKAGE, part_files
from autograder.build.leakscan import scan_folder
from autograder.build.mistakes import hidden_numbers, mistakes_json
from autograder.build.withheld import collect_secrets
from autograder.course.manifest import CourseError, load_course
from autograder.course.suites import suite_digest

REAL = load_course(Path(__file__).parents[3])
BANKS = sorted(path.stem for path in (PACKAGE / "misconceptions").glob("part*.json"))
PUBLIC = '@pytest.mark.task("2.1")\ndef test_one(Counter):\n    assert Counter(3).step(4) == 7\n'
BANK = """
[[misconception]]
id = "forgets"
title = "The start is forgotten"
belief = "Only for us."
explanation = "One\\nsentence."
reread = "part 2, section 1"
[[misconception.engine]]
fails = ["2.1"]
change = [["self.count = start", "self.count = 0"]]
"""


def test_every_part_with_a_bank_has_a_table_and_the_others_have_none():
    with_table = [part.id for part in REAL.written_parts if "mistakes.json" in part_files(REAL, part)]
    assert with_table == BANKS


@pytest.mark.parametrize("name", BANKS)
def test_no_hidden_tests_name_is_in_the_table(name):
    text = mistakes_json(PACKAGE, name) or ""
    for suite in (PACKAGE / "suites").glob("*/test_hidden.py"):
        hidden = [node.name for node in ast.parse(suite.read_text()).body if isinstance(node, ast.FunctionDef)]
        assert [test for test in hidden if test.startswith("test_") and test in text] == []
    public = (PACKAGE / "suites" / name / "test_public.py").read_text()
    named = {test for one in json.loads(text)["fingerprints"] for test, _ in one["seen"]}
    assert named
    assert {test for test in named if f"def {test}(" not in public} == set()


@pytest.mark.parametrize("name", BANKS)
def test_every_number_of_the_table_was_seen_in_a_public_test(name):
    recorded = json.loads((PACKAGE / "misconceptions" / f"{name}.json").read_text())
    numbers = {"public": set(), "hidden": set()}
    for one in recorded["fingerprints"]:
        for test, ways in one["tests"].items():
            numbers[test.split(" ")[0]].update(number for way in ways for number in way[3])
    table = json.loads(mistakes_json(PACKAGE, name) or "")
    shown = {n for one in table["fingerprints"] for _, ways in one["seen"] for way in ways for n in way[3]}
    assert shown
    assert shown <= numbers["public"]
    secret = {repr(number) for number in hidden_numbers(PACKAGE, BANKS)[name] if len(repr(number)) > 5}
    assert secret
    assert secret.isdisjoint(re.findall(r"\d+\.\d+(?:e-?\d+)?", (mistakes_json(PACKAGE, name) or "")))


@pytest.mark.parametrize("name", BANKS)
def test_no_line_of_a_wrong_engine_and_nothing_of_what_is_only_for_us_is_in_the_table(name):
    text = mistakes_json(PACKAGE, name) or ""
    for entry in tomllib.loads((PACKAGE / "misconceptions" / f"{name}.toml").read_text())["misconception"]:
        assert json.dumps(entry["belief"])[1:-1] not in text
        lines = [line for engine in entry["engine"] for _, new in engine["change"] for line in new.splitlines()]
        telling = [line.strip() for line in lines if len(line.split()) > 3]
        said = json.dumps([entry["title"], entry["explanation"]])
        assert [line for line in telling if json.dumps(line)[1:-1] in text and line not in said] == []


@pytest.fixture
def bank(course):
    """The tiny course with a bank of one mistake, recorded."""
    kit = course.root / "autograder"
    (kit / "misconceptions").mkdir()
    (kit / "suites" / "part2" / "test_public.py").write_text("import pytest\n\n\n" + PUBLIC)
    (kit / "misconceptions" / "part2.toml").write_text(BANK)
    tests = {"public test_one": [["failed", 2, "", [4.0]]], "hidden test_two": [["failed", 3, "", [-16.53125]]]}
    write(kit, [{"id": "forgets", "engine": 0, "task": "2.1", "tests": tests}])
    return course


def write(kit, fingerprints):
    recorded = {"suite": suite_digest(kit / "suites" / "part2"), "seed": 0, "digest": "", "fingerprints": fingerprints}
    (kit / "misconceptions" / "part2.json").write_text(json.dumps(recorded))


def test_the_table_says_what_the_public_tests_show_in_the_banks_words(bank):
    table = json.loads(part_files(bank, bank.part("part2"))["mistakes.json"])
    assert table["mistakes"] == {
        "forgets": {"title": "The start is forgotten", "explanation": "One sentence.", "reread": "part 2, section 1"}
    }
    assert table["fingerprints"] == [
        {"id": "forgets", "task": "2.1", "seen": [["test_one", [["failed", 2, "", [4.0]]]]]}
    ]


def test_where_an_exception_came_up_is_left_out(bank):
    ways = [["error", 5, "TypeError:none-called", []], ["failed", 4, "TypeError:none-called", []]]
    one = {"id": "forgets", "engine": 0, "task": "2.1", "tests": {"public test_one": ways}}
    write(bank.root / "autograder", [one])
    table = json.loads(part_files(bank, bank.part("part2"))["mistakes.json"])
    assert table["fingerprints"][0]["seen"] == [["test_one", [["failed", 0, "TypeError:none-called", []]]]]


@pytest.mark.parametrize("suite", ["test_public.py", "test_hidden.py"])
def test_a_recording_of_other_suites_gives_no_table(bank, suite):
    path = bank.root / "autograder" / "suites" / "part2" / suite
    path.write_text(path.read_text() + "\n# another version\n")
    assert "mistakes.json" not in part_files(bank, bank.part("part2"))


def test_a_mistake_that_no_public_test_shows_is_not_in_the_table(bank):
    tests = {"hidden test_two": [["failed", 3, "", [-16.53125]]]}
    write(bank.root / "autograder", [{"id": "forgets", "engine": 0, "task": "2.1", "tests": tests}])
    assert "mistakes.json" not in part_files(bank, bank.part("part2"))


@pytest.mark.parametrize("name", ["part2.json", "part2.toml"])
def test_a_damaged_bank_stops_the_build_with_the_files_name(bank, name):
    (bank.root / "autograder" / "misconceptions" / name).write_text("{")
    with pytest.raises(CourseError, match=name):
        part_files(bank, bank.part("part2"))


def test_the_leak_scan_knows_the_numbers_of_hidden_tests(bank, tmp_path):
    secrets = collect_secrets(bank, bank.part("part2"))
    folder = tmp_path / "out"
    folder.mkdir()
    for name, content in part_files(bank, bank.part("part2")).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    assert scan_folder(folder, secrets) == []
    table = json.loads((folder / "mistakes.json").read_text())
    table["fingerprints"][0]["seen"].append(["test_one", [["failed", 3, "", [-16.53125]]]])
    (folder / "mistakes.json").write_text(json.dumps(table))
    found = [str(leak) for leak in scan_folder(folder, secrets)]
    assert ["a hidden test's number" in leak and "mistakes.json" in leak for leak in found] == [True]


def test_a_corrected_suite_makes_no_hidden_number_public(bank):
    def numbers():
        return {one.phrase for one in collect_secrets(bank, bank.part("part2")) if one.what == "a hidden test's number"}

    before = numbers()
    path = bank.root / "autograder" / "suites" / "part2" / "test_hidden.py"
    path.write_text(path.read_text() + "\n# corrected, and nothing recorded since\n")
    assert numbers() == before != set()


def test_a_number_that_another_part_s_public_test_shows_is_no_secret(tmp_path):
    both = {"one": {"hidden test_a": [["failed", 1, "", [3.14159, 2.71828]]]}}
    other = {"one": {"public test_b": [["failed", 1, "", [3.14159]]], "hidden test_c": [["failed", 1, "", [1.41421]]]}}
    for part_id, tests in (("part1", both), ("part2", other)):
        made_up_recording(tmp_path, part_id, tests)
    assert hidden_numbers(tmp_path, ["part1", "part2"]) == {"part1": {2.71828}, "part2": {1.41421}}
    assert hidden_numbers(tmp_path, ["part1"]) == {"part1": {3.14159, 2.71828}}


@pytest.mark.parametrize("name", BANKS)
def test_the_table_holds_no_secret_of_any_part(name):
    course = REAL
    leaks = scan_folder(course.assignments / name, collect_secrets(course, course.part(name)))
    assert [str(leak) for leak in leaks] == []


def made_up_recording(kit: Path, part_id: str, tests: dict) -> None:
    suites = kit / "suites" / part_id
    suites.mkdir(parents=True)
    (suites / "test_public.py").write_text("")
    (kit / "misconceptions").mkdir(exist_ok=True)
    prints = [{"id": one, "engine": 0, "task": "1.1", "tests": shown} for one, shown in tests.items()]
    tree = {"suite": suite_digest(suites), "seed": 0, "digest": "", "fingerprints": prints}
    (kit / "misconceptions" / f"{part_id}.json").write_text(json.dumps(tree))
