"""What is read of a submission: the graded files, as they are, and nothing that they lead to."""

from __future__ import annotations

import os
import socket
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from autograder.course import CourseError, Part
from autograder.judge.submission import MAX_BYTES, read_submission


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "part4"
    path.mkdir()
    return path


def test_a_folder_is_read_by_name(part: Part, folder: Path) -> None:
    (folder / "value.py").write_bytes(b"x = 1\r\n")
    (folder / "other.py").write_bytes(b"x = 2\n")
    found = read_submission(part, folder)
    assert (found.sources, found.missing) == ({"value.py": b"x = 1\r\n"}, {})


@pytest.mark.parametrize("name", ["value.py", "my_value.py", "value (1).py"])
def test_a_single_file_is_the_graded_one_whatever_it_is_called(part: Part, folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"x = 1\n")
    assert read_submission(part, folder / name).sources == {"value.py": b"x = 1\n"}


def test_a_single_file_of_another_part_s_is_a_wrong_call_when_several_are_graded(part: Part, folder: Path) -> None:
    both = part.model_copy(update={"graded": {"value.py": ("Value",), "checks.py": ("gradient_check",)}})
    (folder / "nn.py").write_bytes(b"")
    with pytest.raises(CourseError, match=r"nn.py is none of part4's graded files \(value.py, checks.py\)"):
        read_submission(both, folder / "nn.py")


def test_of_a_single_file_the_others_count_as_not_handed_in(part: Part, folder: Path) -> None:
    both = part.model_copy(update={"graded": {"value.py": ("Value",), "checks.py": ("gradient_check",)}})
    (folder / "checks.py").write_bytes(b"x = 1\n")
    found = read_submission(both, folder / "checks.py")
    assert found.sources == {"checks.py": b"x = 1\n"}
    assert found.missing == {"value.py": "value.py was not handed in"}


def test_a_path_that_is_not_there_is_a_wrong_call(part: Part, folder: Path) -> None:
    with pytest.raises(CourseError, match="does not exist"):
        read_submission(part, folder / "nothing")


def test_a_path_that_cannot_be_looked_at_is_a_wrong_call(part: Part, folder: Path) -> None:
    with pytest.raises(CourseError, match=r"can't be looked at|does not exist"):
        read_submission(part, folder / ("n" * 5_000))


def reason(part: Part, path: Path) -> str:
    found = read_submission(part, path)
    assert found.sources == {}
    return found.missing["value.py"]


def test_a_missing_file_names_what_it_may_be(part: Part, folder: Path) -> None:
    assert reason(part, folder) == "value.py is missing: no file of that name was handed in"
    for name in ("value (1).py", "Value.PY", "valuation.ipynb", "notes.txt"):
        (folder / name).write_bytes(b"")
    assert reason(part, folder).endswith("handed in (found Value.PY, value (1).py; was it renamed?)")


def test_a_lookalike_s_name_cannot_paint_over_the_sentence(part: Part, folder: Path) -> None:
    (folder / "value\u202e\x1b[2J.py").write_bytes(b"")
    assert "(found value\\u{202e}\\u{1b}[2J.py; was it renamed?)" in reason(part, folder)


@pytest.mark.parametrize("target", ["secret", "/etc/passwd", "nowhere", "value.py", "."])
def test_a_link_is_not_followed(part: Part, folder: Path, target: str) -> None:
    (folder / "secret").write_bytes(b"secret = 1\n")
    (folder / "value.py").symlink_to(target)
    assert reason(part, folder) == "value.py is a link to another place; hand in the file itself"
    assert reason(part, folder / "value.py") == "value.py is a link to another place; hand in the file itself"


def test_a_pipe_is_not_waited_for(part: Part, folder: Path) -> None:
    os.mkfifo(folder / "value.py")
    assert reason(part, folder) == "value.py is not an ordinary file"


def test_a_socket_is_not_read(part: Part, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)  # a socket's path must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("value.py")
        assert reason(part, folder).startswith("value.py could not be read (")


def test_a_folder_of_that_name_is_said_to_be_one(part: Part, folder: Path) -> None:
    (folder / "value.py").mkdir()
    (folder / "value.py" / "__init__.py").write_bytes(b"x = 1\n")
    assert reason(part, folder) == "value.py is a folder, not a file"


def test_a_file_may_be_as_large_as_the_limit_and_no_larger(part: Part, folder: Path) -> None:
    (folder / "value.py").write_bytes(b"#" * MAX_BYTES)
    assert len(read_submission(part, folder).sources["value.py"]) == MAX_BYTES
    (folder / "value.py").write_bytes(b"#" * (MAX_BYTES + 1))
    assert reason(part, folder) == "value.py is larger than 2 MB; the stub has a few kilobytes"


def test_a_file_that_cannot_be_read_is_said_to_be_so(part: Part, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "value.py").write_bytes(b"x = 1\n")

    def refuse(*args: object) -> int:
        raise PermissionError(13, "no")

    monkeypatch.setattr(os, "open", refuse)
    assert reason(part, folder) == "value.py could not be read (Permission denied)"


def test_the_digest_follows_the_content_and_not_the_place(part: Part, tmp_path: Path) -> None:
    digests = {}
    for name, content in [("a", b"x = 1\n"), ("b", b"x = 1\n"), ("c", b"x = 1\n "), ("d", b"")]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "value.py").write_bytes(content)
        digests[name] = read_submission(part, tmp_path / name).digest
    (tmp_path / "e").mkdir()
    digests["e"] = read_submission(part, tmp_path / "e").digest
    assert digests["a"] == digests["b"]
    assert len(set(digests.values())) == 4
    assert all(len(digest) == 16 for digest in digests.values())


def pack(path: Path, *members: tuple[str, bytes], kind: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", kind) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return path


@pytest.mark.parametrize("prefix", ["", "part4/", "Edda/part4/"])
def test_a_zip_is_read_at_the_top_or_below_folders(part: Part, tmp_path: Path, prefix: str) -> None:
    path = pack(tmp_path / "work.zip", (f"{prefix}value.py", b"x = 3\n"), (f"{prefix}part4.ipynb", b"{}"))
    submission = read_submission(part, path)
    assert submission.sources["value.py"] == b"x = 3\n"
    assert not (tmp_path / "value.py").exists()


def test_in_a_zip_the_file_that_lies_least_deep_counts(part: Part, tmp_path: Path) -> None:
    path = pack(
        tmp_path / "a.zip", ("part4/backups/value.py", b"old"), ("part4/value.py", b"new"), ("__MACOSX/value.py", b"no")
    )
    assert read_submission(part, path).sources["value.py"] == b"new"


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("members", "kind", "sentence"),
    [
        ([("a/value.py", b"1"), ("b/value.py", b"2")], zipfile.ZIP_DEFLATED, "value.py is in the zip 2 times"),
        ([("value.py", b"1"), ("value.py", b"2")], zipfile.ZIP_DEFLATED, "value.py is in the zip 2 times"),
        ([("value.py", b"x = 1")], zipfile.ZIP_LZMA, "value.py is packed in a way that is not read"),
        ([("valeu.py", b"x = 1")], zipfile.ZIP_DEFLATED, "value.py is missing: no file of that name is in the zip"),
        ([("value.py", b"#" * (MAX_BYTES + 1))], zipfile.ZIP_DEFLATED, "value.py is larger than 2 MB"),
    ],
)
def test_what_a_zip_does_not_give_has_a_sentence(part, tmp_path, members, kind, sentence) -> None:
    submission = read_submission(part, pack(tmp_path / "a.zip", *members, kind=kind))
    assert submission.missing["value.py"].startswith(sentence)
    assert "value.py" not in submission.sources


def test_a_bomb_in_a_zip_is_read_no_further_than_the_limit(part: Part, tmp_path: Path) -> None:
    path = pack(tmp_path / "a.zip", ("value.py", b"\0" * (200 << 20)))
    tracemalloc.start()
    assert read_submission(part, path).missing["value.py"].startswith("value.py is larger than 2 MB")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20 << 20


def test_damage_inside_a_zip_is_a_missing_file_and_a_broken_zip_a_wrong_call(part: Part, tmp_path: Path) -> None:
    path = pack(tmp_path / "a.zip", ("value.py", b"x = 12345678\n"), kind=zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"12345678", b"12345679", 1))
    assert read_submission(part, path).missing["value.py"].startswith("value.py is damaged inside the zip")
    path.write_bytes(path.read_bytes()[:25])
    with pytest.raises(CourseError, match=r"a\.zip cannot be read as a zip"):
        read_submission(part, path)
