"""A worker that tries what a worker must not be able to do, and reports what went through.

The judge believes that a level works on this machine only after this has run in it. No submission is involved.
"""

from __future__ import annotations

import importlib
import json
import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from . import jail

# Modules that a right submission may import; some need files of their own, some a shared library.
STANDARD_LIBRARY = (
    *("abc", "bisect", "cmath", "collections", "contextlib", "copy", "dataclasses", "decimal", "enum", "fractions"),
    *("functools", "graphlib", "heapq", "itertools", "json", "math", "numbers", "operator", "queue", "random", "re"),
    *("statistics", "string", "struct", "threading", "time", "typing", "weakref"),
)


def main(arguments: list[str]) -> None:
    """Serve one probe as a zygote would: prepare, fork, wait. `arguments`: control descriptor and level."""
    channel, level = socket.socket(fileno=int(arguments[0])), arguments[1]
    try:
        task = json.loads(channel.makefile("r").readline())
        prepared = jail.prepare(level)
        child = os.fork()
        if child:
            os.waitpid(child, 0)
            return
        jail.lock(prepared, keep=[channel.fileno()])
        report = {"went_through": list(_forbidden(task)), "broken": list(_needed())}
    except jail.JailError as error:
        report = {"jail": str(error)}
    channel.sendall(json.dumps(report).encode() + b"\n")
    os._exit(0)


def _forbidden(task: dict[str, str | int]) -> Iterator[str]:
    path, judge = str(task["file"]), int(task["judge"])
    acts: dict[str, Callable[[], object]] = {
        "read a file of the judge's": lambda: os.open(path, os.O_RDONLY),
        "see that a file of the judge's exists": lambda: os.stat(path),
        "see the judge's process": lambda: os.stat(f"/proc/{judge}"),
        "write a file": lambda: _write(path),
        "open a network socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        "signal the judge": lambda: os.kill(judge, 0),
        "start a process": _fork,
        "be root": lambda: os.setuid(0),
    }
    for name, act in acts.items():
        with suppress(OSError, MemoryError):
            act()
            yield name


def _needed() -> Iterator[str]:
    for name in STANDARD_LIBRARY:
        with _told(f"import {name}") as broken:
            importlib.import_module(name)
        yield from broken
    with _told("compute") as broken:
        numbers = sys.modules["random"].Random(1)
        values = [numbers.uniform(-1, 1) for _ in range(100)]
        if abs(sum(v * v for v in values) - sys.modules["math"].fsum(v**2 for v in values)) > 1e-9:
            raise ArithmeticError("two sums of the same squares differ")
    yield from broken
    with _told("start a thread") as broken:
        thread = sys.modules["threading"].Thread(target=int)
        thread.start()
        thread.join()
    yield from broken


@contextmanager
def _told(what: str) -> Iterator[list[str]]:
    broken: list[str] = []
    try:
        yield broken
    except Exception as error:
        broken.append(f"{what} ({type(error).__name__}: {error})")


def _write(path: str) -> None:
    # Another file than the canary, so that one act cannot spoil the next.
    descriptor = os.open(path + ".written", os.O_WRONLY | os.O_CREAT)
    os.write(descriptor, b"x")


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)
