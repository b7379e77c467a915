"""The judge's handle on its zygote: starts it at a sandbox level, asks it for workers, and ends them.

What a level means is sandbox.py's business; what workers say is remote.py's.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import socket
import subprocess
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from typing import Any

from autograder.judge import sandbox
from autograder.judge.verdict import Level

ANSWER_SECONDS = 30.0  # the zygote runs no student code; silence for so long means that it is gone


class ZygoteError(BaseException):
    """The zygote could not be started or has died; nothing about a submission follows from it.

    Not an Exception, so that neither a test nor hypothesis takes it for something that student code did.
    """


@dataclass(frozen=True)
class Limits:
    """What one worker may use. `wall` counts for one request, `cpu` for the worker's whole life."""

    cpu: int = 5  # seconds
    wall: float = 15.0  # seconds
    memory: int = 1 << 30  # bytes


@dataclass(frozen=True)
class Budget:
    """What one submission may use."""

    loading: Limits = Limits(cpu=5, wall=15.0)
    test: Limits = Limits()
    after_a_timeout: Limits = Limits(cpu=1, wall=3.0)  # for the other tests of a task that has timed out once
    timeouts: int = 3  # of one task; its other tests are not tried, so that an endless loop can't hold up a class
    # Seconds by the clock, in which its last test has to begin, so that one that is slow everywhere and runs out of
    # time nowhere can't hold up a class either. A right one needs a few; it has so many that no busy machine ends it.
    whole: float = 240.0


class Zygote:
    """A running zygote. Raises ZygoteError when it does not start, and from every call once it is gone."""

    def __init__(self, level: Level) -> None:
        self.level = level
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with theirs:
            self._process = from_a_lasting_thread(
                subprocess.Popen,
                sandbox.command(level, theirs.fileno()),
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=sandbox.environment(),
                cwd="/",
                start_new_session=True,
            )
        ours.settimeout(ANSWER_SECONDS)
        self._control = ours
        self._gone = False
        self.borrowed = False  # from the process that this one was forked from
        try:
            self._answer()
        except ZygoteError:
            self.close()
            raise

    @property
    def alive(self) -> bool:
        """Whether it can be asked. What it runs in may be there for a moment longer."""
        return not self._gone and (self.borrowed or self._process.poll() is None)

    def fork(self, limits: Limits) -> tuple[int, socket.socket]:
        """A fresh worker: its process id (as the zygote sees it) and the judge's end of its pipe."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with theirs:
            try:
                socket.send_fds(self._control, [json.dumps({"fork": asdict(limits)}).encode()], [theirs.fileno()])
            except OSError as error:
                ours.close()
                raise self._lost(f"has gone ({error})") from None
        try:
            return self._answer()["pid"], ours
        except ZygoteError:
            ours.close()
            raise

    def stop(self, pid: int) -> None:
        """Ask a worker to say which line it is running, and to end."""
        self._ask({"stop": pid})

    def end(self, pid: int) -> int | None:
        """Kill a worker with everything it started; its wait status, or None when it is not known."""
        return self._ask({"end": pid})["status"]

    def close(self) -> None:
        """End the zygote and all its workers."""
        self._control.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            self._control.sendall(json.dumps(request).encode())
        except OSError as error:
            raise self._lost(f"has gone ({error})") from None
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        try:
            answer = self._control.recv(1 << 16)
        except OSError as error:
            raise self._lost(f"does not answer ({error})") from None
        if not answer:
            raise self._lost(f"ended with status {self._process.poll()} (sandbox level {self.level})")
        return json.loads(answer)

    def _lost(self, how: str) -> ZygoteError:
        self._gone = True
        return ZygoteError(f"the zygote {how}")


def from_a_lasting_thread(start: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`start(*args, **kwargs)`, called in a thread that lives as long as this process.

    The kernel ends a sandbox with the thread that started it, so a thread of a pool must not be that thread.
    """
    if threading.current_thread() is threading.main_thread():
        return start(*args, **kwargs)
    outcome: Future[Any] = Future()

    def run() -> None:
        try:
            outcome.set_result(start(*args, **kwargs))
        except BaseException as error:
            outcome.set_exception(error)
        threading.Event().wait()  # for ever

    threading.Thread(target=run, name="micrograder-zygote", daemon=True).start()
    return outcome.result()


_kept: dict[Level, Zygote] = {}
_owner = os.getpid()


def get_zygote(level: Level) -> Zygote:
    """The zygote of this process at that level, started when it is first needed or when it has died."""
    global _owner
    if _owner != os.getpid():  # after a fork the parent's zygotes are not ours to talk to
        _kept.clear()
        _owner = os.getpid()
    zygote = _kept.get(level)
    if zygote is None or not zygote.alive:
        if zygote is not None:
            zygote.close()
        zygote = _kept[level] = Zygote(level)
    return zygote


def borrow_zygotes() -> None:
    """After a fork: go on with the parent's zygotes. The parent must not use them before this process has ended."""
    global _owner
    for zygote in _kept.values():
        zygote.borrowed = True
    _owner = os.getpid()


def give_back_zygotes() -> bool:
    """End those that were started since borrow_zygotes(); whether the borrowed ones were good to the end."""
    own = [zygote for zygote in _kept.values() if not zygote.borrowed]
    for zygote in own:
        with contextlib.suppress(OSError):
            zygote.close()
    return not own and all(zygote.alive for zygote in _kept.values())


@atexit.register
def close_zygotes() -> None:
    """End this process's zygotes."""
    if _owner == os.getpid():
        while _kept:
            with contextlib.suppress(OSError):
                _kept.popitem()[1].close()
