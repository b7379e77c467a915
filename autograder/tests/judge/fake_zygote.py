"""A zygote whose workers are a function of the test's: what the judge's end of the pipe makes of any bytes."""

from __future__ import annotations

import contextlib
import json
import random
import socket
import threading
from collections.abc import Callable
from typing import Any

from autograder.judge.remote import RemoteWorker
from autograder.judge.zygote import Limits

Reply = Callable[[list[Any]], bytes | None]


def request_number(message: list[Any]) -> int:
    """The number that an answer to this message must carry."""
    return message[0] + len(message[1])


def line(*message: Any) -> bytes:
    """A message as it crosses the pipe."""
    return json.dumps(message).encode() + b"\n"


class FakeZygote:
    """Every worker answers the first request ("begin") as it should, and then with what `reply` makes of a message.

    None as a reply closes the pipe. `status` is the wait status that the worker seems to end with.
    """

    level = "good"

    def __init__(self, reply: Reply, status: int | None = 9) -> None:
        self.reply = reply
        self.status = status

    def fork(self, limits: Limits) -> tuple[int, socket.socket]:
        ours, theirs = socket.socketpair()
        threading.Thread(target=self._serve, args=(theirs,), daemon=True).start()
        return 1, ours

    def _serve(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError), connection.makefile("rb") as lines:
            for number, text in enumerate(lines):
                message = json.loads(text)
                data = line("r", message[0], None, []) if number == 0 else self.reply(message)
                if data is None:
                    return
                connection.sendall(data)

    def stop(self, pid: int) -> None:
        pass

    def end(self, pid: int) -> int | None:
        return self.status

    def worker(self, limits: Limits | None = None) -> RemoteWorker:
        """A RemoteWorker that talks to one of these."""
        return RemoteWorker(self, {"value.py": b"x = 1\n" * 50}, limits or Limits(5, 5.0), seed=random.randrange(100))  # type: ignore[arg-type]
