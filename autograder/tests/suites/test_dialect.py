"""The dialect of the suites (suites/README.md), where a machine can see it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from autograder.judge.judge import SUITES

FILES = sorted(SUITES.glob("part*/test_*.py"))
QUESTIONS = {"isinstance", "issubclass", "hash", "type"}
PLAIN = {"list", "tuple", "dict", "int", "float", "str", "bool"}
MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)


def named(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def functions_of(path: Path) -> list[ast.FunctionDef]:
    return [item for item in parsed(path).body if isinstance(item, ast.FunctionDef) and item.name.startswith("test_")]


def test_every_part_has_a_public_and_a_hidden_suite() -> None:
    folders = {path.parent for path in FILES}
    assert folders
    assert {named(path) for path in FILES} == {
        f"{f.name}/test_{kind}.py" for f in folders for kind in ("public", "hidden")
    }


@pytest.mark.parametrize("path", FILES, ids=named)
def test_no_module_keeps_a_list_that_student_code_could_change(path: Path) -> None:
    kept = [
        item.lineno
        for item in parsed(path).body
        if isinstance(item, ast.Assign | ast.AnnAssign) and isinstance(item.value, MUTABLE)
    ]
    assert kept == []


@pytest.mark.parametrize("path", FILES, ids=named)
def test_student_objects_are_never_asked_about_their_type_or_hash(path: Path) -> None:
    asked = [
        node.lineno
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in QUESTIONS
        # What a function of the test is called with has crossed as plain data; that may be asked.
        if not {name.id for name in ast.walk(node.args[-1]) if isinstance(name, ast.Name)} <= PLAIN
    ]
    assert asked == []


@pytest.mark.parametrize("path", FILES, ids=named)
def test_every_test_names_a_task_of_its_part_and_says_what_it_claims(path: Path) -> None:
    number = path.parent.name.removeprefix("part")
    for test in functions_of(path):
        marks = [ast.unparse(mark) for mark in test.decorator_list]
        assert any(mark.startswith(f"pytest.mark.task('{number}.") for mark in marks), test.name
        assert test.name.count("_") >= 3, f"{test.name} is no sentence"
        if path.name == "test_public.py":
            assert ast.get_docstring(test), f"{test.name} has no line that says what is computed"


@pytest.mark.parametrize("path", [path for path in FILES if path.name == "test_public.py"], ids=named)
def test_a_public_suite_imports_nothing_of_ours(path: Path) -> None:
    imports = [node for node in ast.walk(parsed(path)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {node.module if isinstance(node, ast.ImportFrom) else node.names[0].name for node in imports}
    assert not [name for name in names if name and name.startswith("autograder")]
