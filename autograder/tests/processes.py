"""Looks for processes in /proc: what a test has started, and whether it has ended."""

from __future__ import annotations

import os
import time
from pathlib import Path


def children(pid: int) -> list[int]:
    """The processes that `pid` has started, and theirs."""
    return [each for child in started_by(pid) for each in (child, *children(child))]


def judges(pid: int | None = None) -> list[int]:
    """The warm judges that `pid`, or this process, has started and that are running."""
    return [child for child in started_by(pid or os.getpid()) if b"autograder.judge.warm" in _read(child, "cmdline")]


def started_by(pid: int) -> list[int]:
    """The processes whose parent is `pid`."""
    everybody = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    stats = {each: _read(each, "stat").rpartition(b")")[2].split() for each in everybody}
    return [each for each, fields in stats.items() if len(fields) > 1 and int(fields[1]) == pid]


def _read(pid: int, name: str) -> bytes:
    try:
        return (Path("/proc") / str(pid) / name).read_bytes()
    except OSError:
        return b""


def gone(pids: list[int]) -> None:
    """Wait until all have ended; a judge that outlives its run would be found here."""
    end = time.monotonic() + 60
    while alive := [pid for pid in pids if running(pid)]:
        assert time.monotonic() < end, f"still there: {alive}"
        time.sleep(0.05)


def running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def parent_of(pid: int) -> int:
    """The process that has started `pid`."""
    return int(_read(pid, "stat").rpartition(b")")[2].split()[1])
