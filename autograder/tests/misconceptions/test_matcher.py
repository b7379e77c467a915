"""Naming a mistake: a tiny bank of fingerprints, and what was seen of one task's tests."""

from autograder.judge.seen import Seen
from autograder.misconceptions.bank import Bank, Engine, Entry
from autograder.misconceptions.fingerprints import Fingerprint
from autograder.misconceptions.matcher import Match, name, sentence

WIPES = {
    "public twice": [Seen("failed", 7, "", (1.0,))],
    "hidden adds": [Seen("failed", 5, "", (-2.75,))],
    "hidden shared": [Seen("failed", 6, "", (3.5,)), Seen("failed", 6, "", (0.25,))],
    "hidden random": [Seen("failed", 9, "", (13.125,))],
}
FORGETS = {
    "public once": [Seen("failed", 4, "", (1.0,))],
    "hidden adds": [Seen("failed", 5, "", (0.5,))],
}
CALLS = {"public once": [Seen("error", 4, "TypeError:none-called")]}
KNOWN = [
    Fingerprint("wipes", 0, "4.1", WIPES),
    Fingerprint("forgets", 0, "4.1", FORGETS),
    Fingerprint("calls", 0, "4.1", CALLS),
    Fingerprint("elsewhere", 0, "4.2", {"public once": [Seen("failed", 4, "", (8.0,))]}),
]


def first_ways(tests):
    return {test: ways[0] for test, ways in tests.items()}


def test_a_task_that_ends_as_one_entry_does_in_every_test_is_named_exactly():
    seen = {**first_ways(WIPES), "public once": Seen("passed")}
    assert name(KNOWN, "4.1", seen) == Match("wipes", "exact")


def test_each_recorded_way_of_a_test_that_depends_on_an_order_counts():
    seen = {**first_ways(WIPES), "hidden shared": Seen("failed", 6, "", (0.25,))}
    assert name(KNOWN, "4.1", seen) == Match("wipes", "exact")


def test_the_last_digits_of_a_number_do_not_matter():
    seen = {**first_ways(WIPES), "hidden adds": Seen("failed", 5, "", (-2.7500000000000004,))}
    assert name(KNOWN, "4.1", seen) == Match("wipes", "exact")


def test_one_other_number_among_four_is_likely_and_not_exact():
    seen = {**first_ways(WIPES), "hidden adds": Seen("failed", 5, "", (-2.5,))}
    assert name(KNOWN, "4.1", seen) == Match("wipes", "likely")


def test_a_further_failed_test_takes_the_certainty_away():
    seen = {**first_ways(WIPES), "public once": Seen("failed", 4, "", (1.5,))}
    assert name(KNOWN, "4.1", seen) == Match("wipes", "likely")


def test_two_mistakes_at_once_are_never_exact():
    both = {**first_ways(WIPES), **first_ways(FORGETS)}
    match = name(KNOWN, "4.1", both)
    assert match is None or match.certainty == "likely"


def test_numbers_that_no_entry_shows_are_not_named():
    assert name(KNOWN, "4.1", {"public once": Seen("failed", 4, "", (77.0,))}) is None


def test_two_entries_that_show_the_same_are_not_told_apart():
    twin = Fingerprint("twin", 0, "4.1", WIPES)
    assert name([*KNOWN, twin], "4.1", first_ways(WIPES)) is None


def test_two_engines_of_one_entry_may_show_the_same():
    again = Fingerprint("wipes", 1, "4.1", WIPES)
    assert name([*KNOWN, again], "4.1", first_ways(WIPES)) == Match("wipes", "exact")


def test_the_sign_of_a_nought_tells_mistakes_apart():
    left = [Fingerprint("adds nought", 0, "4.1", {"hidden zero": [Seen("failed", 3, "", (0.0,))]})]
    assert name(left, "4.1", {"hidden zero": Seen("failed", 3, "", (0.0,))}) == Match("adds nought", "exact")
    assert name(left, "4.1", {"hidden zero": Seen("failed", 3, "", (-0.0,))}) is None


def test_a_known_error_is_evidence_and_any_other_error_alone_is_at_most_likely():
    assert name(KNOWN, "4.1", first_ways(CALLS)) == Match("calls", "exact")
    silent = [Fingerprint("calls", 0, "4.1", {"public once": [Seen("error", 4, "TypeError")]})]
    assert name(silent, "4.1", {"public once": Seen("error", 4, "TypeError")}) == Match("calls", "likely")


def test_a_task_that_is_not_done_or_waits_is_not_named():
    for outcome in ("not_done", "blocked"):
        assert name(KNOWN, "4.1", {**first_ways(WIPES), "public once": Seen(outcome, 4, "")}) is None


def test_a_right_task_and_a_task_without_entries_are_not_named():
    assert name(KNOWN, "4.1", {"public once": Seen("passed")}) is None
    assert name(KNOWN, "4.7", first_ways(WIPES)) is None


def test_the_verdict_gets_the_banks_own_words():
    engine = Engine(fails=("4.1",), change=(("+=", "="),))
    entry = Entry(id="wipes", title="T", belief="B", explanation="\nOne.\nTwo.", reread="section 3", engine=(engine,))
    said = sentence(Bank(part="part4", misconception=(entry,)), Match("wipes", "likely"))
    assert (said.id, said.title, said.certainty) == ("wipes", "T", "likely")
    assert said.explanation == "One. Two. Read again: section 3."
