"""A student who can install nothing does part 4 in a real Chromium, from the first click to the judged zip."""

import json
import subprocess
import sys

import pytest

from autograder.course.code import worked_solution
from autograder.tests.browser import EDITOR, Student, timed
from autograder.tests.chromium import DESKTOP, PHONE

pytestmark = pytest.mark.slow

IMPORTS = "importlib.reload(value)"


@pytest.fixture
def student(chromium, address):
    """At a desk; and whatever they did, no other host was asked for anything and no page broke."""
    context = chromium.new_context(viewport=DESKTOP)
    someone = Student(context, address)
    yield someone
    context.close()
    assert someone.foreign == []
    # A stack that is used up is what one of the tests is about.
    assert [one for one in someone.broken if "Maximum call stack" not in one] == []


@pytest.fixture
def worked(course) -> str:
    """A finished value.py."""
    return worked_solution(course, course.part("part4"))["value.py"].decode()


@pytest.fixture
def checks(course) -> str:
    """A finished checks.py."""
    return worked_solution(course, course.part("part4"))["checks.py"].decode()


def test_from_the_first_click_to_the_judged_zip(student, course, worked, checks, tmp_path):
    page = student.page
    student.open()
    student.picture("start")
    with timed("cold open to the first result"):
        page.click("text=Open part 4")
        with timed("  the notebook"):
            student.notebook()
        with timed("  Python and the first cell"):
            student.run(IMPORTS)
        first = student.run('check("4.2")')
    assert "4.2  closure of *  not started" in first

    student.edit("value.py")
    line = page.locator(".jp-FileEditor .cm-line:has-text('TODO 4.2: the closure')")
    line.click()
    page.keyboard.press("Home")
    page.keyboard.press("Shift+End")
    page.keyboard.type("self.grad += self.data * out.grad\nother.grad += other.data * out.grad")
    student.picture("editor")
    student.save()
    student.tab("part4.ipynb")
    with timed("a second check"):
        wrong = student.run('check("4.2")')
    student.picture("wrong")
    assert "4.2  closure of *  wrong" in wrong
    assert "Each factor gets its own number" in wrong

    student.tab("value.py")
    for own, partner in (("self", "other"), ("other", "self")):
        page.locator(f".jp-FileEditor .cm-line:has-text('{own}.grad += {own}.data')").click()
        page.keyboard.press("Home")
        page.keyboard.press("Shift+End")
        page.keyboard.type(f"{own}.grad += {partner}.data * out.grad")
    student.save()
    student.tab("part4.ipynb")
    with timed("a third check"):
        right = student.run('check("4.2")')
    assert "4.2  closure of *  done" in right

    student.tab("value.py")
    student.put(worked)
    student.edit("checks.py")
    student.put(checks)
    student.tab("part4.ipynb")
    student.run(IMPORTS)
    student.run("def neuron():")
    student.add("from kit import step; step(neuron()[-1])")
    student.add("from kit import submit; submit()")
    student.run("from kit import step")
    stepper = student.cell("from kit import step")
    said = stepper.locator(".kit-said")
    assert "Step 1 of 16" in said.inner_text()
    for number in range(2, 5):
        stepper.locator("button:has-text('Next')").click()
        assert f"Step {number} of 16" in said.inner_text()
    slider = stepper.locator("input[type=range]")
    slider.focus()
    for number in range(5, 17):
        page.keyboard.press("ArrowRight")
        assert f"Step {number} of 16" in said.inner_text()
    stepper.scroll_into_view_if_needed()
    student.picture("stepper")

    slider.focus()
    assert student.unsaved()
    student.save()
    student.run("from kit import submit")
    with page.expect_download() as download:
        student.cell("from kit import submit").locator("a[download]").click()
    student.picture("submit")
    packed = tmp_path / download.value.suggested_filename
    download.value.save_as(packed)
    assert packed.name == "part4-submission.zip"

    page.reload()
    student.notebook()
    assert "from kit import submit" in student.cell("from kit import submit").inner_text()
    student.run(IMPORTS)
    assert "4.5  backward()  done" in student.run('check("4.5")')

    command = [sys.executable, "-m", "autograder.cli", "judge", "part4", str(packed), "--json"]
    judged = subprocess.run([*command, "--course", str(course.root)], capture_output=True, check=True).stdout
    verdict = json.loads(judged)
    assert [task["id"] for task in verdict["tasks"] if task["score"] == task["max"]] == [f"4.{n}" for n in range(1, 8)]
    assert verdict["score"] == verdict["max"] == 20


def test_the_whole_notebook_runs_with_a_chain_of_ten_thousand(student, worked, checks):
    """Some cells recurse on purpose; none of them may end Python."""
    student.open("lab/index.html?path=part4/part4.ipynb")
    student.notebook()
    student.edit("value.py")
    student.put(worked)
    student.edit("checks.py")
    student.put(checks)
    student.tab("part4.ipynb")
    student.page.click(".lm-MenuBar-item:has-text('Run')")
    student.page.click(".lm-Menu-item:has-text('Run All Cells') >> nth=0")
    student.page.wait_for_function(
        "[...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')].every(one => /\\d/.test(one.innerText))"
    )
    assert "20001 nodes" in student.cell("first, last = chain(10_000)").inner_text()
    assert "RecursionError" in student.cell("def depth(node)").inner_text()


def test_a_recursive_solution_is_told_so_and_the_next_check_runs(student, worked):
    recursive = (
        worked + "\n\ndef _deep(node):\n    return [one for child in node._prev for one in _deep(child)] + [node]"
    )
    recursive += "\n\n\nValue.topological_order = _deep\n"
    student.open("lab/index.html?path=part4/part4.ipynb")
    student.notebook()
    student.edit("value.py")
    student.put(recursive)
    student.tab("part4.ipynb")
    student.run(IMPORTS)
    student.run("def neuron():")
    assert "too deep for a function that calls itself" in student.run("first, last = chain(10_000)")
    assert "4.1  closure of +  done" in student.run('check("4.1")')


def test_python_dying_of_recursion_loses_nothing_that_was_saved(student, worked):
    student.open("lab/index.html?path=part4/part4.ipynb")
    student.notebook()
    student.edit("value.py")
    student.put(worked.replace("math.tanh", "math.tanh", 1) + "# mine\n")
    student.tab("part4.ipynb")
    student.run(IMPORTS)
    deadly = (
        "import sys; sys.setrecursionlimit(10**6)\nclass Deep:\n    def __repr__(self):\n        return repr(self)\n"
    )
    student.add(deadly + "repr(Deep())")
    student.page.keyboard.press("Control+Enter")
    student.page.wait_for_timeout(4000)
    student.save()
    student.page.reload()
    student.notebook()
    assert "class Deep" in student.cell("class Deep").inner_text()
    student.run(IMPORTS)
    assert "4.5  backward()  done" in student.run('check("4.5")')
    student.edit("value.py")
    student.page.locator(EDITOR).click()
    student.page.keyboard.press("Control+End")
    student.page.wait_for_selector(".jp-FileEditor .cm-line:has-text('# mine')")


def test_on_a_phone_a_file_is_edited_and_checked(chromium, address, worked):
    context = chromium.new_context(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    someone = Student(context, address)
    someone.open()
    someone.picture("phone-start")
    assert someone.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    someone.page.click("a:has-text('value.py')")
    someone.page.wait_for_selector(EDITOR)
    someone.put(worked)
    someone.picture("phone-editor")
    someone.open()
    someone.page.click("a:has-text('the notebook')")
    someone.notebook()
    someone.picture("phone-notebook")
    someone.run(IMPORTS)
    assert "4.3  closure of tanh  done" in someone.run('check("4.3")')
    message = someone.cell('check("4.3")').locator("pre[role=group]")
    assert message.evaluate("one => one.scrollWidth <= one.clientWidth"), "a line is cut off"
    someone.picture("phone-checked")
    context.close()
    assert someone.foreign == []
