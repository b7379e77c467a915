"""The student's own file beside the stub, on the feedback page and for the formgrader."""

from __future__ import annotations

import re

from bs4 import BeautifulSoup

from autograder.gradebook.listing import LINES, listing
from autograder.tests.gradebook.tiny import FULL, PARTLY, hand_in

STUB = "class Value:\n    def __add__(self, other):\n        raise NotImplementedError\n\n    # the end\n"
MINE = "class Value:\n    def __add__(self, other):\n        return self\n        # hm\n\n    # the end\n"


def test_lines_added_and_lines_gone_stand_where_the_change_is():
    lines = listing("value.py", STUB, MINE)["lines"]
    assert [(line["kind"], line["number"], line["text"].strip()) for line in lines] == [
        ("same", 1, "class Value:"),
        ("same", 2, "def __add__(self, other):"),
        ("gone", None, "raise NotImplementedError"),
        ("added", 3, "return self"),
        ("added", 4, "# hm"),
        ("same", 5, ""),
        ("same", 6, "# the end"),
    ]


def test_a_long_file_and_a_long_line_are_cut_and_the_page_says_so():
    shown = listing("value.py", "", "x" * 5_000 + "\n" + "y\n" * (LINES + 2))
    assert len(shown["lines"]) == LINES
    assert len(shown["lines"][0]["text"]) < 500
    assert shown["note"] == "The last 3 lines are not shown."


def test_what_hides_in_a_line_is_made_visible():
    (line,) = listing("value.py", "", "a = 1 \u202e# x\x1b[2J")["lines"]
    assert "\u202e" not in line["text"]
    assert "\x1b" not in line["text"]
    assert "\\u{202e}" in line["text"]


def test_the_feedback_page_shows_the_own_code_and_what_is_gone_of_the_stub(tiny):
    hand_in(tiny.root, "ada", "# earns 4.1=1.25\nx = '<script>alert(1)</script>'\n")
    assert tiny.grade()["success"]
    page = BeautifulSoup(tiny.feedback("ada"), "html.parser")
    rows = [(row["class"][0], row.code.text) for row in page.find(class_="listing").find_all("tr")]
    assert ("gone", f"# the stub {FULL}".strip()) in rows
    assert ("added", "x = '<script>alert(1)</script>'") in rows
    assert not page.find_all("script")


def test_a_missing_file_and_a_link_are_left_out(tiny, tmp_path):
    (tmp_path / "secret.py").write_text("hidden")
    folder = hand_in(tiny.root, "ada", None)
    (folder / "value.py").symlink_to(tmp_path / "secret.py")
    tiny.grade()
    page = tiny.feedback("ada")
    assert "secret" not in page
    assert 'class="listing"' not in page


def test_the_page_begins_with_the_points_of_every_task_and_answer_and_asks_no_other_host(tiny):
    hand_in(tiny.root, "ada", PARTLY)
    tiny.grade()
    text = tiny.feedback("ada")
    page = BeautifulSoup(text, "html.parser")
    rows = [[cell.text for cell in row("td")][:2] for row in page.find(class_="summary")("tr")]
    assert rows == [
        ["4.1 closure of +", "1.25 of 2"],
        ["4.2 closure of *", "0 of 3.5"],
        ["A second backward", "not marked yet"],
    ]
    for link in page.find_all("a", href=True):
        assert link["href"].startswith("#")
        assert page.find(id=link["href"][1:]) is not None
    assert not re.search(r"https?://", text)
    assert not page.find_all(["script", "link", "iframe"])
    assert "default-src 'none'" in text
    assert "width=device-width" in text


def test_the_formgraders_page_has_the_files_and_needs_no_mathjax(tiny):
    hand_in(tiny.root, "ada", MINE + PARTLY)
    assert tiny.grade()["success"]
    page = tiny.formgrader_page("ada")
    assert "What was handed in, beside the stub" in page
    assert "return self" in page
    assert "cdnjs" not in page
    assert "window.MathJax" in page  # the page's own script stops without it
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', page)
