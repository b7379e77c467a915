"""What must not leave with a part, as phrases that the leak scan searches for.

Four kinds, all read from where they are written: the task code of this and later parts (solutions/*.py), the model
answers (solutions/partN/partN.py), the hidden tests and their tools (autograder/suites/), and the numbers that wrong
engines showed in hidden tests (autograder/misconceptions/). leakscan.py states the rule by which they become phrases.
This module reads nothing that is about to be released.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from autograder.build.assignment import kit_folder, solution_file
from autograder.build.mistakes import hidden_numbers
from autograder.build.phrases import Stream, code_streams, phrase_of, tokens_of, words_of
from autograder.course.manifest import Course, CourseError, Part
from autograder.course.notebook_text import model_answers
from autograder.course.regions import common_code

SOLUTION_TOKENS = 7
ASSERT_TOKENS = 9
DOCSTRING_TOKENS = 8
HELPER_TOKENS = 12
SETUP_TOKENS = 16
BODY_TOKENS = 20
ANSWER_WORDS = 8
NUMBER_DIGITS = 5
_NO_DIGIT = re.compile(r"e.*|\D")
_DOCSTRING = re.compile(r'^[ \t]*[rR]?("""|\'\'\')(?:.|\n)*?\1', re.MULTILINE)
_INTERFACE = {"def", "class", "import", "from", "@", "async"}


@dataclass(frozen=True)
class Secret:
    """One phrase, what it belongs to ("the solution of task 4.1") and where that is written ("solutions/value.py:57").

    `prose` says whether it is searched among words or among code tokens.
    """

    what: str
    origin: str
    phrase: str
    prose: bool = False


@dataclass(frozen=True)
class _Row:
    line: int
    tokens: tuple[str, ...]
    known: bool  # it stands in what students may read, or every stub has to show it


def collect_secrets(course: Course, part: Part, *, worked: bool = False) -> list[Secret]:
    """Every phrase that must not leave with `part`.

    worked  the part's worked solution may leave; everything else of the four kinds still may not
    Raises CourseError when a solution file, a notebook text or a hidden suite cannot be read.
    """
    files = [solution_file(course, path.name) for path in sorted(course.solutions.glob("*.py"))]
    common = "\n".join(common_code(file, part.number, worked=worked) for file in files)
    may_read = code_streams(common)
    secrets: list[Secret] = []
    for file in files:
        for task, number, lines in file.solution_lines():
            if number > part.number or (number == part.number and not worked):
                # Blanked, not removed: a region's lines are not always neighbours, so each keeps its own number.
                code = _without_docstrings("\n".join(line.text for line in lines)).split("\n")
                rows = _rows(zip((line.number for line in lines), code, strict=True), may_read)
                for row, phrase in _joined(rows, SOLUTION_TOKENS, may_read):
                    secrets.append(Secret(f"the solution of task {task}", f"{file.name}:{row.line}", phrase))
    for other in course.written_parts:
        for question, where, text in model_answers(course, other):
            secrets += _answer(question, where, text, {q.title for q in other.questions})
    public = [_suite(course, p, "test_public.py") for p in course.written_parts if p.number <= part.number]
    may_read = code_streams(common + "\n".join(public))
    suites = kit_folder(course) / "suites"
    for path in sorted([*suites.glob("*/test_hidden.py"), *suites.glob("*.py")]):
        what = "a hidden test" if path.name == "test_hidden.py" else "the hidden tests' tools"
        name = path.relative_to(suites.parent).as_posix()
        secrets += _hidden(path.read_text(encoding="utf-8"), name, what, may_read)
    recorded = hidden_numbers(kit_folder(course), [other.id for other in course.written_parts])
    for other, numbers in recorded.items():
        for number in sorted(numbers):
            tokens = (repr(number),)
            if len(_NO_DIGIT.sub("", tokens[0]).strip("0")) >= NUMBER_DIGITS and not _stands_in(may_read, tokens):
                secrets.append(Secret("a hidden test's number", f"misconceptions/{other}.json", phrase_of(tokens)))
    return secrets


def _suite(course: Course, part: Part, name: str) -> str:
    path = kit_folder(course) / "suites" / part.id / name
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _without_docstrings(code: str) -> str:
    return _DOCSTRING.sub(lambda match: "\n" * match[0].count("\n"), code)


def _rows(lines: Iterable[tuple[int, str]], may_read: list[Stream]) -> list[_Row]:
    rows = []
    for number, text in lines:
        tokens = tokens_of(text)
        if tokens:
            known = tokens[0] in _INTERFACE or _stands_in(may_read, tokens)
            rows.append(_Row(number, tokens, known))
    return rows


def _stands_in(streams: list[Stream], tokens: tuple[str, ...]) -> bool:
    return any(stream.find(phrase_of(tokens)) is not None for stream in streams)


def _joined(rows: list[_Row], enough: int, may_read: list[Stream]) -> Iterator[tuple[_Row, str]]:
    """Per unknown row a phrase of at least `enough` tokens: itself, joined with what follows, then with what precedes.

    Nothing for a block that is shorter as a whole, or for a phrase that students may read.
    """
    for first, row in enumerate(rows):
        if row.known:
            continue
        start, stop = first, first + 1
        while sum(len(r.tokens) for r in rows[start:stop]) < enough and (start > 0 or stop < len(rows)):
            if stop < len(rows):
                stop += 1
            else:
                start -= 1
        tokens = tuple(token for r in rows[start:stop] for token in r.tokens)
        if len(tokens) >= enough and not _stands_in(may_read, tokens):
            yield row, phrase_of(tokens)


def _answer(question: str, where: str, text: str, titles: set[str]) -> Iterator[Secret]:
    words = words_of(text)
    asked = {window for title in titles for window in _windows(words_of(title))}
    for window in _windows(words):
        if window not in asked:
            yield Secret(f"the model answer to {question}", where, phrase_of(window), prose=True)


def _windows(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Every run of ANSWER_WORDS words; a shorter text as a whole, when it has half as many."""
    if ANSWER_WORDS // 2 <= len(words) < ANSWER_WORDS:
        yield words
    for start in range(len(words) - ANSWER_WORDS + 1):
        yield words[start : start + ANSWER_WORDS]


def _hidden(text: str, name: str, what: str, may_read: list[Stream]) -> Iterator[Secret]:
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise CourseError(f"autograder/{name}:{error.lineno}: not Python: {error.msg}") from None
    lines = text.splitlines()
    blanked = _without_docstrings(text).splitlines()
    in_tests: set[int] = set()

    def secret(line: int, phrase: str) -> Secret:
        return Secret(what, f"{name}:{line}", phrase)

    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) or not node.name.lower().startswith("test"):
            continue
        if not _stands_in(may_read, (node.name,)):
            yield secret(node.lineno, phrase_of((node.name,)))
        for line in (ast.get_docstring(node) or "").splitlines():
            tokens = tokens_of(line)
            if len(tokens) >= DOCSTRING_TOKENS and not _stands_in(may_read, tokens):
                yield secret(node.lineno, phrase_of(tokens))
        if isinstance(node, ast.FunctionDef):
            numbers = range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1)
            in_tests.update(numbers)
            yield from (secret(row.line, phrase) for row, phrase in _test_body(numbers, blanked, may_read))
    helpers = ((number, line) for number, line in enumerate(blanked[: len(lines)], 1) if number not in in_tests)
    for row in _rows(helpers, may_read):
        if not row.known and len(row.tokens) >= HELPER_TOKENS:
            yield secret(row.line, phrase_of(row.tokens))


def _test_body(numbers: range, lines: list[str], may_read: list[Stream]) -> Iterator[tuple[_Row, str]]:
    rows = _rows(((number, lines[number - 1]) for number in numbers if number <= len(lines)), may_read)
    for at, row in enumerate(rows):
        if row.known:
            continue
        if "assert" in row.tokens or "raises" in row.tokens:
            start = at
            while start > 0 and sum(len(r.tokens) for r in rows[start : at + 1]) < ASSERT_TOKENS:
                start -= 1
            enough = ASSERT_TOKENS
        else:
            start, enough = at, SETUP_TOKENS
        tokens = tuple(token for r in rows[start : at + 1] for token in r.tokens)
        if len(tokens) >= enough and not _stands_in(may_read, tokens):
            yield row, phrase_of(tokens)
    # A whole body is secret even where it stands in a public test: then the hidden test hides nothing.
    tokens = tuple(token for row in rows for token in row.tokens)
    if len(rows) >= 3 and len(tokens) >= BODY_TOKENS:
        yield rows[0], phrase_of(tokens)
