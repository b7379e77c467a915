"""The list of submissions that look alike: copies stand on top, the stub and what most write do not count."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from autograder.cli import app
from autograder.course.manifest import CourseError
from autograder.reports import similarity
from autograder.tests.gradebook.tiny import hand_in

STUB = """
def kept(values):
    total = 0.0
    for position, value in enumerate(values):
        total += value * position - len(values)
    return total / (1 + len(values))
"""
COPIED = """
def order(root):
    found, waiting = [], [(root, False)]
    while waiting:
        node, ready = waiting.pop()
        if ready and node not in found:
            found.append(node)
        elif not ready:
            waiting.append((node, True))
            waiting.extend((child, False) for child in node.children)
    return found
"""
RENAMED = COPIED.replace("found", "result").replace("waiting", "todo").replace("node", "n")
OTHER = """
def order(root):
    marks = {}
    def go(where):
        marks[where] = True
        for down in where.children:
            if down not in marks:
                go(down)
        answer.append(where)
    answer = []
    go(root)
    return answer
"""


def test_a_copy_with_other_names_is_found_and_an_own_solution_is_not():
    pytest.importorskip("copydetect")
    files = {"ada": STUB + COPIED, "bob": STUB + RENAMED, "cyd": STUB + OTHER}
    shares = {
        (p.one, p.other): max(p.share_of_one, p.share_of_other) for p in similarity.compare("value.py", STUB, files)
    }
    assert shares.pop(("ada", "bob")) > 0.9
    assert all(share < 0.4 for share in shares.values()), shares


def test_what_was_handed_out_does_not_make_two_files_alike():
    pytest.importorskip("copydetect")
    assert similarity.compare("value.py", STUB, {"ada": STUB, "bob": STUB}) == []
    assert similarity.compare("value.py", "", {"ada": STUB, "bob": STUB}) != []


def test_what_more_than_a_fifth_of_the_class_writes_is_nobodys():
    pytest.importorskip("copydetect")
    few = {f"s{at:02}": COPIED for at in range(10)}
    assert len(similarity.compare("value.py", STUB, few)) == 45
    assert similarity.compare("value.py", STUB, {**few, "s10": COPIED}) == []


def test_no_file_is_run_and_what_cannot_be_read_is_named(tiny, tmp_path):
    pytest.importorskip("copydetect")
    trace = tmp_path / "it-ran"
    hand_in(tiny.root, "ada", f"open({str(trace)!r}, 'w')\n" + COPIED)
    hand_in(tiny.root, "bob", f"open({str(trace)!r}, 'w')\n" + RENAMED + "\x00\udcff".encode(errors="replace").decode())
    hand_in(tiny.root, "cyd", "x = 1\n" * 20_000)
    link = hand_in(tiny.root, "dee", None) / "value.py"
    link.symlink_to(tmp_path / "elsewhere.py")
    result = CliRunner().invoke(app, ["similar", "4", "--course", str(tiny.root)])
    assert result.exit_code == 0, result.output
    assert "of ada" in result.output
    assert "not compared: cyd/value.py is larger than 100 kB" in result.output
    assert "not compared: dee/value.py is a symbolic link" in result.output
    assert not trace.exists()


def test_without_submissions_the_command_says_so(tiny):
    with pytest.raises(CourseError, match="nothing is handed in"):
        similarity.similarities(tiny.course, tiny.course.part("4"))


def test_without_the_library_the_message_says_what_to_install(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "copydetect", None)
    with pytest.raises(CourseError, match="similarity"):
        similarity.compare("value.py", "", {})
