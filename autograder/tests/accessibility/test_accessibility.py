"""What axe-core finds in the pages and pictures of ours: nothing serious and nothing critical."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from autograder.course.code import worked_solution
from autograder.course.manifest import find_root, load_course
from autograder.reports.page import report
from autograder.site.start_page import start_page
from autograder.tests.chromium import DESKTOP, PHONE
from autograder.tests.gradebook.tiny import PARTLY, hand_in
from autograder.tests.reports.sample import fill
from autograder.tests.student.graphs_to_draw import expanded_neuron, neuron

pytestmark = pytest.mark.slow

TESTS = Path(__file__).parents[1]
COURSE = load_course(find_root(TESTS))


def engine(old: str, new: str) -> type:
    """Value of part 4's worked solution with one text replaced."""
    text = worked_solution(COURSE, COURSE.part("part4"))["value.py"].decode()
    assert old in text
    names: dict = {}
    exec(text.replace(old, new), names)
    return names["Value"]


@pytest.fixture
def kit():
    """kit.py as a student's notebook has it."""
    sys.path.insert(0, str(TESTS.parent / "student"))
    try:
        import kit

        return kit
    finally:
        sys.path.remove(str(TESTS.parent / "student"))


@pytest.fixture
def page(tmp_path):
    """A page around one output, as an exported notebook has it."""

    def make(output: object) -> Path:
        body = output if isinstance(output, str) else output._repr_html_()
        file = tmp_path / "page.html"
        head = '<meta charset="utf-8"><title>Output</title>'
        file.write_text(
            f'<!doctype html><html lang="en"><head>{head}</head><body><main><h1>Output</h1>{body}</main></body></html>',
            encoding="utf-8",
        )
        return file

    return make


def test_axe_is_at_work_and_sees_a_picture_without_a_name_and_grey_on_grey(findings, page):
    found = findings(page('<img src="data:,"><p style="color:#999;background:#aaa">grey</p>'))
    assert {one.split(" ")[1] for one in found} == {"image-alt", "color-contrast"}


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_sites_start_page(findings, tmp_path, viewport):
    (tmp_path / "index.html").write_text(start_page(COURSE, COURSE.written_parts), encoding="utf-8")
    assert findings(tmp_path / "index.html", viewport) == []


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_kits_pictures(kit, findings, page, viewport):
    curve = kit.curves({"loss": [(0, 2.5), (1, 1.75), (4, 0.5)], "careful": [(0, 2.0), (4, 0.25)]}, log_y=True)
    heat = kit.heatmap(lambda x, y: x * x - y, (0, 1), (0, 2), [(0.5, 1, -1), (0.25, 0.5, 1)])
    for drawing in (kit.draw_dot(neuron()), kit.draw_dot(expanded_neuron(), "Expanded"), curve, heat):
        assert "<svg" in drawing._repr_html_()
        assert findings(page(drawing), viewport) == []


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_stepper_right_and_wrong(kit, findings, page, viewport):
    for order in ("reversed(self.topological_order())", "self.topological_order()"):
        Value = engine("reversed(self.topological_order())", order)
        shown = kit.step((Value(2.0) * Value(-3.0) + Value(0.5)).tanh())
        assert ("Wrong" in shown.text) == (not order.startswith("reversed"))
        assert findings(page(shown), viewport) == []


def test_the_message_of_a_check(kit, findings, page):
    from kitlib.checked import Checked

    for golden in ("stub", "swapped", "right"):
        text = (TESTS / "student" / "golden" / f"{golden}.txt").read_text(encoding="utf-8")
        assert findings(page(Checked(text)), PHONE) == []


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_class_report(tiny, findings, tmp_path, viewport):
    fill(tiny.course, tiny.course.part("4"), 40)
    (tmp_path / "report.html").write_text(report(tiny.course, [tiny.course.part("4")]), encoding="utf-8")
    assert findings(tmp_path / "report.html", viewport) == []


def test_the_feedback_page(tiny, findings):
    hand_in(tiny.root, "eve", PARTLY, answer="**Because** `a < b`.\n\n| a | b |\n|---|---|\n| 1 | 2 |")
    assert tiny.grade()["success"]
    tiny.feedback("eve")
    assert findings(tiny.root / "feedback" / "eve" / "part4" / "part4.html") == []
