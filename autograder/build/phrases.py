"""Texts in a form in which two of them are equal when a reader would call them the same.

Code becomes tokens, without whitespace, line ends, comments, quotes, trailing commas and the spelling of numbers; prose
becomes lower-case words. Every token remembers its line. Knows nothing of what is secret.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

_ESCAPED_BLANK = re.compile(r"\\[nrt]")
_COMMENT = re.compile(r"#.*")
_STRING_PREFIX = re.compile(r"\b[rbfuRBFU]{1,2}(?=[\"'])")
_TOKEN = re.compile(r"\d+\.?\d*(?:[eE][+-]?\d+)?|\w+|[-+*/<>=!%&|^@:]=|\*\*|//|->|[^\s\w\"'`\\]")
_WORD = re.compile(r"[^\W\d_]{2,}")
_EDGE = "\x1f"
_Located = Iterator[tuple[str, int]]


@dataclass(frozen=True)
class Stream:
    """Tokens (or words) in a row, each with its line, searchable for a run of them."""

    text: str
    starts: list[int]
    lines: list[int]

    def find(self, phrase: str) -> int | None:
        """The line on which the first occurrence of `phrase` (made by `phrase_of`) starts, or None."""
        at = self.text.find(phrase)
        return None if at < 0 else self.lines[bisect_right(self.starts, at) - 1]


def tokens_of(code: str) -> tuple[str, ...]:
    """The tokens of a piece of code."""
    return tuple(token for token, _ in _tokens(code, keep_comments=False))


def words_of(prose: str) -> tuple[str, ...]:
    """The words (two letters or more) of a piece of prose, in lower case."""
    return tuple(word for word, _ in _words(prose))


def phrase_of(tokens: tuple[str, ...]) -> str:
    """What `Stream.find` takes."""
    return _EDGE + _EDGE.join(tokens) + _EDGE


def code_streams(text: str) -> list[Stream]:
    """A text as code, twice: with what its comments say (commented-out code) and without it."""
    return [_stream(_tokens(text, keep_comments=keep)) for keep in (True, False)]


def word_stream(text: str) -> Stream:
    """A text as prose."""
    return _stream(_words(text))


def _tokens(text: str, *, keep_comments: bool) -> _Located:
    comma: int | None = None  # the line of a comma whose successor is not known yet
    for number, line in enumerate(text.split("\n"), 1):
        line = _ESCAPED_BLANK.sub(" ", _STRING_PREFIX.sub("", line))
        if keep_comments:
            line = line.replace("#", " ")
        for match in _TOKEN.finditer(_COMMENT.sub("", line)):
            token = match[0]
            if comma is not None and token not in ")]}":
                yield ",", comma
            comma = number if token == "," else None
            if comma is None:
                yield _number(token) if token[0].isdigit() else token, number


def _number(token: str) -> str:
    try:
        return repr(float(token))
    except ValueError:
        return token


def _words(text: str) -> _Located:
    for number, line in enumerate(text.split("\n"), 1):
        for match in _WORD.finditer(_ESCAPED_BLANK.sub(" ", line)):
            yield match[0].lower(), number


def _stream(located: _Located) -> Stream:
    pieces, starts, lines, at = [], [], [], 0
    for token, line in located:
        pieces.append(token)
        starts.append(at)
        lines.append(line)
        at += len(token) + 1
    return Stream(phrase_of(tuple(pieces)) if pieces else "", starts, lines)
