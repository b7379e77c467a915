"""Malformed replies and mutated submissions: always an answer of ours, never a traceback of ours.

By default in a small size; `pytest -m slow` sends 100,000 replies and 1,000 submissions.
"""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from autograder.judge.proxy import NotPlain, Proxy
from autograder.judge.remote import ALLOWED_ERRORS, StudentError, WorkerStopped
from autograder.judge.verdict import Verdict
from autograder.tests.judge.conftest import SHORT
from autograder.tests.judge.fake_zygote import FakeZygote, line, request_number

ODD: list[Any] = [
    *(None, True, -1, 0, 2**70, 1.5, float("nan"), float("inf"), "", "h", "\ud800", "x" * 60_000, [], {}, [[]]),
    *({"h": 1, "t": "V"}, {"h": "1", "t": 2}, {"h": 1}, {"i": "ff"}, {"i": 7}, {"i": "no"}, {"i": "f" * 9_999}),
    *({"l": [1]}, {"l": 5}, {"s": [[1]]}, {"s": [{"l": []}]}, {"d": [[1]]}, {"d": [[{"d": []}, 1]]}, {"c": 0}),
    *(
        {"c": -1},
        {"c": "f"},
        {"c": 9},
        {"t": {"t": {"t": []}}},
        {"z": 1},
        {"a": 1, "b": 2},
        {"l": [{"l": [{"l": []}]}]},
    ),
]


def valid(random: random.Random, seq: int) -> list[Any]:
    """A message as a worker might send it."""
    place = random.choice([None, ["value.py", 7, "act"]])
    return random.choice(
        [
            ["r", seq, {"t": [1.5, {"h": 3, "t": "Value"}]}, []],
            ["r", seq, 1.5, [[0, [1, {"i": "ff"}]]]],
            ["e", seq, ["Mine", "ValueError", "Exception"], "said so", place, None],
            ["c", 0, [1.5, {"h": 3, "t": "V"}], {}],
            ["c", 0, [], {"key": 1}],
            ["x", place, seq],
        ]
    )


def spoilt(random: random.Random, seq: int) -> bytes:
    """A message with some of its parts replaced, or its bytes."""
    message = valid(random, seq)
    for _ in range(random.randrange(3)):
        place: Any = message
        while random.random() < 0.6 and isinstance(place, list | dict) and place:
            inner = random.choice(list(place.values() if isinstance(place, dict) else place))
            if not isinstance(inner, list | dict) or not inner:
                break
            place = inner
        change = random.randrange(3)
        if isinstance(place, list) and place:
            index = random.randrange(len(place))
            if change == 0:
                place[index] = copy.deepcopy(random.choice(ODD))
            elif change == 1:
                del place[index]
            else:
                place.insert(index, copy.deepcopy(random.choice(ODD)))
        elif isinstance(place, dict) and place:
            place[random.choice(list(place))] = copy.deepcopy(random.choice(ODD))
    data = bytearray(json.dumps(message).encode() + b"\n")
    if random.random() < 0.2:
        for _ in range(random.randrange(1, 4)):
            data[random.randrange(len(data))] = random.randrange(256)
    return bytes(data) + b"\n"  # so that a spoilt end does not leave the judge waiting


def known(value: Any) -> bool:
    if type(value) in (list, tuple, set, frozenset):
        return all(map(known, value))
    if type(value) is dict:
        return all(map(known, value)) and all(map(known, value.values()))
    return value is None or type(value) in (bool, int, float, str, Proxy) or value is function


def function(*args: Any, **kwargs: Any) -> float:
    return 2.5


def send_malformed(count: int) -> Counter[str]:
    """How often each kind of end came. Anything that is none of them is raised."""
    chance = random.Random(11)
    fake = FakeZygote(lambda message: spoilt(chance, 0 if message[0] == "return" else request_number(message)))
    ends: Counter[str] = Counter()
    worker = None
    for _ in range(count):
        if worker is None:
            worker = fake.worker()
        try:
            assert known(worker.ask("call", function, [1.5]))
            ends["value"] += 1
        except WorkerStopped as stop:
            ends[stop.outcome if stop.sentence else "without a word"] += 1
            worker.end()
            worker = None
        except (StudentError, *ALLOWED_ERRORS.values()) as error:
            ends["error" if hasattr(error, "failure") else f"of the judge's own: {error!r}"] += 1
    if worker is not None:
        worker.end()
    return ends


def test_a_malformed_reply_is_a_value_an_error_of_the_student_s_or_the_end() -> None:
    ends = send_malformed(3_000)
    assert ends.keys() == {"value", "error", "crashed", "timeout"}
    assert min(ends.values()) > 20


@pytest.mark.slow
def test_a_hundred_thousand_malformed_replies() -> None:
    assert send_malformed(100_000).keys() == {"value", "error", "crashed", "timeout"}


def test_an_answer_to_another_request_is_not_taken() -> None:
    for shift in (-1, 1, 2**40):
        worker = FakeZygote(lambda message, s=shift: line("r", request_number(message) + s, 6.0, [])).worker()
        with pytest.raises(WorkerStopped, match="disturbed the connection"):
            worker.ask("nothing")


def test_two_answers_to_one_request_end_the_next_one() -> None:
    worker = FakeZygote(lambda message: 2 * line("r", request_number(message), 6.0, [])).worker()
    assert worker.ask("nothing") == 6.0
    with pytest.raises(WorkerStopped, match="disturbed the connection"):
        worker.ask("nothing")


def test_a_place_that_is_not_in_the_submission_is_not_believed() -> None:
    for place in (["judge.py", 1, "f"], ["value.py", 10**6, "f"], ["value.py", 0, "f"], ["value.py", "1", "f"], 7):
        worker = FakeZygote(lambda m, p=place: line("e", request_number(m), ["ValueError"], "no", p, None)).worker()
        with pytest.raises(ValueError, match="no") as caught:
            worker.ask("nothing")
        assert caught.value.failure.place is None


def test_a_name_in_a_place_that_is_no_name_is_left_out() -> None:
    place = ["value.py", 3, "\x1b[2J"]
    worker = FakeZygote(lambda m: line("e", request_number(m), ["ValueError"], "no", place, None)).worker()
    with pytest.raises(ValueError, match="no") as caught:
        worker.ask("nothing")
    assert (caught.value.failure.place.line, caught.value.failure.place.function) == (3, "")


def test_what_an_object_claims_to_be_called_is_cut() -> None:
    worker = FakeZygote(lambda m: line("r", request_number(m), {"h": 1, "t": "T" * 5_000}, [])).worker()
    proxy = worker.ask("nothing")
    assert len(repr(proxy)) < 100
    with pytest.raises(NotPlain):
        float(proxy)


# ---- submissions ------------------------------------------------------------------------------------------------


def mutated(chance: random.Random, source: bytes) -> bytes:
    data = bytearray(source)
    for _ in range(chance.choice([1, 1, 1, 2, 20])):
        at = chance.randrange(len(data))
        change = chance.randrange(4)
        if change == 0:
            data[at] = chance.randrange(256)
        elif change == 1:
            del data[at : at + chance.randrange(1, 30)]
        elif change == 2:
            start = chance.randrange(len(data))
            data[at:at] = data[start : start + chance.randrange(1, 60)]
        else:
            data[at] = ord(chance.choice("+-*/=()[]:., \n\t#'\"01"))
    return bytes(data)


def judge_mutated(judge: Callable[..., Verdict], source: str, count: int) -> list[Verdict]:
    chance = random.Random(13)
    verdicts = [judge(mutated(chance, source.encode()), budget=SHORT) for _ in range(count)]
    for verdict in verdicts:
        assert 0 <= verdict.score <= verdict.max
        for task in verdict.tasks:
            assert all(test.outcome == "passed" or test.message for test in task.tests)
    return verdicts


def test_a_mutated_submission_gets_a_verdict(judge: Callable[..., Verdict], small: None, reference: str) -> None:
    verdicts = judge_mutated(judge, reference, 40)
    assert any(verdict.problem for verdict in verdicts)
    assert any(verdict.problem is None for verdict in verdicts)


@pytest.mark.slow
def test_a_thousand_mutated_submissions(judge: Callable[..., Verdict], small: None, reference: str) -> None:
    assert len(judge_mutated(judge, reference, 1_000)) == 1_000
