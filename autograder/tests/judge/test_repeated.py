"""One process judges many submissions: the same one always the same, whatever is loaded, set, or started in between."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings

from autograder.judge import judge as judging
from autograder.judge.students import Remote
from autograder.judge.verdict import Verdict
from autograder.judge.zygote import close_zygotes, get_zygote
from autograder.tests.judge.test_attacks import bare

Judge = Callable[..., Verdict]


@pytest.fixture
def odd(reference: str) -> str:
    """Deterministic code whose sets have no fixed order, and whose errors name addresses and sets of names."""
    source = reference.replace("tuple(_children)", "set(_children)")
    source = source.replace("self.grad += other.data * out.grad", "self.grad += self.data * out.grad")
    source = source.replace("        return order\n", "        raise KeyError(self)\n")
    return source.replace("(1.0 - t * t) * out.grad", "float(str({'alpha', 'beta', 'gamma', 'delta'}))")


def test_another_zygote_changes_nothing(judge: Judge, small: None, odd: str) -> None:
    first = judge(odd)
    close_zygotes()
    assert bare(judge(odd)) == bare(first)
    assert 0 < first.score < first.max
    messages = " ".join(test.message for task in first.tasks for test in task.tests)
    assert "KeyError at value.py" in messages
    assert "'alpha'" in messages
    assert "0x" not in messages


def test_another_module_full_of_numbers_changes_nothing(
    judge: Judge, small: None, odd: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = bare(judge(odd))
    for number in range(3):
        path = tmp_path / f"local_{number}.py"
        path.write_text(f"NUMBERS = [{', '.join(f'{i / 7:.3f}' for i in range(200))}, 1.23456]\n")
        module = ModuleType(path.stem)
        module.__file__ = str(path)
        monkeypatch.setitem(sys.modules, path.stem, module)
    assert bare(judge(odd)) == first


def test_pytest_s_own_variables_change_nothing(
    judge: Judge, small: None, odd: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = bare(judge(odd))
    monkeypatch.setenv("PYTEST_ADDOPTS", "-x -k backward")
    monkeypatch.setenv("PYTEST_PLUGINS", "no_such_plugin")
    assert bare(judge(odd)) == first
    assert os.environ["PYTEST_ADDOPTS"] == "-x -k backward"


def test_what_hypothesis_is_set_to_outside_is_left_alone(judge: Judge, small: None, reference: str) -> None:
    before = settings.get_current_profile_name()
    judge(reference)
    assert settings.get_current_profile_name() == before


def test_a_suite_that_has_changed_since_is_loaded_again(
    judge: Judge, reference: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suites = tmp_path / "suites"
    (suites / "part4").mkdir(parents=True)
    (suites / "pytest.ini").write_text("[pytest]\npython_files = test_public.py test_hidden.py\n")
    monkeypatch.setattr(judging, "SUITES", suites)
    body = "import pytest\n" + "".join(
        f"@pytest.mark.task('4.{i}')\ndef test_{i}(Value):\n    assert Value(2.5).data == 2.5\n" for i in range(1, 6)
    )
    for number, score in [("2.5", 16.0), ("3.25", 0.0)]:
        (suites / "part4" / "test_public.py").write_text(body.replace("== 2.5", f"== {number}  # as it is now"))
        assert judge(reference).score == score


def test_a_thread_may_judge_and_leaves_the_zygote_running(judge: Judge, small: None, reference: str) -> None:
    close_zygotes()
    verdicts: list[Verdict] = []
    for _ in range(2):
        thread = threading.Thread(target=lambda: verdicts.append(judge(reference)))
        thread.start()
        thread.join()
    assert [verdict.score for verdict in verdicts] == [16.0, 16.0]
    zygote = get_zygote(verdicts[0].sandbox)
    assert zygote.alive
    assert judge(reference).score == 16.0
    assert get_zygote(verdicts[0].sandbox) is zygote


def test_two_threads_take_turns(judge: Judge, small: None, reference: str, stub: str, tmp_path: Path) -> None:
    scores: dict[str, float] = {}

    def work(name: str, source: str) -> None:
        (tmp_path / name).mkdir()
        (tmp_path / name / "value.py").write_text(source)
        scores[name] = judge(tmp_path / name).score

    threads = [threading.Thread(target=work, args=case) for case in (("right", reference), ("stub", stub))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert scores == {"right": 16.0, "stub": 0.0}


def test_a_suite_that_cannot_be_collected_is_the_judge_s_fault(
    judge: Judge, reference: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suites = tmp_path / "suites"
    (suites / "part4").mkdir(parents=True)
    (suites / "pytest.ini").write_text("[pytest]\npython_files = test_public.py\n")
    (suites / "part4" / "test_public.py").write_text("import no_such_module\n")
    monkeypatch.setattr(judging, "SUITES", suites)
    with pytest.raises(judging.JudgeError, match=r"the suites of part4 did not run .*no_such_module"):
        judge(reference)


def test_an_interruption_is_one(judge: Judge, small: None, reference: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Remote, "find", interrupt)
    with pytest.raises(KeyboardInterrupt):
        judge(reference)


def test_judging_leaves_nothing_behind(judge: Judge, small: None, odd: str) -> None:
    def size() -> tuple[int, int, int]:
        gc.collect()
        return len(sys.modules), len(gc.get_objects()), len(os.listdir("/proc/self/fd"))

    for _ in range(2):
        judge(odd)
    modules, objects, descriptors = size()
    for _ in range(3):
        judge(odd)
    now = size()
    assert now[0] == modules
    assert now[2] == descriptors
    assert now[1] < objects + 3_000


@pytest.mark.slow
def test_fifty_judgements_are_one(judge: Judge, odd: str) -> None:
    found = set()
    for number in range(50):
        if number % 10 == 9:
            close_zygotes()
        found.add(bare(judge(odd)))
    assert len(found) == 1
