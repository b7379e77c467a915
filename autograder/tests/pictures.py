"""The README's pictures, made from the real thing: `python -m autograder.tests.pictures [DEMO]` writes them anew.

DEMO is a folder that `micrograder demo` has made; without it, one is made in a temporary place. Needs what the browser
tests need. The one submission that is run here, by pytest as its student would, is a sample of ours (demo_class).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from autograder.course import Course, find_root, load_course
from autograder.demo import PART, run_demo
from autograder.tests.chromium import running_chromium
from autograder.tests.formgrader.jupyter import jupyter_lab
from autograder.tests.formgrader.ta import TA

PICTURES = Path(__file__).parents[1] / "pictures"
WRONG, MARKED = "Edda", "Amina"  # whose pytest is shown, and whose answer is marked
COLUMNS = 92


def main(arguments: list[str]) -> None:
    """Write student.svg, ta.png and instructor.png."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(arguments[0]) if arguments else Path(temporary, "demo")
        if not arguments:
            run_demo(load_course(find_root(Path.cwd())), folder, Console(quiet=True))
        demo = load_course(folder)
        (PICTURES / "student.svg").write_text(student(demo, Path(temporary, "work")), encoding="utf-8")
        with running_chromium() as chromium:
            ta(demo, chromium, Path(temporary, "home"))
            instructor(demo, chromium)
    for picture in sorted(PICTURES.iterdir()):
        print(f"{picture.name}: {picture.stat().st_size / 1000:.0f} kB")


def student(demo: Course, work: Path) -> str:
    """A student's terminal after `pytest`, as SVG: the released folder with one wrong value.py in it."""
    shutil.copytree(demo.release / PART, work)
    shutil.copy(demo.root / "submitted" / WRONG / PART / "value.py", work)
    command = [sys.executable, "-m", "pytest", "--color=yes", "-p", "no:cacheprovider"]
    environment = {**os.environ, "COLUMNS": str(COLUMNS)}
    said = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True, timeout=300).stdout
    console = Console(record=True, width=COLUMNS, file=open(os.devnull, "w"))  # noqa: SIM115
    console.print(Text("$ pytest", style="bold"))
    console.print(Text.from_ansi(said.strip("\n")))
    drawn = console.export_svg(title=f"{PART}: pytest", theme=MONOKAI)
    # Rich names a font on another host, which no page of ours asks for; the reader's own fixed-width font does.
    drawn = re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL)
    return drawn.replace("Fira Code, monospace", "ui-monospace, Menlo, Consolas, monospace")


def ta(demo: Course, chromium, home: Path) -> None:
    """A written answer being marked in the formgrader, with the guide below it."""
    with jupyter_lab(demo.root, home) as address:
        context = chromium.new_context(viewport={"width": 1120, "height": 640})
        someone = TA(context, address)
        someone.open_formgrader()
        someone.page.get_by_role("button", name="No", exact=True).click()  # to Jupyter's news
        someone.page.keyboard.press("Control+b")  # folds the list of files away
        someone.open_submission(MARKED)
        answer = someone.pages.locator(".nbgrader_cell:has(textarea)").last
        someone.page.wait_for_timeout(3000)  # the page's own script moves it once, after it has loaded
        answer.evaluate("one => window.scrollBy(0, one.getBoundingClientRect().top - 70)")
        someone.page.screenshot(path=PICTURES / "ta.png")
        assert 100 < answer.bounding_box()["y"] < 200
        context.close()


def instructor(demo: Course, chromium) -> None:
    """The class report, from the misconceptions to the chart of the tasks."""
    context = chromium.new_context(viewport={"width": 900, "height": 900})
    page = context.new_page()
    page.goto((demo.root / "reports" / f"{PART}.html").as_uri())
    top = page.locator("h3:has-text('Misconceptions')").bounding_box()
    end = page.locator(".legend + .chart").bounding_box()
    bottom = end["y"] + end["height"]
    page.set_viewport_size({"width": 900, "height": int(bottom) + 40})
    area = {"x": 0, "y": top["y"] - 10, "width": 900, "height": bottom - top["y"] + 6}
    page.screenshot(path=PICTURES / "instructor.png", clip=area)
    context.close()


if __name__ == "__main__":
    main(sys.argv[1:])
