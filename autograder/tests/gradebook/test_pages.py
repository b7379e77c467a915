"""What a submission can put onto a page that a marker opens: text, and nothing that acts or hides."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from nbgrader.api import Gradebook

from autograder.gradebook.markdown import render
from autograder.gradebook.message import task_html
from autograder.gradebook.notebook import visible
from autograder.judge.verdict import TaskVerdict, TestVerdict, Verdict, Visibility
from autograder.tests.gradebook.tiny import PARTLY, hand_in

KINDS: tuple[Visibility, ...] = ("public", "public", "hidden")
SCRIPTS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "text <b onclick=alert(1)>bold</b>",
    "[click](javascript:alert(1))",
    "[click](java&#115;cript:alert(1))",
    "<javascript:alert(1)>",
    "[click][1]\n\n[1]: javascript:alert(1)",
    "```mermaid\n<script>alert(1)</script>\n```",
    "$<script>alert(1)</script>$",
    "\\begin{a}<script>alert(1)</script>\\end{a}",
    "# <svg onload=alert(1)>",
    "![x](attachment:gone.png)",
    "| a |\n|---|\n| <script>alert(1)</script> |",
]


@pytest.mark.parametrize("text", SCRIPTS)
def test_markdown_of_a_student_becomes_text_only(text):
    page = render(text)
    for acting in ("<script", "<img src=x", "<b ", "<svg", 'href="javascript', 'href="java&#115;', "<javascript"):
        assert acting not in page.lower()


def test_ordinary_markdown_still_looks_like_markdown():
    page = render("**Because** `a < b` and $x<y$, see [here](https://example.org).")
    assert "<strong>Because</strong>" in page
    assert "<code>a &lt; b</code>" in page
    assert 'href="https://example.org"' in page


@pytest.mark.parametrize(
    "address", ["https://example.org/a.png", "//example.org/a.png", "a.png", "data:image/png;base64,aGk="]
)
def test_a_picture_that_did_not_come_with_the_text_is_not_loaded(address):
    page = render(f"see ![the plot]({address})")
    assert "<img" not in page
    assert f"[picture not loaded, it lies at {address}: the plot]" in page


def test_no_cell_of_a_submission_acts_on_the_feedback_page(tiny):
    def inject(document):
        for text in SCRIPTS:
            code = {"outputs": [], "execution_count": None}
            document["cells"] += [
                {"cell_type": "markdown", "metadata": {}, "source": text},
                {"cell_type": "raw", "metadata": {"raw_mimetype": "text/html"}, "source": text},
                {"cell_type": "code", "metadata": {}, "source": text, **code},
            ]

    hand_in(tiny.root, "eve", f"# says {SCRIPTS[0]}", answer="\n\n".join(SCRIPTS), edit=inject)
    assert tiny.grade()["success"]
    page = tiny.feedback("eve").lower()
    assert page.count("alert") > 3 * len(SCRIPTS)  # it is all there, as text
    for acting in ("<script>alert", "<img src=x", "<b onclick", "<svg onload", 'href="javascript'):
        assert acting not in page


def test_an_output_of_the_students_notebook_does_not_reach_the_page(tiny):
    def inject(document):
        data = {"text/html": "<p>forged by hand</p>"}
        output = {"output_type": "display_data", "metadata": {}, "data": data}
        document["cells"][1].update(source="mine = 1", outputs=[output])

    hand_in(tiny.root, "eve", edit=inject)
    tiny.grade()
    assert "forged by hand" not in tiny.feedback("eve")


def test_a_picture_in_an_answer_is_shown_and_other_attachments_are_not(tiny):
    def attach(document):
        document["cells"][5]["attachments"] = {
            "p.png": {"image/png": "aGk="},
            "q.png": {"image/png": '"><script>alert(1)</script>'},
            "r.svg": {"image/svg+xml": "aGk=", "text/html": "aGk="},
        }

    text = "![p](attachment:p.png) ![q](attachment:q.png) ![r](attachment:r.svg)"
    hand_in(tiny.root, "ada", answer=text, edit=attach)
    assert tiny.grade()["success"]
    page = tiny.feedback("ada")
    assert "data:image/png;base64,aGk=" in page
    assert "<script>alert" not in page
    assert "svg+xml" not in page


def test_half_a_surrogate_pair_and_control_characters_do_not_lose_the_student(tiny):
    hand_in(tiny.root, "ada", answer="left\ud800 \x1b[31m red \u202e txet")
    assert tiny.grade()["success"]
    page = tiny.feedback("ada")
    assert "\u202e" not in page
    assert "u{202e}" in page
    assert "u{1b}" in page


def test_lines_and_tabs_of_a_cell_stay():
    assert visible("a\tb\r\nc\n", 100) == "a\tb\nc\n"
    assert visible("naïve ± 3 ∂y/∂x", 100) == "naïve ± 3 ∂y/∂x"
    assert visible("abcdef", 3).startswith("abc\n[cut here")


def test_a_message_is_escaped_wherever_it_comes_from():
    test = TestVerdict(name="<i>n</i>", visibility="public", outcome="failed", message="<script>1</script> \u202e")
    task = TaskVerdict(id="4.1", title="<u>", score=0.5, max=2, tests=[test])
    verdict = Verdict(
        part="part4", sandbox="good", suite="", submission="", seed=0, score=0, max=2, tasks=[task], problem="<hr>"
    )
    page = task_html(verdict, task)
    assert not any(tag in page for tag in ("<i>", "<script>", "<u>", "<hr>", "\u202e"))
    assert "&lt;script&gt;1&lt;/script&gt;" in page


def test_what_stopped_the_whole_submission_is_said_once():
    said = "value.py is missing"
    tests = [TestVerdict(name=f"t{n}", visibility=kind, outcome="error", message=said) for n, kind in enumerate(KINDS)]
    task = TaskVerdict(id="4.1", title="+", score=0, max=2, tests=tests)
    verdict = Verdict(
        part="part4", sandbox="good", suite="", submission="", seed=0, score=0, max=2, tasks=[task], problem=said
    )
    assert task_html(verdict, task).count(said) == 1


def test_an_answer_that_nobody_has_marked_is_no_zero_in_the_feedback(tiny):
    hand_in(tiny.root, "ada", PARTLY)
    tiny.grade()
    page = BeautifulSoup(tiny.feedback("ada"), "html.parser")
    assert page.find(class_="total").text == "1.25 of 9.5 points, 1 written answer not marked yet"
    assert page.find("a", href="#question-second").find_parent("tr").find(class_="n").text == "not marked yet"
    assert page.find(id="question-second").h3.text == "A second backward: not marked yet, 4 points"
    with Gradebook(tiny.api.coursedir.db_url, "micrograder") as gradebook:
        gradebook.find_grade("question-second", "part4", "part4", "ada").manual_score = 0
        gradebook.db.commit()
    page = BeautifulSoup(tiny.feedback("ada"), "html.parser")
    assert page.find(class_="total").text == "1.25 of 9.5 points"
    assert page.find(id="question-second").h3.text == "A second backward: 0 of 4 points"


def test_a_student_s_name_acts_on_no_page(tiny):
    name = '<img src=x onerror=alert(1)>" onclick="alert(2)'
    hand_in(tiny.root, name)
    assert tiny.grade()["success"]
    page = BeautifulSoup(tiny.formgrader_page(name), "html.parser")
    shown = page.find("a", class_="name-shown")
    assert shown.text.strip() == name
    assert not page.find_all("img")
    assert not page.find_all("a", onclick=True)
    assert "onerror" not in tiny.feedback(name)
