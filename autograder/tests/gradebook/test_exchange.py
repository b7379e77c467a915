"""The course's exchange: it is there, and feedback goes back to those who sent their work through it."""

from __future__ import annotations

from nbgrader.utils import notebook_hash
from traitlets.config import Config

from autograder.gradebook.config import configure
from autograder.tests.gradebook.tiny import hand_in

SENT = "2027-05-01 10:00:00.000000 UTC"
SECRET = "0d3a" * 32


def release_feedback(tiny) -> str:
    """What nbgrader logs when the formgrader's button is pressed."""
    result = tiny.api.release_feedback("part4")
    assert result["success"], result
    return result["log"]


def test_feedback_reaches_whoever_sent_it_through_the_exchange_and_nobody_else_is_in_the_way(tiny):
    hand_in(tiny.root, "ada")  # first in line, and brought by an LMS
    sent = hand_in(tiny.root, "bob", timestamp=SENT)
    (sent / "submission_secret.txt").write_text(SECRET)
    forged = hand_in(tiny.root, "eve", timestamp=SENT)
    (forged / "submission_secret.txt").write_text("../../gradebook")
    tiny.grade()
    for student in ("ada", "bob", "eve"):
        tiny.feedback(student)
    said = release_feedback(tiny)
    assert "not sent through the exchange: ada, eve" in said
    [page] = (tiny.root / "exchange" / "micrograder" / "feedback").iterdir()
    assert page.stem == notebook_hash(secret=SECRET, notebook_id="part4")
    assert page.read_text() == tiny.feedback("bob")


def test_a_new_secret_is_a_new_submission(tiny):
    folder = hand_in(tiny.root, "bob", timestamp=SENT)
    (folder / "submission_secret.txt").write_text(SECRET)
    tiny.grade()
    (folder / "submission_secret.txt").write_text(SECRET[::-1])
    tiny.grade()
    assert (tiny.autograded("bob") / "submission_secret.txt").read_text() == SECRET[::-1]


def test_reading_the_configuration_makes_the_exchange_and_a_folder_that_cannot_be_written_does_not_matter(tiny):
    assert list((tiny.root / "exchange").iterdir()) == []
    (tiny.root / "exchange").rmdir()
    (tiny.root / "exchange").write_text("in the way")
    configure(Config(), tiny.root)
    assert (tiny.root / "exchange").read_text() == "in the way"
