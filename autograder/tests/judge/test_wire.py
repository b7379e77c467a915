"""The judge's end of the pipe: whole messages, within a deadline and a size, whatever comes."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest

from autograder.judge import wire
from autograder.judge.wire import Wire, WireBroken, WireClosed, WireTimeout
from autograder.worker import protocol


@pytest.fixture
def pipe() -> Iterator[tuple[Wire, socket.socket]]:
    ours, theirs = socket.socketpair()
    with theirs:
        end = Wire(ours)
        yield end, theirs
        end.close()


def soon() -> float:
    return time.monotonic() + 10


def passed() -> float:
    return time.monotonic() + 0.05


def test_messages_arrive_whole_however_they_are_cut(pipe) -> None:
    end, theirs = pipe
    for piece in (b'["r",', b"7", b',1.5,[]]\n["e"', b',8]\n["x"]\n'):
        theirs.sendall(piece)
    assert end.receive(soon()) == ["r", 7, 1.5, []]
    assert end.receive(soon()) == ["e", 8]
    assert end.receive(soon()) == ["x"]


def test_nothing_within_the_deadline_is_a_timeout(pipe) -> None:
    end, _ = pipe
    with pytest.raises(WireTimeout):
        end.receive(passed())


def test_a_drip_of_bytes_gains_no_time(pipe) -> None:
    end, theirs = pipe
    stop = threading.Event()

    def drip() -> None:
        while not stop.wait(0.005):
            theirs.sendall(b" ")

    thread = threading.Thread(target=drip)
    thread.start()
    try:
        with pytest.raises(WireTimeout):
            end.receive(passed())
    finally:
        stop.set()
        thread.join()


def test_a_deadline_that_has_passed_is_a_timeout_even_when_bytes_are_waiting(pipe) -> None:
    end, theirs = pipe
    theirs.sendall(b"[1]\n")
    with pytest.raises(WireTimeout):
        end.receive(time.monotonic() - 1)


def test_the_end_of_the_other_side_is_told_apart_from_silence(pipe) -> None:
    end, theirs = pipe
    theirs.sendall(b"[1]\n[2")
    theirs.close()
    assert end.receive(soon()) == [1]
    with pytest.raises(WireClosed):
        end.receive(soon())
    with pytest.raises(WireClosed):
        end.send([1], soon())


@pytest.mark.parametrize(
    "garbage",
    [
        b"\n",
        b"{}\n",
        b"null\n",
        b'"text"\n',
        b"[1,]\n",
        b"[1]]\n",
        b"\xff\xfe\x00[1]\n",
        b"[" * 100_000 + b"\n",
        b"[" + b"9" * 5_000 + b"]\n",
        b"\x00\n",
    ],
)
def test_what_is_no_message_breaks_the_wire(pipe, garbage: bytes) -> None:
    end, theirs = pipe
    theirs.sendall(garbage)
    with pytest.raises(WireBroken):
        end.receive(soon())


def flood(connection: socket.socket, data: bytes, times: int) -> threading.Thread:
    def run() -> None:
        try:
            for _ in range(times):
                connection.sendall(data)
        except OSError:
            pass  # the judge has closed its end

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def test_a_message_that_is_too_large_is_not_waited_for(pipe) -> None:
    end, theirs = pipe
    flood(theirs, b"[" + b" " * (1 << 20), 1 + (protocol.MAX_MESSAGE >> 20))
    with pytest.raises(WireBroken, match="larger than 4 MiB"):
        end.receive(soon())


def test_a_worker_may_not_send_for_ever(pipe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "MAX_RECEIVED", 1 << 20)
    end, theirs = pipe
    flood(theirs, b"[" + b" " * 65_000 + b"]\n", 100)
    for _ in range(10):
        assert end.receive(soon()) == []
    with pytest.raises(WireBroken, match="more than 1 MiB"):
        list(iter(lambda: end.receive(soon()), None))


def test_a_worker_that_does_not_read_cannot_hold_the_judge(pipe) -> None:
    end, _ = pipe
    with pytest.raises(WireTimeout):
        end.send(["x" * 4_000_000], passed())


def test_a_large_message_arrives_whole(pipe) -> None:
    end, theirs = pipe
    received = bytearray()

    def read() -> None:
        while not received.endswith(b"\n"):
            received.extend(theirs.recv(1 << 16))

    thread = threading.Thread(target=read)
    thread.start()
    end.send(["y" * 3_000_000, 7], soon())
    thread.join()
    assert received == b'["' + b"y" * 3_000_000 + b'",7]\n'
