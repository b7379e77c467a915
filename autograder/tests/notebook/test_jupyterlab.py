"""A student does part 4 in JupyterLab on their own machine, in a real Chromium."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.build.assignment import part_files
from autograder.course.code import worked_solution
from autograder.course.manifest import find_root, load_course
from autograder.tests.browser import Student
from autograder.tests.chromium import DESKTOP

pytestmark = pytest.mark.slow

COURSE = load_course(find_root(Path(__file__).parent))
PART = COURSE.part("part4")
RULE = "self.grad += other.data * out.grad"
SWAPPED = "self.grad += self.data * out.grad"
STARTED = 120  # seconds


@pytest.fixture
def folder(tmp_path) -> Path:
    """A released part 4 with the worked solution in it, the closure of * wrong."""
    files = part_files(COURSE, PART) | worked_solution(COURSE, PART)
    for name, content in files.items():
        (tmp_path / "part4" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "part4" / name).write_bytes(content)
    value = tmp_path / "part4" / "value.py"
    text = value.read_text(encoding="utf-8")
    assert RULE in text
    value.write_text(text.replace(RULE, SWAPPED, 1), encoding="utf-8")
    return tmp_path / "part4"


@pytest.fixture
def address(folder, tmp_path) -> Iterator[str]:
    """JupyterLab, started in the folder, with nobody's own settings; stopped afterwards with its kernels."""
    pytest.importorskip("jupyterlab")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {name: str(tmp_path / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")}
    own |= {"IPYTHONDIR": str(tmp_path / "ipython"), "JUPYTERLAB_SETTINGS_DIR": str(tmp_path / "settings")}
    own |= {"JUPYTERLAB_WORKSPACES_DIR": str(tmp_path / "workspaces"), "JUPYTER_PREFER_ENV_PATH": "1"}
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"]
    command += ["--ServerApp.port_retries=0", "--IdentityProvider.token=", "--LabApp.news_url=None"]
    command += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    with (tmp_path / "jupyterlab.log").open("wb") as log:
        lab = subprocess.Popen(
            command, cwd=folder, env={**os.environ, **own}, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
    try:
        _wait(f"http://127.0.0.1:{port}/api", lab)
        yield f"http://127.0.0.1:{port}/"
    finally:
        lab.terminate()
        lab.wait(60)


def _wait(address: str, process: subprocess.Popen) -> None:
    end = time.monotonic() + STARTED
    while time.monotonic() < end and process.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
        else:
            return
    pytest.fail("JupyterLab did not start")


def test_a_wrong_closure_is_named_mended_drawn_and_stepped_through_with_the_keyboard(chromium, address, folder):
    context = chromium.new_context(viewport=DESKTOP)
    student = Student(context, address)
    student.open("lab/tree/part4.ipynb")
    student.notebook()
    student.run("importlib.reload(value)")
    wrong = student.run('check("4.2")')
    assert "4.2  closure of *  wrong" in wrong
    assert "Each factor gets its own number" in wrong
    student.picture("lab-wrong")

    value = folder / "value.py"
    value.write_text(value.read_text(encoding="utf-8").replace(SWAPPED, RULE), encoding="utf-8")
    assert "4.2  closure of *  done" in student.run('check("4.2")')
    student.run("importlib.reload(value)")

    student.run("def neuron():")
    drawn = student.cell("def neuron():").locator(".jp-OutputArea-output")
    assert drawn.locator("svg").count() == 1
    assert "Graph of o" in drawn.locator("pre").text_content()

    asked = student.run('guess = predict("what it says, 0.0 or 7.0", None)')
    assert "it is 7 (You had not put down what you expected.)" in asked.replace(". (", " (")

    student.add("step(neuron()[-1])")
    student.run("step(neuron()[-1])")
    stepper = student.cell("step(neuron()[-1])")
    said, slider = stepper.locator(".kit-said"), stepper.locator("input[type=range]")
    stepper.locator("button", has_text="Next").focus()
    student.page.keyboard.press("Enter")
    assert "Step 2 of 16" in said.inner_text()
    student.page.keyboard.press("Tab")
    assert slider.evaluate("one => one === document.activeElement")
    for number in range(3, 17):
        student.page.keyboard.press("ArrowRight")
        assert f"Step {number} of 16" in said.inner_text()
    student.page.keyboard.press("Home")
    assert "Step 1 of 16" in said.inner_text()
    student.page.keyboard.press("End")
    student.page.keyboard.press("ArrowLeft")
    assert "Step 15 of 16" in said.inner_text()
    assert slider.evaluate("one => one === document.activeElement")
    student.picture("lab-stepper")
    context.close()
    assert student.foreign == []
    assert student.broken == []
