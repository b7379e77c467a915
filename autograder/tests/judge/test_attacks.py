"""Hostile submissions, each in a folder of attacks/: none gains anything, and each gets a verdict with clear sentences.

The first lines of a value.py say what to expect: `# EXPECT: zero` nothing is gained by the trick, `error` the same with
the submission or a test in error, `full` right code with a harmless oddity. Folders from 101 on are the kit's own.
By default they are judged by the small suites, and at good only where the operating system takes part;
`pytest -m slow` judges all at both levels by the real suites.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.judge import judge as judging
from autograder.judge.safe_text import plain
from autograder.judge.sandbox import probe
from autograder.judge.verdict import Level, Verdict
from autograder.judge.zygote import Budget, Limits
from autograder.tests.judge.bench import unavailable
from autograder.tests.judge.conftest import SHORT

ATTACKS = Path(__file__).parent / "attacks"
NAMES = sorted(path.name for path in ATTACKS.iterdir())

# Short, because who hangs does so in every task. A right engine on a busy machine must not run into it.
HASTY = Budget(Limits(1, 0.8), Limits(1, 0.8), Limits(1, 0.3), timeouts=1)

# These are wrong at one place, or at times; what they have right may earn its points.
MAY_EARN = {
    "121_recursion_limit_by_frames": {"4.4"},  # its order is right on trees that are not deep
    "21_hardcoded_documents": {"4.4"},
    "39_patch_itself_second_call": {"4.1", "4.2", "4.3", "4.4", "4.5"},
    "41_call_counter": {"4.1", "4.2", "4.3", "4.4", "4.5"},
    "43_random_half": {"4.1", "4.2", "4.3", "4.4", "4.5"},
    "61_bigint_tanh": {"4.1", "4.2", "4.4", "4.5"},
    "63_sleep_in_backward": {"4.1", "4.2", "4.3", "4.4"},
    "81_generator_exit_operator": {"4.3", "4.4", "4.5"},
}
# At good the operating system is held off by other means than at strong.
TOUCHES_THE_SYSTEM = re.compile(
    r"\d+_(environment|inherited|kill|unlink|close_fds|multi|daemon|reads_the|counts_on|segfault|big_stack|audit|signal)"
)
GRAFT_SOURCE = ("children_are_placed", "reversed(self.topological_order())", "_graft_of_the_reference")


def expected(name: str) -> str:
    head = (ATTACKS / name / "value.py").read_text(encoding="utf-8", errors="replace")[:600]
    found = re.search(r"EXPECT: (zero|error|full)\b", head)
    assert found, f"{name} does not say what to expect"
    return found.group(1)


def suites_digest() -> str:
    """The bytes of everything that a submission must leave alone."""
    total = hashlib.sha256()
    for folder in ("suites", "judge", "worker"):
        for path in sorted((Path(judging.__file__).parent.parent / folder).rglob("*.py")):
            total.update(path.read_bytes())
    return total.hexdigest()


def check(name: str, verdict: Verdict) -> None:
    """The verdict is what the attack's EXPECT line says, and its sentences are safe."""
    kind = expected(name)
    if kind == "full":
        assert verdict.score == verdict.max
        return
    for task in verdict.tasks:
        assert task.score == 0.0 or task.id in MAY_EARN.get(name, ()), task
    assert verdict.score < verdict.max
    assert verdict.problem is None or len(verdict.problem) > 10
    for test in (test for task in verdict.tasks for test in task.tests if test.outcome != "passed"):
        assert 10 < len(test.message) < 1_000
        assert plain(test.message, 10_000) == test.message
        assert not any(text in test.message for text in GRAFT_SOURCE)


@pytest.fixture
def untouched() -> object:
    """Nothing on this machine has changed when the test is over."""
    before = suites_digest(), dict(os.environ), os.getcwd()
    yield
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    before[1].pop("PYTEST_CURRENT_TEST", None)
    assert (suites_digest(), environment, os.getcwd()) == before


def on(level: Level) -> None:
    if not probe(level).works:
        unavailable(level, probe(level).sentence)


@pytest.mark.parametrize("name", NAMES)
def test_an_attack_gains_nothing(judge: Callable[..., Verdict], small: None, untouched: None, name: str) -> None:
    on("strong")
    check(name, judge(ATTACKS / name, "strong", None if expected(name) == "full" else HASTY))


@pytest.mark.parametrize("name", [name for name in NAMES if TOUCHES_THE_SYSTEM.match(name)])
def test_an_attack_on_the_system_gains_nothing_without_bubblewrap(
    judge: Callable[..., Verdict], small: None, untouched: None, name: str
) -> None:
    on("good")
    check(name, judge(ATTACKS / name, "good", None if expected(name) == "full" else HASTY))


def test_after_attacks_the_next_submission_is_judged_as_before(
    judge: Callable[..., Verdict], small: None, reference: str
) -> None:
    before = bare(judge(reference))
    for name in ("03_patch_builtins", "104_thread_that_answers", "17_kill_parent"):
        judge(ATTACKS / name, budget=HASTY)
    assert bare(judge(reference)) == before


def bare(verdict: Verdict) -> str:
    """The verdict as text, without the times."""
    tasks = [
        task.model_copy(update={"tests": [test.model_copy(update={"seconds": 0.0}) for test in task.tests]})
        for task in verdict.tasks
    ]
    return verdict.model_copy(update={"tasks": tasks}).to_json()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_an_attack_gains_nothing_by_the_real_suites(
    judge: Callable[..., Verdict], untouched: None, name: str, level: Level
) -> None:
    check(name, judge(ATTACKS / name, level, None if expected(name) == "full" else SHORT))


# ---- those that can't be kept as files ---------------------------------------------------------------------------

LATIN = "# -*- coding: latin-1 -*-\nTEXT = 'Gr\u00f6\u00dfe'\n"
FILLER = "".join(f"# note {i}\ndef helper_{i}(x): return x + {i}\n" for i in range(5_000))
SPECIAL: dict[str, tuple[Callable[[str], bytes], str]] = {
    "null bytes": (lambda right: right.replace("0.0", "0.0\0\0", 1).encode(), "error"),
    "not UTF-8": (lambda right: ("# Gr\u00f6\u00dfe\n" + right).encode("latin-1"), "error"),
    "an encoding that is none": (lambda right: b"# -*- coding: klingon -*-\n" + right.encode(), "error"),
    "empty": (lambda right: b"", "error"),
    "CRLF": (lambda right: right.replace("\n", "\r\n").encode(), "full"),
    "byte order mark": (lambda right: b"\xef\xbb\xbf" + right.encode(), "full"),
    "declared Latin-1": (lambda right: (LATIN + right).encode("latin-1"), "full"),
    "very long": (lambda right: (right + FILLER).encode(), "full"),
    "form feeds and old line ends": (lambda right: ("\f\n" + right + "\f\n# end\r# of it\r").encode(), "full"),
    "50 MB of comments": (lambda right: b"# comment\n" * 5_000_000 + right.encode(), "error"),
}


@pytest.mark.parametrize("kind", SPECIAL)
def test_a_file_of_odd_bytes_is_judged_or_refused_with_a_sentence(
    judge: Callable[..., Verdict], small: None, reference: str, kind: str
) -> None:
    make, expectation = SPECIAL[kind]
    verdict = judge(make(reference))
    if expectation == "full":
        assert verdict.score == verdict.max
    else:
        assert verdict.score == 0.0
        assert verdict.problem is not None
        assert verdict.problem.startswith("value.py ")
