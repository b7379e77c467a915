"""What the site consists of, without a registry: a build with small stand-ins for Pyodide and its wheels."""

import json
import re
import sys
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pytest

from autograder.course import CourseError
from autograder.site import build, build_site, interpreter, pieces
from autograder.site.start_page import start_page
from autograder.site.stubs import write_stubs

LISTED = [line.split("==")[0] for line in pieces.WHEEL_LIST.read_text().splitlines() if not line.startswith("#")]


def wheel(folder: Path, name: str, needs: tuple[str, ...] = ()) -> Path:
    module = name.replace("-", "_")
    path = folder / f"{module}-1.5-py3-none-any.whl"
    lines = [f"Name: {name}", "Version: 1.5", *(f"Requires-Dist: {one}" for one in needs)]
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr(f"{module}/__init__.py", "")
        packed.writestr(f"{module}-1.5.dist-info/METADATA", "\n".join(lines) + "\n")
    return path


@pytest.fixture
def small_pieces(tmp_path) -> pieces.Pieces:
    """Pyodide's files without content, a wheel per name that the kernel or the list has, and the real extension."""
    folder = tmp_path / "pieces"
    folder.mkdir()
    for name in pieces.PYODIDE_FILES:
        (folder / name).write_text("")
    (folder / pieces.LOCK).write_text('{"info": {"python": "3.12.7"}, "packages": {"numpy": {}}}')
    names = {name.lower().replace("_", "-") for name in LISTED} | {"piplite", "pyodide-kernel", "ipykernel"}
    wheels = tuple(wheel(folder, name) for name in sorted(names))
    return pieces.Pieces(folder, wheels, Path(sys.prefix) / pieces.KERNEL_EXTENSION)


@pytest.fixture
def small_site(course, small_pieces, tmp_path, monkeypatch):
    pytest.importorskip("jupyterlite_core", reason="pip install -e .[site]")
    monkeypatch.setattr(build, "fetch_pieces", lambda course: small_pieces)
    return build_site(course, [], tmp_path / "made")


class _Addresses(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.found += [value or "" for name, value in attrs if name in ("href", "src", "action", "srcset")]


def test_the_site_holds_exactly_the_files_of_the_released_part(small_site, course):
    def contents(folder):
        return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    assert contents(small_site.folder / "files" / "part4") == contents(course.release / "part4")
    assert [path.name for path in (small_site.folder / "files").iterdir()] == ["part4"]
    assert [part.id for part in small_site.parts] == ["part4"]


def test_every_link_of_the_start_page_leads_to_a_page_and_a_file_of_the_site(small_site):
    parser = _Addresses()
    parser.feed((small_site.folder / "index.html").read_text(encoding="utf-8"))
    links = [link for link in parser.found if link != "data:,"]
    assert len(links) == 4
    for link in links:
        page, _, path = link.partition("?path=")
        assert (small_site.folder / page).is_file()
        assert (small_site.folder / "files" / path).is_file()


def test_jupyterlites_pages_say_their_language_and_the_desk_puts_back_its_path_before_anything_else(small_site):
    pages = {app: (small_site.folder / app / "index.html").read_text(encoding="utf-8") for app in build.APPS}
    assert all('<html lang="en">' in page for page in pages.values())
    scripts = {app: re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL) for app, page in pages.items()}
    assert scripts["lab"][0].strip() == build.REOPEN.read_text(encoding="utf-8").strip()
    assert [app for app, found in scripts.items() if "sessionStorage" in "".join(found)] == ["lab"]


def test_a_page_that_jupyterlite_writes_in_another_way_is_refused(tmp_path):
    page = tmp_path / "lab" / "index.html"
    page.parent.mkdir()
    page.write_text('<html data-new="1"><head></head></html>')
    with pytest.raises(CourseError, match="lab page has no <html>; is it another version"):
        build._complete(page)


def test_our_own_pages_and_settings_name_no_other_host(course):
    page = start_page(course, course.written_parts)
    ours = [page, *(path.read_text() for path in Path(build.__file__).parent.glob("*.json"))]
    assert all(not re.search(r"(https?:)?//\w", text) for text in ours)


def test_everything_the_kernel_loads_is_in_the_lock_file_and_nothing_is_fetched_from_an_index(small_site):
    """A name that is missing there makes the kernel hang without a word."""
    settings = json.loads((small_site.folder / "jupyter-lite.json").read_text())["jupyter-config-data"]
    kernel = settings["litePluginSettings"][build.KERNEL]
    lock = json.loads((small_site.folder / "static" / "pyodide" / pieces.LOCK).read_text())
    assert set(kernel["loadPyodideOptions"]["packages"]) <= set(lock["packages"])
    assert kernel["disablePyPIFallback"] is True
    assert "numpy" not in lock["packages"]
    for entry in lock["packages"].values():
        assert (small_site.folder / "static" / "pyodide" / entry["file_name"]).is_file()


def test_a_wheel_that_needs_one_which_is_not_listed_is_refused_by_name(small_pieces, tmp_path):
    more = wheel(small_pieces.pyodide, "greedy", ("unheard-of>=2", "only-on-windows; sys_platform == 'win32'"))
    wanting = pieces.Pieces(small_pieces.pyodide, (*small_pieces.wheels, more), small_pieces.extension)
    with pytest.raises(CourseError, match="greedy needs unheard-of, which"):
        interpreter.assemble(wanting, tmp_path / "out")


def test_a_package_the_kernel_loads_that_is_missing_is_named(small_pieces, tmp_path):
    without = tuple(one for one in small_pieces.wheels if not one.name.startswith("jedi"))
    with pytest.raises(CourseError, match="would lack jedi"):
        interpreter.assemble(pieces.Pieces(small_pieces.pyodide, without, small_pieces.extension), tmp_path / "out")


def test_a_part_that_is_not_released_is_not_built(course, tmp_path):
    with pytest.raises(CourseError, match="part5 is not released"):
        build_site(course, [course.part("part4"), course.part("part5")], tmp_path / "made")
    assert not (tmp_path / "made").exists()


def test_a_folder_with_something_else_in_it_is_left_alone(course, tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(CourseError, match="no site of this course"):
        build_site(course, [], tmp_path)
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def test_a_second_build_replaces_the_first_whole(small_site, course, tmp_path):
    (small_site.folder / "old.html").write_text("")
    build_site(course, [], tmp_path / "made")
    assert not (tmp_path / "made" / "old.html").exists()


def test_a_registry_that_says_no_is_one_sentence_and_leaves_nothing(course, tmp_path, monkeypatch):
    monkeypatch.setattr(pieces, "_extension", lambda: tmp_path)
    monkeypatch.setattr(pieces, "PYODIDE", "0.0.0-none")
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\necho 'npm error 404 Not Found' >&2\nexit 1\n")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    with pytest.raises(CourseError, match=r"npm cannot fetch pyodide 0.0.0-none: npm error 404"):
        pieces.fetch_pieces(course)
    assert not list(course.state.glob("fetch-*"))


def test_every_wheel_is_listed_with_one_exact_version():
    lines = [line for line in pieces.WHEEL_LIST.read_text().splitlines() if not line.startswith("#")]
    assert len(lines) == len({*LISTED}) == 22
    assert all(re.fullmatch(r"[\w-]+==[\d.]+", line) for line in lines)


def test_the_stand_ins_for_ssl_and_sqlite3_can_be_imported_where_there_are_none(tmp_path):
    _, sqlite3 = write_stubs(tmp_path)
    with zipfile.ZipFile(sqlite3) as packed:
        names: dict = {}
        exec(packed.read("sqlite3/__init__.py"), names)
    assert {"Connection", "DatabaseError", "OperationalError", "PARSE_DECLTYPES", "PARSE_COLNAMES"} <= set(names)
