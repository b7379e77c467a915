"""The judge's end of the pipe: whole messages within a deadline and a size, whatever the other side does.

Knows nothing of what messages mean. Nothing that arrives is evaluated, imported or unpickled.
"""

from __future__ import annotations

import json
import select
import socket
import time
from typing import Any

from autograder.worker import protocol

MAX_RECEIVED = 16 << 20  # bytes a worker may send over its life


class WireError(Exception):
    """The pipe can't be used any more."""


class WireClosed(WireError):
    """The worker has gone."""


class WireTimeout(WireError):
    """The deadline passed before a whole message was there."""


class WireBroken(WireError):
    """What came is no message: too large, not JSON, not a list."""


class Wire:
    """One worker's socket. Deadlines are times of time.monotonic()."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self._connection = connection
        self._buffer = bytearray()
        self._searched = 0
        self._received = 0
        self._readable = select.poll()
        self._readable.register(connection, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(connection, select.POLLOUT)

    def send(self, message: list[Any], deadline: float) -> None:
        """Send one message. Raises WireClosed, or WireTimeout when the worker does not take it in time."""
        view = memoryview(protocol.frame(message))
        while view:
            try:
                view = view[self._connection.send(view) :]
            except BlockingIOError:
                self._wait(self._writable, deadline)
            except OSError:
                raise WireClosed from None

    def receive(self, deadline: float) -> list[Any]:
        """The next message. Raises WireClosed, WireTimeout or WireBroken."""
        while (end := self._buffer.find(b"\n", self._searched)) < 0:
            self._searched = len(self._buffer)
            self._fill(deadline)
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        self._searched = 0
        try:
            message = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise WireBroken(f"not JSON ({type(error).__name__})") from None
        if type(message) is not list:
            raise WireBroken("not a list")
        return message

    def close(self) -> None:
        """Close the socket; the worker, if it still runs, reads the end of its input."""
        self._connection.close()

    def _fill(self, deadline: float) -> None:
        self._wait(self._readable, deadline)
        try:
            chunk = self._connection.recv(1 << 16)  # memory for a larger piece may be mapped anew each time
        except BlockingIOError:
            return
        except OSError:
            raise WireClosed from None
        if not chunk:
            raise WireClosed
        self._buffer += chunk
        self._received += len(chunk)
        if len(self._buffer) > protocol.MAX_MESSAGE:
            raise WireBroken(f"a message larger than {protocol.MAX_MESSAGE >> 20} MiB")
        if self._received > MAX_RECEIVED:
            raise WireBroken(f"more than {MAX_RECEIVED >> 20} MiB of messages")

    def _wait(self, poll: select.poll, deadline: float) -> None:
        # The deadline is absolute: a worker that sends a byte now and then gains no time.
        left = deadline - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            raise WireTimeout
