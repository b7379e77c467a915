"""predict("a.grad after b = a + a", None): a student's answer before the cell that shows it, and what came out after.

It keeps no score and writes nothing down: a prediction is an object in the notebook and nothing else.
"""

from __future__ import annotations

import math

from .svg import as_float, number, plain

LONGEST = 120


class Prediction:
    """What was asked and what was answered (None while nothing was). Shown by a notebook as a sentence."""

    def __init__(self, question: str, answer: object) -> None:
        self.question, self.answer = plain(question, LONGEST), answer

    def __repr__(self) -> str:
        if self.answer is None:
            return f"{self.question}: what do you expect? Put it in the place of None and run this cell again."
        return f"{self.question}: you expect {_shown(self.answer)}."

    def saw(self, outcome: object) -> None:
        """Print what happened beside what was predicted."""
        came = f"{self.question}: it is {_shown(outcome)}"
        if self.answer is None:
            print(f"{came}. (You had not put down what you expected.)")
            return
        agree = _agree(self.answer, outcome)
        expected = f"; you expected {_shown(self.answer)}."
        print(came + (", as you expected." if agree else expected + " Where does that come from?" * (agree is False)))


def predict(question: str, answer: object = None) -> Prediction:
    """Note an answer before it is shown; .saw(outcome) says afterwards what happened."""
    return Prediction(question, answer)


def _agree(answer: object, outcome: object) -> bool | None:
    """Whether the two say the same; None where only a person can tell."""
    if isinstance(answer, bool) or isinstance(outcome, bool) or isinstance(answer, str):
        words = {True: ("true", "yes"), False: ("false", "no")}
        if isinstance(outcome, bool):
            said = str(answer).strip().lower()
            return said in words[outcome] if said in (*words[True], *words[False]) else None
        return True if str(answer).strip().lower() == str(outcome).strip().lower() else None
    if isinstance(answer, (list, tuple)) and isinstance(outcome, (list, tuple)):
        if len(answer) != len(outcome):
            return False
        each = [_agree(one, other) for one, other in zip(answer, outcome, strict=True)]
        return None if None in each else all(each)
    guessed, exact = as_float(answer), as_float(outcome)
    if guessed is None or exact is None:
        return None
    # Somebody who writes 0.71 for 0.7071 has predicted it: to as many digits as were written down.
    decimals = len(str(guessed).partition(".")[2]) if "e" not in str(guessed) else 12
    return guessed == exact or math.isclose(guessed, round(exact, decimals), rel_tol=1e-9)


def _shown(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(_shown(one) for one in value) + ")"
    return number(value) if as_float(value) is not None and not isinstance(value, bool) else plain(value, LONGEST)
