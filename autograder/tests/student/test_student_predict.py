"""predict(): the answer before, what happened after, and no score."""

import pytest

CASES = [
    (1, 2.0, "a + a: it is 2; you expected 1. Where does that come from?\n"),
    (2, 2.0, "a + a: it is 2, as you expected.\n"),
    (0.71, 0.70710678, "a + a: it is 0.7071, as you expected.\n"),
    (0.7, 0.70710678, "a + a: it is 0.7071, as you expected.\n"),
    (0.72, 0.70710678, "a + a: it is 0.7071; you expected 0.72. Where does that come from?\n"),
    (0.5, 0.4999999999999999, "a + a: it is 0.5, as you expected.\n"),
    (3, float("inf"), "a + a: it is inf; you expected 3. Where does that come from?\n"),
    ((-4, 2), [-4.0, 2.0], "a + a: it is (-4, 2), as you expected.\n"),
    ((-4, 2), [-4.0, 2.5, 1.0], "a + a: it is (-4, 2.5, 1); you expected (-4, 2). Where does that come from?\n"),
    ("yes", True, "a + a: it is True, as you expected.\n"),
    ("No", True, "a + a: it is True; you expected No. Where does that come from?\n"),
    (False, False, "a + a: it is False, as you expected.\n"),
    ("about three", 3.25, "a + a: it is 3.25; you expected about three.\n"),
    ("the first", "The first", "a + a: it is The first, as you expected.\n"),
    (None, 2.0, "a + a: it is 2. (You had not put down what you expected.)\n"),
]


@pytest.mark.parametrize(("answer", "outcome", "said"), CASES)
def test_what_happened_stands_beside_what_was_expected(kit, capsys, answer, outcome, said):
    kit.predict("a + a", answer).saw(outcome)
    assert capsys.readouterr().out == said


def test_without_an_answer_it_asks_for_one_and_with_one_it_says_it_back(kit):
    assert repr(kit.predict("a.grad")) == (
        "a.grad: what do you expect? Put it in the place of None and run this cell again."
    )
    assert repr(kit.predict("a.grad", 1)) == "a.grad: you expect 1."


def test_nothing_is_printed_before_the_outcome_and_no_file_is_written(kit, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kit.predict("a + a", 7)
    assert capsys.readouterr().out == ""
    assert list(tmp_path.iterdir()) == []
