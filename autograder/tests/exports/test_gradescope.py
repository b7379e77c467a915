"""The Gradescope zip, unpacked and run as that platform does: right, wrong and hostile submissions, as this user."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from autograder.course.manifest import load_course
from autograder.demo_class import HERE as SAMPLES
from autograder.exports.gradescope import NEEDED, write_zip

REPOSITORY = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def autograder(tmp_path_factory) -> Path:
    """/autograder as Gradescope lays it out, in another place."""
    course = load_course(REPOSITORY)
    root = tmp_path_factory.mktemp("gradescope") / "autograder"
    for folder in ("source", "submission", "results"):
        (root / folder).mkdir(parents=True)
    path = write_zip(course, course.part("4"), root.parent / "autograder.zip")
    with zipfile.ZipFile(path) as archive:
        archive.extractall(root / "source")
        assert archive.getinfo("run_autograder").external_attr >> 16 & 0o111
    shutil.copy(root / "source" / "run_autograder", root / "run_autograder")
    (root / "run_autograder").chmod(0o755)
    return root


def run(root: Path, files: dict[str, str]) -> tuple[subprocess.CompletedProcess[str], dict | None]:
    """Hand `files` in, run the autograder, and return how it ended and what results.json says."""
    shutil.rmtree(root / "submission")
    (root / "submission").mkdir()
    for name, text in files.items():
        (root / "submission" / name).write_text(text)
    environment = {"PATH": os.defpath, "MICROGRADER_PYTHON": sys.executable}
    done = subprocess.run(
        [root / "run_autograder"], cwd=root, env=environment, capture_output=True, text=True, timeout=600
    )
    result = root / "results" / "results.json"
    return done, json.loads(result.read_text()) if result.is_file() else None


def sample(name: str) -> str:
    return (SAMPLES / name).read_text()


def total(results: dict) -> float:
    return sum(test["score"] for test in results["tests"])


def check_format(results: dict) -> None:
    """What Gradescope's specification asks of results.json."""
    assert "score" not in results  # each test has one
    assert results["visibility"] == "visible"
    assert results["stdout_visibility"] == "hidden"
    for test in results["tests"]:
        assert 0 <= test["score"] <= test["max_score"]
        assert test["output_format"] == "text"
        assert test["status"] in ("passed", "failed")
        assert isinstance(test["name"], str)
        assert isinstance(test["output"], str)


def test_a_right_submission_gets_everything(autograder):
    done, results = run(autograder, {"value.py": sample("stack.py"), "checks.py": sample("checks.py")})
    assert done.returncode == 0, done.stdout + done.stderr
    assert results is not None
    check_format(results)
    assert total(results) == 20
    assert {test["status"] for test in results["tests"]} == {"passed"}


def test_a_wrong_submission_reads_its_mistake_and_no_hidden_test(autograder):
    wrong = sample("stack.py").replace(".grad += ", ".grad = ")
    _, results = run(autograder, {"value.py": wrong, "checks.py": sample("checks.py")})
    assert results is not None
    check_format(results)
    plus = results["tests"][0]
    assert 0 < plus["score"] < 2
    assert "a.grad should be 2.0, got 1.0" in plus["output"]
    text = json.dumps(results)
    hidden = (REPOSITORY / "autograder" / "suites" / "part4" / "test_hidden.py").read_text()
    names = [line.split("(")[0].removeprefix("def ") for line in hidden.splitlines() if line.startswith("def test_")]
    assert len(names) > 20
    assert not [name for name in names if name in text]


HOSTILE = """
import glob, os
for name in {targets!r}:
    try:
        with open(name, "w") as file:
            file.write('{{"score": 20, "tests": []}}')
    except Exception:
        pass
leak = []
for name in {secrets!r}:
    try:
        leak.append(open(name).read())
    except Exception:
        pass
print(leak)
if leak:
    raise RuntimeError("read " + str(len(leak)))
os.environ.clear()
"""


def test_a_hostile_submission_neither_writes_its_score_nor_reads_a_test_and_costs_only_itself(autograder):
    secrets = [
        str(autograder / "source" / "autograder" / "suites" / "part4" / "test_hidden.py"),
        str(autograder / "source" / "solutions" / "value.py"),
    ]
    targets = [str(autograder / "results" / "results.json"), str(autograder / "run_autograder"), *secrets]
    before = [Path(path).read_bytes() for path in (*targets[1:],)]
    attack = HOSTILE.format(targets=targets, secrets=secrets)
    blank = "class Value:\n    pass\n"
    done, results = run(autograder, {"value.py": attack + blank, "checks.py": sample("checks.py")})
    assert done.returncode == 0, done.stdout + done.stderr
    assert results is not None
    check_format(results)
    assert "read 1" not in json.dumps(results)
    assert "read 2" not in json.dumps(results)
    _, other = run(autograder, {"value.py": blank, "checks.py": sample("checks.py")})
    assert other is not None
    assert [test["score"] for test in results["tests"]] == [test["score"] for test in other["tests"]]
    assert [Path(path).read_bytes() for path in (*targets[1:],)] == before


def test_an_empty_submission_gets_a_sentence_and_nothing_else(autograder):
    done, results = run(autograder, {})
    assert done.returncode == 0
    assert results is not None
    assert total(results) == 0
    assert "value.py" in results["output"]


def test_when_the_judge_cannot_work_there_is_no_score_at_all(autograder):
    run(autograder, {})
    manifest = autograder / "source" / "solutions" / "course.toml"
    text = manifest.read_text()
    manifest.write_text("title = ")
    try:
        done, results = run(autograder, {})
    finally:
        manifest.write_text(text)
    assert done.returncode == 1
    assert results is None  # nor the one of the run before
    assert "no score was given" in done.stdout
    assert "Traceback" not in done.stderr


def test_the_run_needs_only_what_setup_installs_and_uses_the_code_of_the_zip(autograder):
    source = autograder / "source"
    wanted = (source / "requirements.txt").read_text().split()
    assert [line.partition("==")[0] for line in wanted] == list(NEEDED)
    show = "import sys, autograder.exports.gradescope_run as run; print(run.__file__); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", show], env={"PYTHONPATH": str(source)}, cwd="/", capture_output=True, text=True
    )
    where, modules = done.stdout.splitlines()
    assert Path(where).is_relative_to(source)
    assert not {"nbgrader", "jupytext", "typer", "rich", "sqlalchemy", "jinja2.sandbox"} & set(modules.split())


def test_the_zip_leaves_other_parts_and_the_kits_tests_at_home_and_is_the_same_twice(autograder, tmp_path):
    course = load_course(REPOSITORY)
    again = write_zip(course, course.part("4"), tmp_path / "again.zip")
    with zipfile.ZipFile(again) as archive:
        names = archive.namelist()
    assert "setup.sh" in names
    assert "autograder/suites/part4/test_hidden.py" in names
    assert not [name for name in names if "part5" in name.split("/") or "/tests/" in name or name.endswith(".pyc")]
    assert again.read_bytes() == (autograder.parent / "autograder.zip").read_bytes()


def test_the_scripts_are_valid_bash(autograder):
    for name in ("setup.sh", "run_autograder"):
        subprocess.run(["bash", "-n", str(autograder / "source" / name)], check=True)
