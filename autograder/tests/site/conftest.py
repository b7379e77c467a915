"""A course with part 4 released, its site, a server for it below a sub-path, and a page in a real browser."""

import functools
import http.server
import shutil
import threading
from collections.abc import Iterator

import pytest

from autograder.course import Course
from autograder.site import Site, build_site
from autograder.tests.real_course import ROOT, released_course


@pytest.fixture(scope="session")
def course(tmp_path_factory) -> Course:
    """A course of its own in which part 4 is released."""
    return released_course(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="session")
def site(course) -> Site:
    """The whole site, with everything from the registries; kept pieces of the checkout are used again."""
    pytest.importorskip("jupyterlite_core", reason="pip install -e .[site]")
    for kept in (ROOT / ".micrograder").glob("site-pieces-*"):
        shutil.copytree(kept, course.state / kept.name, dirs_exist_ok=True)
    made = build_site(course, [], course.root / "site")
    for fetched in course.state.glob("site-pieces-*"):
        if not (ROOT / ".micrograder" / fetched.name).exists():
            shutil.copytree(fetched, ROOT / ".micrograder" / fetched.name)
    return made


class _Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format, *args):
        """Nothing: pytest's output is for the tests."""


@pytest.fixture(scope="session")
def address(site, tmp_path_factory) -> Iterator[str]:
    """Where the site is served: not at the root of its host, as on many static hosts."""
    root = tmp_path_factory.mktemp("host")
    (root / "course").mkdir()
    (root / "course" / "2026").symlink_to(site.folder, target_is_directory=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Handler, directory=str(root)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/course/2026/"
    server.shutdown()
    thread.join()
    server.server_close()
