"""The leak scan: nothing that is about to leave may hold what students must not see.

It reads a folder or a zip as it would be handed out: sources, notebook cells with their outputs and metadata, any
other JSON, plain texts, and what can be read out of compiled files. It changes nothing; release.py refuses.

What counts as a leak (withheld.py collects the phrases, phrases.py says when two texts are the same):

- Code is compared as tokens: whitespace, line ends, comments, quotes, trailing commas and 1 against 1.0 make no
  difference, and neither do strings or comments around it. Renamed variables do.
- Solution: a line of task code of this or a later part with 7 tokens or more ("self.grad += out.grad" has 7). A shorter
  line counts together with its neighbours in the same region. Signatures, imports, docstrings and lines that also stand
  in the finished code of the part are no secret by themselves.
- Hidden test: its name; a line of its docstring of 8 tokens or more; an assertion of 9 or more (a shorter one together
  with the lines before it); any other line of 16 or more; in the suites' tools and outside tests a line of 12 or more.
  Lines that also stand in the public tests are no secret; a whole body (3 lines, 20 tokens) is one wherever it stands.
- Number of a hidden test: of what wrong engines showed there, each with 5 digits or more that no public test has.
- Model answer: any 8 words in a row (of two letters or more, case and punctuation aside), except the question's title.
- Refused outright, whatever they hold: compiled files, anything that is not UTF-8 text of a kind that a part consists
  of, links, cells with outputs.

Not seen: code with other names or extra parentheses, and text that is encoded or compressed inside a text file.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import marshal
import re
import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from types import CodeType
from typing import Any

from autograder.build.phrases import code_streams, word_stream
from autograder.build.withheld import Secret

TEXT_KINDS = {".py", ".ini", ".ipynb", ".json", ".md", ".txt", ".toml", ".csv", ".svg"}
COMPILED_KINDS = {".pyc", ".pyo", ".pyd", ".so", ".dll", ".dylib", ".o", ".a", ".class", ".whl"}
_BETWEEN = "\x01"
_PRINTABLE = re.compile(r"[\t\x20-\x7e]{4,}")


@dataclass(frozen=True, order=True)
class Leak:
    """One thing that must not leave: the file (as it would leave), the line in it, and what it is."""

    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}"


def scan_folder(folder: Path, secrets: list[Secret]) -> list[Leak]:
    """Every leak in a folder, sorted, by names that begin with the folder's own."""
    leaks: list[Leak] = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder.parent).as_posix()
        if path.is_symlink():
            leaks.append(Leak(name, 1, "a link; only plain files may leave"))
        elif path.is_file():
            leaks += _scan_file(name, path.read_bytes(), secrets)
    return sorted(set(leaks))


def scan_zip(archive: Path, secrets: list[Secret]) -> list[Leak]:
    """Every leak in a zip, sorted, by names that begin with the zip's own."""
    leaks: list[Leak] = []
    with zipfile.ZipFile(archive) as opened:
        leaks += _scan_text(archive.name, opened.comment.decode("utf-8", "replace"), secrets)
        for member in opened.infolist():
            name = f"{archive.name}/{member.filename}"
            if stat.S_ISLNK(member.external_attr >> 16):
                leaks.append(Leak(name, 1, "a link; only plain files may leave"))
            leaks += _scan_text(name, member.comment.decode("utf-8", "replace"), secrets)
            if not member.is_dir():
                leaks += _scan_file(name, opened.read(member), secrets)
    return sorted(set(leaks))


def _scan_file(name: str, content: bytes, secrets: list[Secret]) -> list[Leak]:
    leaks = _scan_text(name, PurePosixPath(name).stem, secrets)
    kind = PurePosixPath(name).suffix.lower()
    if kind in COMPILED_KINDS or content.startswith(importlib.util.MAGIC_NUMBER):
        return [Leak(name, 1, "a compiled file"), *leaks, *_scan_binary(name, content, secrets)]
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text or kind not in TEXT_KINDS:
        what = f"a file of a kind that no part consists of ({kind or 'no ending'}, or not UTF-8 text)"
        return [Leak(name, 1, what), *leaks, *_scan_binary(name, content, secrets)]
    if kind in {".ipynb", ".json"}:
        with contextlib.suppress(json.JSONDecodeError, RecursionError):  # Broken JSON leaves as the text that it is.
            return leaks + _scan_json(name, text, json.loads(text), secrets)
    return leaks + _scan_text(name, text, secrets)


def _scan_text(name: str, text: str, secrets: list[Secret]) -> list[Leak]:
    if not text:
        return []
    code, prose = code_streams(text), [word_stream(text)]
    leaks = []
    for secret in secrets:
        for stream in prose if secret.prose else code:
            line = stream.find(secret.phrase)
            if line is not None:
                leaks.append(Leak(name, line, f"{secret.what} ({secret.origin})"))
                break
    return leaks


def _scan_json(name: str, text: str, data: Any, secrets: list[Secret]) -> list[Leak]:
    """Scan the strings of a JSON document; the lines are those of the file."""
    lines = text.split("\n")
    # One text of all of them, so that each secret is searched once; no phrase of code has the mark between them.
    leaves = f"\n{_BETWEEN}\n".join(_leaves(data))
    own = leaves.split("\n")
    leaks = [replace(leak, line=_line_of(lines, own[leak.line - 1])) for leak in _scan_text(name, leaves, secrets)]
    for cell in data.get("cells", []) if isinstance(data, dict) else []:
        if isinstance(cell, dict) and cell.get("outputs"):
            leaks.append(Leak(name, _line_of(lines, str(cell.get("id", ""))), "a notebook cell with outputs"))
    return leaks


def _leaves(data: Any) -> Iterator[str]:
    """Every text in a JSON value, keys too; a list of texts (a notebook's source) as one. A number is its text."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, float):
        yield repr(data)
    elif isinstance(data, list) and data and all(isinstance(item, str) for item in data):
        # A list may hold lines with their ends (a notebook's source) or without (a list of hints).
        yield "".join(item if item.endswith("\n") else item + "\n" for item in data)
    elif isinstance(data, list):
        for item in data:
            yield from _leaves(item)
    elif isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from _leaves(value)


def _line_of(lines: list[str], wanted: str) -> int:
    for ascii_only in (False, True):
        written = json.dumps(wanted, ensure_ascii=ascii_only)[1:-1]
        for number, line in enumerate(lines, 1):
            if written and written in line:
                return number
    return 1


def _scan_binary(name: str, content: bytes, secrets: list[Secret]) -> list[Leak]:
    """Scan what can be read out of a binary file: its printable runs, and the names and constants of a .pyc."""
    views = [content, content.replace(b"\0", b"")]  # without its NUL bytes, text in UTF-16 is readable
    runs = [run for view in views for run in _PRINTABLE.findall(view.decode("latin-1"))]
    if content.startswith(importlib.util.MAGIC_NUMBER):
        with contextlib.suppress(EOFError, ValueError, TypeError):  # A damaged one: its printable runs have to do.
            runs += _constants(marshal.loads(content[16:]))
    # A byte next to a text can look like a letter of it, so the ends of a phrase may be glued to something.
    glued = [replace(secret, phrase=secret.phrase[1:-1]) for secret in secrets]
    return [replace(leak, line=1) for leak in _scan_text(name, "\n".join(runs), glued)]


def _constants(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, bytes):
        yield value.decode("latin-1")
    elif isinstance(value, tuple | frozenset):
        for item in value:
            yield from _constants(item)
    elif isinstance(value, CodeType):
        yield from (value.co_name, *value.co_names, *value.co_varnames)
        yield from _constants(value.co_consts)
