"""`micrograder site`: released parts, JupyterLite and Python for the browser become one folder of static files.

The parts come from release/ and nowhere else, so that nothing is in the site that students do not have already.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.course import Course, CourseError, Part
from autograder.site.interpreter import assemble
from autograder.site.pieces import Pieces, fetch_pieces, run_tool
from autograder.site.start_page import start_page

MARKER = ".micrograder-site"
APPS = ("lab", "notebooks", "edit")
SETTINGS = Path(__file__).with_name("jupyter-lite.json")
# What JupyterLab's own settings are changed to. All cells stay in the page, so that the search finds them and a
# stepper keeps its place; work is saved every 15 seconds.
OVERRIDES = Path(__file__).with_name("overrides.json")
REOPEN = Path(__file__).with_name("reopen.js")
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
# Compiled files would go into the student's own folder, over the slow way to the page's storage.
ENVIRONMENT = {"HOME": "/home/pyodide", "PYTHONDONTWRITEBYTECODE": "1"}
LONGEST = 300  # seconds for JupyterLite's own build, which takes three


@dataclass(frozen=True)
class Site:
    """What was built: the folder, the parts in it, and its size in bytes."""

    folder: Path
    parts: tuple[Part, ...]
    size: int


def build_site(course: Course, parts: Sequence[Part], folder: Path) -> Site:
    """Build the site of `parts`, or of everything released when there are none, in the place of an older one.

    Raises CourseError when a part is not released, when `folder` holds something else, or when a piece is missing.
    """
    chosen = tuple(sorted(parts or _released(course), key=lambda part: part.number))
    for part in chosen:
        if not (course.release / part.id).is_dir():
            raise CourseError(f"{part.id} is not released, and a site shows released parts only; release it first")
    if not chosen:
        raise CourseError("no part is released yet; run: micrograder release PART")
    folder = folder.resolve()
    _check_place(folder)
    pieces = fetch_pieces(course)
    with tempfile.TemporaryDirectory(dir=course.state, prefix="site-") as temporary:
        made = _make(course, chosen, pieces, Path(temporary))
        if folder.exists():
            shutil.rmtree(folder)
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(made, folder)
    return Site(folder, chosen, sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()))


def _released(course: Course) -> list[Part]:
    return [part for part in course.written_parts if (course.release / part.id).is_dir()]


def _check_place(folder: Path) -> None:
    if folder.exists() and not (folder / MARKER).is_file() and (not folder.is_dir() or any(folder.iterdir())):
        raise CourseError(f"{folder} holds something that is no site of this course; name another folder with --to")


def _make(course: Course, parts: Sequence[Part], pieces: Pieces, workspace: Path) -> Path:
    lite, contents, output = workspace / "lite", workspace / "contents", workspace / "site"
    loaded = assemble(pieces, lite / "static" / "pyodide")
    settings = json.loads(SETTINGS.read_text(encoding="utf-8"))
    kernel = settings["jupyter-config-data"]["litePluginSettings"][KERNEL]
    kernel["loadPyodideOptions"] = {"packages": loaded, "env": ENVIRONMENT}
    (lite / SETTINGS.name).write_text(json.dumps(settings, indent=1), encoding="utf-8")
    shutil.copyfile(OVERRIDES, lite / OVERRIDES.name)
    for part in parts:
        shutil.copytree(course.release / part.id, contents / part.id)
    command = [sys.executable, "-m", "jupyterlite_core", "build", "--lite-dir", str(lite), "--contents", str(contents)]
    command += ["--output-dir", str(output), "--ignore-sys-prefix", "--no-sourcemaps", "--no-unused-shared-packages"]
    command += [word for app in APPS for word in ("--apps", app)]
    command += [f"--LiteBuildConfig.federated_extensions={pieces.extension}"]
    # Settings of whoever builds must not get into the site.
    environment = {**os.environ, "JUPYTER_CONFIG_DIR": str(workspace / "none"), "JUPYTER_NO_CONFIG": "1"}
    run_tool(command, lite, "JupyterLite cannot build the site", seconds=LONGEST, environment=environment)
    for app in APPS:
        scripts = [REOPEN.read_text(encoding="utf-8")] if app == "lab" else []
        _complete(output / app / "index.html", *scripts)
    (output / "index.html").write_text(start_page(course, parts), encoding="utf-8")
    (output / MARKER).write_text("Made by `micrograder site`, which replaces this whole folder.\n", encoding="utf-8")
    return output


def _complete(page: Path, *scripts: str) -> None:
    """Say in what language a page of JupyterLite is, which screen readers need, and put scripts of ours first in it."""
    text = page.read_text(encoding="utf-8")
    ours = "".join(f"\n<script>\n{script}</script>" for script in scripts)
    for tag, wanted in (("<html>", '<html lang="en">'), ("<head>", f"<head>{ours}")):
        if tag not in text:
            raise CourseError(f"JupyterLite's {page.parent.name} page has no {tag}; is it another version?")
        text = text.replace(tag, wanted, 1)
    page.write_text(text, encoding="utf-8")
