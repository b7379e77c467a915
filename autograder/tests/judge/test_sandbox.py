"""The levels as the judge sees them: proved by a canary, explained in a sentence, never believed by name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.judge import bubblewrap, sandbox
from autograder.judge.verdict import LEVELS
from autograder.tests.judge.bench import unavailable
from autograder.worker import interpreter


@pytest.fixture(autouse=True)
def forgotten_probes() -> Iterator[None]:
    """Each test probes for itself, and leaves nothing behind that it has bent."""
    sandbox.probe.cache_clear()
    yield
    sandbox.probe.cache_clear()


def pretend(monkeypatch: pytest.MonkeyPatch, **reports: dict[str, object] | Exception) -> None:
    def run(level: str) -> object:
        report = reports[level]
        if isinstance(report, Exception):
            raise report
        return report

    monkeypatch.setattr(sandbox, "_run_canary", run)


CLEAN: dict[str, object] = {"went_through": [], "broken": []}


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_of_this_machine_works_or_says_why_not(level) -> None:
    probe = sandbox.probe(level)
    if not probe.works:
        unavailable(level, probe.sentence)
    assert sandbox.explain(level) == f"Level {level} works here."


def test_the_best_level_that_works_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, strong=sandbox.SandboxError("no bubblewrap"), good=CLEAN, weak=CLEAN)
    assert sandbox.available() == "good"


@pytest.mark.parametrize(
    ("level", "leak"),
    [
        ("weak", "write a file"),
        ("good", "read a file of the judge's"),
        ("good", "open a network socket"),
        ("good", "signal the judge"),
        ("good", "start a process"),
        ("good", "be root"),
        ("strong", "see the judge's process"),
    ],
)
def test_a_level_does_not_count_when_its_canary_got_through(monkeypatch: pytest.MonkeyPatch, level, leak: str) -> None:
    pretend(monkeypatch, **{level: {"went_through": [leak], "broken": []}})
    assert not sandbox.probe(level).works
    assert f"the canary could {leak}" in sandbox.explain(level)


def test_seeing_that_a_path_exists_is_allowed_at_good(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, good={"went_through": ["see that a file of the judge's exists"], "broken": []})
    assert sandbox.probe("good").works


def test_a_level_in_which_python_is_broken_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, good={"went_through": [], "broken": ["import random (ImportError: no)"]})
    assert sandbox.explain("good") == (
        "Level good is not usable here: in it a program cannot import random (ImportError: no)."
    )


def test_without_bubblewrap_the_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "find", lambda: None)
    assert not sandbox.probe("strong").works
    assert "apt-get install bubblewrap" in sandbox.explain("strong")


@pytest.mark.parametrize(
    ("complaint", "advice"),
    [
        ("bwrap: No permissions to create new namespace", "allow unprivileged user namespaces"),
        ("bwrap: Creating new namespace failed: Operation not permitted", "allow unprivileged user namespaces"),
        ("bwrap: setting up uid map: Permission denied", "AppArmor profile"),
        ("bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", "AppArmor profile"),
    ],
)
def test_what_bubblewrap_complains_of_becomes_advice(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, complaint: str, advice: str
) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text(f"#!/bin/sh\necho '{complaint}' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setattr(bubblewrap, "find", lambda: str(fake))
    sentence = sandbox.explain("strong")
    assert advice in sentence
    assert complaint in sentence


def test_a_bubblewrap_that_does_nothing_is_not_strong(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # It starts the command without any sandbox: the name alone must not be believed.
    fake = tmp_path / "bwrap"
    inside = f"{bubblewrap.INSIDE}/worker/__main__.py"
    real = sandbox.WORKER_PACKAGE / "__main__.py"
    fake.write_text(
        '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\n'
        f'for word; do shift; [ "$word" = {inside} ] && word={real}; set -- "$@" "$word"; done\nexec "$@"\n'
    )
    fake.chmod(0o755)
    monkeypatch.setattr(bubblewrap, "find", lambda: str(fake))
    assert sandbox.explain("strong") == (
        "Level strong is not possible here: level strong was asked for, but this process is not inside the bubblewrap "
        "sandbox."
    )


def test_a_machine_without_any_level_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = sandbox.SandboxError("nothing starts")
    pretend(monkeypatch, strong=broken, good=broken, weak=broken)
    with pytest.raises(sandbox.SandboxError, match="Level weak is not possible here: nothing starts"):
        sandbox.available()


def test_a_level_that_is_demanded_but_does_not_work_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, strong=sandbox.SandboxError("no bubblewrap"), good=CLEAN)
    sandbox.demand("good")
    with pytest.raises(sandbox.SandboxError, match="Level strong is not possible here: no bubblewrap"):
        sandbox.demand("strong")


def test_a_level_is_probed_once_per_process(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []
    monkeypatch.setattr(sandbox, "_run_canary", lambda level: runs.append(level) or CLEAN)
    for _ in range(3):
        sandbox.probe("good")
    assert runs == ["good"]


def test_a_zygote_s_environment_is_ours_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MICROGRADER_SECRET", "6.0")
    assert sandbox.environment().keys() == {"PATH", "LANG", "MALLOC_ARENA_MAX", "PYTHONHASHSEED"}


def test_python_starts_without_packages_or_foreign_paths_and_writes_no_bytecode() -> None:
    command = sandbox.command("good", 7)
    assert command[1:5] == ["-P", "-s", "-S", "-B"]
    assert command[-3:] == ["7", "good", "zygote"]


def test_the_sandbox_shows_no_installed_package_and_no_proc() -> None:
    arguments = bubblewrap.arguments(str(sandbox.WORKER_PACKAGE), {})
    assert "--proc" not in arguments
    shown = [arguments[i + 1] for i, word in enumerate(arguments) if word == "--ro-bind"]
    hidden = [arguments[i + 1] for i, word in enumerate(arguments) if word == "--tmpfs"]
    for folder in filter(os.path.isdir, shown):
        assert set(interpreter.third_party(folder)) <= set(hidden)


def test_landlock_grants_leave_out_installed_packages() -> None:
    python = interpreter.find()
    whole = [path for path, readable in interpreter.readable(python) if readable]
    for folder in python.stdlib:
        for packages in interpreter.third_party(folder):
            assert not any(interpreter.inside(packages, granted) for granted in whole)
    assert os.__file__ == os.path.join(os.path.dirname(os.__file__), "os.py")
    assert any(interpreter.inside(os.path.realpath(os.__file__), granted) for granted in whole)


@pytest.mark.parametrize(("works", "wanted"), [("strong", "good"), ("good", "good"), ("weak", "weak")])
def test_grades_are_given_at_the_best_level_that_is_good_enough(monkeypatch, works, wanted):
    monkeypatch.setattr(sandbox, "available", lambda: works)
    assert sandbox.at_least(wanted) == works


def test_grades_are_refused_at_a_lower_level_than_the_course_demands(monkeypatch):
    monkeypatch.setattr(sandbox, "available", lambda: "weak")
    monkeypatch.setattr(sandbox, "explain", lambda level: f"Level {level} is not possible here: no Landlock.")
    with pytest.raises(sandbox.SandboxError, match=r'only weak works here\. Level good .* sandbox = "weak" in'):
        sandbox.at_least("good")
