"""The pipe between judge and worker: message shapes, limits and framing. Plain data only; nothing here can run code.

Messages are JSON, one per line.
    judge -> worker   [seq, queue, op, args, kwargs]    the queue, then one request to answer (op null: none)
                      ["return", ok, value, seq, queue] the answer to a callback, after that queue
    worker -> judge   ["r", seq, value, changed]        a result; changed are [n, items] of lists and dicts handed in
                      ["e", seq, types, message, where, callback]   an exception; where: [file, line, function]
                      ["c", callback, args, kwargs]     student code calls a function that a test handed in
                      ["x", where, seq]                 stopped by a signal: the line and the request it was at

The queue holds operations whose results the judge need not see yet: [handle, op, args, kwargs], where the judge has
named the handle (a negative number, or null when nothing is to be kept), and bare numbers, handles nobody holds any
more. Entry i has the number seq + i, the request itself seq + len(queue). When an entry fails, the rest of the queue
and of later ones is passed over, and the next request is answered with that exception.

Values. None, True, "text" and 1.5 stand for themselves; anything else is an object with one tag:
    {"i": hex}            a large int
    {"l"|"t"|"s"|"f": [...]}   list, tuple, set, frozenset
    {"d": [[k, v], ...]}  dict; a list or dict for the worker also has "n", its number
    {"h": n, "t": type}   an object that stays in the worker, by its handle
    {"c": n}              a function that stays in the judge
"""

import json
import os

MAX_MESSAGE = 4 << 20  # bytes; the largest message that the judge takes
MAX_STRING = 50_000  # characters of one string; a test that fails on it looks for what differs, character by character
MAX_TEXT = 2000  # characters of an exception's text
BROKEN = 70  # the exit status of a worker whose server can't go on
MAX_DEPTH = 20  # nesting of containers
SMALL_INT = 1 << 62  # ints below it stand for themselves
CONTAINERS = {"l": list, "t": tuple, "s": set, "f": frozenset}

_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


def frame(message):
    """One message as the bytes that cross the pipe."""
    return _encode(message).encode() + b"\n"


def write_all(fd, data):
    """Write every byte to a blocking descriptor."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


class Lines:
    """Reads whole lines from a blocking descriptor."""

    def __init__(self, fd):
        self.fd = fd
        self.buffer = bytearray()

    def read(self):
        """The next line without its end, or None when the other side has gone."""
        while (end := self.buffer.find(b"\n")) < 0:
            chunk = os.read(self.fd, 1 << 16)
            if not chunk:
                return None
            self.buffer += chunk
        line = bytes(self.buffer[:end])
        del self.buffer[: end + 1]
        return line
