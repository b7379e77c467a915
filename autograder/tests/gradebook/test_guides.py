"""The marking guide in the formgrader's page: in sight of whoever marks, and in no file that could reach a student."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup

from autograder.course.manifest import load_course
from autograder.gradebook.guides import Guide, MarkingGuides
from autograder.tests.gradebook.tiny import hand_in

TEXT = """# %% [markdown]
# Why?

# %% [markdown] question="second"
# *Your answer.*

# %% [markdown] answer="second"
# **Model answer.** It adds, and `a < b`.
"""
GUIDE = "#\n# **Marking guide (4 points).**\n#\n# | points | for |\n# |---|---|\n# | 2.5 | the sum |\n"


def write(root, text: str) -> None:
    (root / "solutions" / "part4").mkdir()
    (root / "solutions" / "part4" / "part4.py").write_text(text)


def test_the_guide_stands_right_after_the_answer_and_the_model_answer_is_folded_away(tiny):
    write(tiny.root, TEXT + GUIDE)
    hand_in(tiny.root, "ada")
    tiny.grade()
    page = BeautifulSoup(tiny.formgrader_page("ada"), "html.parser")
    [guide] = page.find_all(class_="marking-guide")
    assert page.find(id="question-second").find_parent(class_="cell").find_next_sibling("div") is guide
    assert [cell.text for cell in guide.find_all("td")] == ["2.5", "the sum"]
    folded = guide.find("details").extract()
    assert "It adds, and a < b." in folded.text
    assert "It adds" not in guide.text


def test_no_file_of_a_graded_submission_holds_the_guide_or_the_model_answer(tiny):
    write(tiny.root, TEXT + GUIDE)
    hand_in(tiny.root, "ada")
    tiny.grade()
    assert "Marking guide" in tiny.formgrader_page("ada")
    assert "It adds, and" not in tiny.feedback("ada")
    files = [path.read_bytes() for name in ("autograded", "feedback") for path in (tiny.root / name).rglob("*.*")]
    assert len(files) > 4
    assert [data for data in files if b"Marking guide" in data or b"It adds, and" in data] == []


def test_a_guide_that_is_changed_while_the_server_runs_is_shown_as_it_is_now(tiny):
    guides = MarkingGuides(load_course(tiny.root))
    assert guides("part4") == {}
    write(tiny.root, TEXT)
    assert guides("part4") == {"question-second": Guide("**Model answer.** It adds, and `a < b`.", "")}
    (tiny.root / "solutions" / "part4" / "part4.py").write_text(TEXT + GUIDE)
    assert guides("part4")["question-second"].marking.startswith("**Marking guide (4 points).**")


@pytest.mark.parametrize("text", [TEXT.replace('answer="second"', 'answer="third"'), "# %% [markdown] what=1\n# x\n"])
def test_a_text_that_cannot_be_read_keeps_nobody_from_marking(tiny, text):
    write(tiny.root, text)
    assert MarkingGuides(tiny.course)("part4") == {}
