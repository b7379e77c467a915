"""Scores and messages on their way into nbgrader's gradebook and feedback pages."""

from __future__ import annotations

import json

import pytest

from autograder.gradebook.verdicts import load_verdict
from autograder.tests.gradebook.tiny import FULL, PARTLY, hand_in


def test_the_judges_scores_reach_the_gradebook_and_the_answer_waits_for_a_person(tiny):
    hand_in(tiny.root, "ada", PARTLY)
    assert tiny.grade()["success"]
    assert tiny.row("ada") == {"task-4-1": (1.25, False), "task-4-2": (0, False), "question-second": (None, True)}


def test_a_right_submission_gets_exactly_the_maximum(tiny):
    hand_in(tiny.root, "ada", FULL)
    tiny.grade()
    assert tiny.row("ada")["task-4-1"] == (2.0, False)
    assert tiny.row("ada")["task-4-2"] == (3.5, False)


def test_an_untouched_answer_is_zero_and_says_so(tiny):
    hand_in(tiny.root, "ada", answer=None)
    tiny.grade()
    assert tiny.row("ada")["question-second"] == (0, False)
    assert tiny.comment("ada") == "No response."


def test_a_blank_file_scores_nothing_although_the_assignment_has_a_full_one(tiny):
    hand_in(tiny.root, "blank", "")
    tiny.grade()
    assert tiny.row("blank")["task-4-1"][0] == 0
    assert (tiny.autograded("blank") / "value.py").read_text() == ""


def test_a_missing_file_is_not_replaced_by_the_assignments(tiny):
    hand_in(tiny.root, "nofile", None)
    tiny.grade()
    assert tiny.row("nofile")["task-4-2"] == (0, False)
    assert not (tiny.autograded("nofile") / "value.py").exists()
    assert "value.py was not handed in." in tiny.feedback("nofile")


def test_no_kernel_is_started_and_no_line_of_the_submission_runs(tiny, monkeypatch, tmp_path):
    import jupyter_client.manager

    def refuse(*_args, **_kwargs):
        raise AssertionError("a kernel was started")

    monkeypatch.setattr(jupyter_client.manager.KernelManager, "start_kernel", refuse)
    trace = tmp_path / "it-ran"
    write = f"open({str(trace)!r}, 'w')"

    def with_code(document):
        document["cells"][1]["source"] = write

    hand_in(tiny.root, "ada", f"{write}\n{FULL}", edit=with_code)
    assert tiny.grade()["success"]
    assert not trace.exists()


def test_feedback_names_public_tests_and_gives_hidden_ones_their_sentence_only(tiny):
    hand_in(tiny.root, "ada", PARTLY)
    tiny.grade()
    page = tiny.feedback("ada")
    assert "test_a_plus_a" in page
    assert "a.grad is 1.0, expected 2.0." in page
    assert "Of 2 hidden tests: 1 passed, 1 failed." in page
    assert page.count("not so with your code: plus collects &lt;both&gt; contributions") == 2  # once per task
    assert "secret" not in page
    assert "1.25 of 2 points" in page
    assert "Assigned, not added" in page


def test_hidden_test_regions_of_a_notebook_do_not_reach_the_feedback(tiny):
    # A check cell holds no test source; should one ever do, it is stripped from the page.
    source = 'check("4.1")\n### BEGIN HIDDEN TESTS\nassert 4711\n### END HIDDEN TESTS'
    path = tiny.root / "assignments" / "part4" / "part4.ipynb"
    document = json.loads(path.read_text())
    document["cells"][2]["source"] = source
    path.write_text(json.dumps(document))
    assert tiny.api.generate_assignment("part4", force=True)["success"]
    assert "4711" not in (tiny.root / "release" / "part4" / "part4.ipynb").read_text()
    hand_in(tiny.root, "ada")
    assert tiny.grade()["success"]
    assert "4711" not in tiny.feedback("ada")


def test_the_verdict_is_kept_outside_what_is_copied_to_the_student(tiny):
    hand_in(tiny.root, "ada", PARTLY)
    tiny.grade()
    tiny.feedback("ada")
    verdict = load_verdict(tiny.course, "part4", "ada")
    assert verdict is not None
    assert verdict.score == 1.25
    copied = {p.name for folder in ("autograded", "feedback") for p in (tiny.root / folder / "ada").rglob("*")}
    assert copied == {"part4", "part4.ipynb", "part4.html", "value.py", "test_public.py"}


def test_a_failing_judge_leaves_the_submission_ungraded_and_the_others_graded(tiny):
    hand_in(tiny.root, "ada", "# break the judge")
    hand_in(tiny.root, "bob", FULL)
    result = tiny.grade()
    assert not result["success"]
    assert "ada/part4 stays ungraded, the judge failed: a bug in the judge" in result["log"]
    assert tiny.row("ada")["task-4-1"] == (None, True)
    assert tiny.row("bob")["task-4-1"] == (2.0, False)
    assert not tiny.autograded("ada").exists()


def test_a_regrade_that_fails_does_not_keep_the_old_score(tiny):
    hand_in(tiny.root, "ada", FULL)
    tiny.grade()
    hand_in(tiny.root, "ada", "# break the judge")
    tiny.grade(force=True)
    assert tiny.row("ada")["task-4-1"] == (None, True)
    assert load_verdict(tiny.course, "part4", "ada") is None


@pytest.mark.parametrize("claim", ["nan", "inf", "2.5", "-1"])
def test_a_score_that_is_none_is_refused_and_never_full_marks(tiny, claim):
    hand_in(tiny.root, "ada", f"# earns 4.1={claim}")
    result = tiny.grade()
    assert not result["success"]
    assert "is not a score between 0 and 2" in result["log"]
    assert tiny.row("ada")["task-4-1"] == (None, True)


def test_points_that_changed_since_the_release_count_and_nobody_seems_to_have_edited_a_cell(tiny):
    hand_in(tiny.root, "ada", "# earns 4.1=2 4.2=5.25\n")
    manifest = tiny.root / "solutions" / "course.toml"
    manifest.write_text(manifest.read_text().replace("points = 3.5", "points = 6"))
    result = tiny.grade()
    assert result["success"]
    assert "has changed!" not in result["log"]
    with tiny.api.gradebook as gradebook:
        submission = gradebook.find_submission("part4", "ada")
        assert (submission.score, submission.max_score) == (7.25, 12.0)


def test_an_announced_part_is_refused_in_one_line(tiny):
    result = tiny.api.autograde("part5", "*")
    assert not result["success"]
    assert "part5 (Announced) is announced in course.toml but has no tasks yet" in result["log"]


def test_marks_given_by_hand_survive_a_regrade(tiny):
    hand_in(tiny.root, "ada", PARTLY)
    tiny.grade()
    with tiny.api.gradebook as gradebook:
        gradebook.find_grade("question-second", "part4", "part4", "ada").manual_score = 3.0
        gradebook.db.commit()
    tiny.grade(force=True)
    with tiny.api.gradebook as gradebook:
        assert gradebook.find_submission("part4", "ada").score == 1.25 + 3.0
