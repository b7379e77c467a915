"""One worker as the judge sees it: requests out, plain data and proxies back, and an end to it in every case.

Everything that arrives is a claim about data by code that may be hostile. It is checked for shape here; whether a
number is right is decided by the tests. Exceptions come back through an allowlist of built-in types.
"""

from __future__ import annotations

import base64
import os
import random
import signal
import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from autograder.judge.proxy import Proxy
from autograder.judge.wire import Wire, WireBroken, WireClosed, WireTimeout
from autograder.judge.zygote import Limits, Zygote, ZygoteError
from autograder.worker import protocol

BROKEN_CONNECTION = "your code disturbed the connection to the judge"
MAX_CALLBACK_DEPTH = 50
QUEUE_LENGTH = 256  # operations that are sent together without waiting
STOP_SECONDS = 0.5  # how long a worker that is being stopped may take to say where it was

ALLOWED_ERRORS: Mapping[str, type[Exception]] = {
    kind.__name__: kind
    for kind in (
        *(ArithmeticError, AssertionError, AttributeError, FloatingPointError, ImportError, IndentationError),
        *(IndexError, KeyError, LookupError, MemoryError, ModuleNotFoundError, NameError, NotImplementedError),
        *(OSError, OverflowError, RecursionError, RuntimeError, SyntaxError, TypeError, UnboundLocalError),
        *(ValueError, ZeroDivisionError),
    )
}

Containers = list[Any] | dict[Any, Any]  # what student code can change although the test holds it


class StudentError(Exception):
    """An exception of student code that is not one of the common built-in ones, SystemExit and the like included."""


@dataclass(frozen=True)
class Place:
    """A line of the submission. The worker claims it; whoever shows it checks it against the source."""

    file: str
    line: int
    function: str


@dataclass(frozen=True)
class Failure:
    """What a worker said about an exception; it is attached to the exception as `.failure`."""

    type: str
    text: str
    place: Place | None


class WorkerStopped(BaseException):
    """The worker is gone, or nothing of the submission can be used: the test is over.

    Not an Exception, so that neither pytest.raises nor hypothesis takes it for an answer of the student's code.
    `ran` is False when nothing was tried because of what is known already, so that no time was used up.
    """

    def __init__(self, outcome: Literal["error", "timeout", "crashed"], sentence: str, *, ran: bool = True) -> None:
        super().__init__(sentence)
        self.ran = ran
        self.outcome: Literal["error", "timeout", "crashed"] = outcome
        self.sentence = sentence


class RemoteWorker:
    """A fresh worker that has been given `sources` (file name -> bytes); nothing of them has run yet.

    Raises ZygoteError when no worker could be had.
    """

    def __init__(self, zygote: Zygote, sources: Mapping[str, bytes], limits: Limits, seed: int) -> None:
        self._zygote = zygote
        self._limits = limits
        self._pid, connection = zygote.fork(limits)
        self._wire = Wire(connection)
        self._sources = sources
        self._seq = random.randrange(1 << 48)
        self._proxies: weakref.WeakValueDictionary[int, Proxy] = weakref.WeakValueDictionary()
        self._queue: list[Any] = []
        self._doing: dict[int, str] = {}  # what is under way, by request number, for the sentence if it is stopped
        self._last_made = 0
        self._callbacks: list[Callable[..., Any]] = []
        self._callback_error: BaseException | None = None
        self._depth = 0
        self._stopped: WorkerStopped | None = None
        self._test_deadline = time.monotonic() + 2 * limits.wall
        try:
            self.ask("begin", {name: base64.b64encode(data).decode() for name, data in sources.items()}, seed)
        except WorkerStopped as stop:
            self._wire.close()
            raise ZygoteError(f"a worker ended before it had run anything ({stop.sentence})") from None

    def load(self, module: str) -> Proxy:
        """Import a module of the submission. Raises what its code raises, through the allowlist."""
        return self.ask("load", module)

    def graft(self, module: Proxy, source: str) -> None:
        """Run our own `source` among the module's names."""
        self.ask("graft", module, source)

    def end(self) -> None:
        """Kill the worker. Harmless when it is gone already."""
        if self._stopped is None:
            self._stopped = WorkerStopped("error", "the test is over")
            self._end_process()
        self._wire.close()

    def ask(self, op: str, *args: Any, **kwargs: Any) -> Any:
        """One request, after everything that is queued. Raises the student's exception (allowlisted) or WorkerStopped.

        A list or dict among the arguments is, afterwards, what the student's code has made of it.
        """
        if self._stopped is not None:
            raise self._stopped
        lists: list[Containers] = []
        arguments = [self._encode(arg, lists) for arg in args]
        named = {name: self._encode(value, lists) for name, value in kwargs.items()}
        deadline = min(time.monotonic() + self._limits.wall, self._test_deadline)
        try:
            seq = self._send(deadline, op, arguments, named, _doing(op, args))
            while (message := self._wire.receive(deadline))[0] == "c":
                self._answer_callback(message, deadline)
            return self._take(message, seq, lists)
        except WireTimeout:
            stop = self._stop_at_deadline()
        except WireClosed:
            stop = self._explain_end()
        except Exception as error:  # what came had the wrong shape; or it is the student's own exception, or the test's
            if hasattr(error, "failure") or self._callback_error is error:
                raise
            stop = self._stop("crashed", BROKEN_CONNECTION)
        raise stop from None

    def make(self, op: str, *args: Any, **kwargs: Any) -> Proxy:
        """Queue an operation that makes an object. An exception of it comes with the next request."""
        self._last_made -= 1
        self._queue_up(self._last_made, op, args, kwargs)
        proxy = self._proxies[self._last_made] = Proxy(self, self._last_made, "object")
        return proxy

    def do(self, op: str, *args: Any, **kwargs: Any) -> None:
        """Queue an operation whose result is of no interest. An exception of it comes with the next request."""
        self._queue_up(None, op, args, kwargs)

    def finish(self) -> None:
        """Have everything done that is queued. Raises what ask() raises."""
        if self._queue:
            self.ask("nothing")

    def release(self, handle: int) -> None:
        """Nobody holds this handle any more."""
        self._queue.append(handle)

    def _queue_up(self, handle: int | None, op: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if self._stopped is not None:
            raise self._stopped
        arguments = [self._encode(arg, []) for arg in args]
        self._doing[self._seq + len(self._queue)] = _doing(op, args)
        self._queue.append([handle, op, arguments, {name: self._encode(value, []) for name, value in kwargs.items()}])
        if self._callbacks and handle is None and op in ("call", "method"):
            # It may call a function of the test's, and the test looks at what that did. What makes a node calls none.
            self.finish()
        elif len(self._queue) >= QUEUE_LENGTH:
            try:
                self._send(min(time.monotonic() + self._limits.wall, self._test_deadline), None, [], {}, "")
            except WireTimeout:
                raise self._stop_at_deadline() from None
            except WireClosed:
                raise self._explain_end() from None

    def _send(self, deadline: float, op: str | None, args: list[Any], kwargs: dict[str, Any], doing: str) -> int:
        """Send the queue and a request; returns the request's number."""
        queue, self._queue = self._queue, []
        seq = self._seq + len(queue)
        self._doing[seq] = doing
        message = [self._seq, queue, op, args, kwargs]
        self._seq = seq + 1
        self._wire.send(message, deadline)
        return seq

    # --- answers -------------------------------------------------------------------------------------------------

    def _take(self, message: list[Any], seq: int, lists: list[Containers]) -> Any:
        kind = message[0]
        if kind == "x":
            raise self._stop("timeout", self._timeout_sentence(message, "of computing", self._limits.cpu))
        if type(message[1]) is not int or message[1] != seq:
            raise WireBroken("an answer to another request")
        self._doing.clear()
        if kind == "r":
            for number, items in message[3]:
                self._refill(lists[number], items)
            return self._decode(message[2])
        if kind != "e":
            raise WireBroken("unknown kind")
        if message[5] is not None and self._callback_error is not None:
            raise self._callback_error
        raise self._error(message)

    def _refill(self, handed: Containers, items: list[Any]) -> None:
        if isinstance(handed, dict):
            now = {self._decode(key): self._decode(item) for key, item in items}
            handed.clear()
            handed.update(now)
        else:
            handed[:] = [self._decode(item) for item in items]

    def _error(self, message: list[Any]) -> Exception:
        types = [str(name) for name in message[2]]
        text = str(message[3])[: protocol.MAX_TEXT]
        kind = next((ALLOWED_ERRORS[name] for name in types if name in ALLOWED_ERRORS), StudentError)
        error = kind(text)
        name = types[0] if types else "an exception"
        error.failure = Failure(name, text, self._place(message[4]))  # type: ignore[attr-defined]
        return error

    def _place(self, claim: Any) -> Place | None:
        if not isinstance(claim, list) or len(claim) != 3:
            return None
        file, line, function = claim
        if (
            not isinstance(file, str)
            or file not in self._sources
            or type(line) is not int
            or not isinstance(function, str)
        ):
            return None
        if not 0 < line <= self._sources[file].count(b"\n") + 1:
            return None
        return Place(file, line, function[:80] if function.isidentifier() else "")

    def _answer_callback(self, message: list[Any], deadline: float) -> None:
        number, args, kwargs = message[1], message[2], message[3]
        if type(number) is not int or not 0 <= number < len(self._callbacks):
            raise WireBroken("unknown function")
        if self._depth >= MAX_CALLBACK_DEPTH:
            raise WireBroken("functions nested too deeply")
        arguments = [self._decode(arg) for arg in args]
        named = {str(name): self._decode(value) for name, value in kwargs.items()}
        self._depth += 1
        try:
            result = self._callbacks[number](*arguments, **named)  # kept: a proxy that goes would take its object along
            value = self._encode(result, [])
            queue, self._queue = self._queue, []
            answer = ["return", True, value, self._seq, queue]
            self._seq += len(queue)
        except Exception as error:
            # Student code may catch it, as it could in one process; if it comes back out, ask() raises it again.
            self._callback_error = error
            answer = ["return", False, None, self._seq, []]
        finally:
            self._depth -= 1
        self._wire.send(answer, deadline)

    # --- ends ----------------------------------------------------------------------------------------------------

    def _stop(self, outcome: Literal["timeout", "crashed"], sentence: str) -> WorkerStopped:
        self._stopped = WorkerStopped(outcome, sentence)
        self._end_process()
        return self._stopped

    def _stop_at_deadline(self) -> WorkerStopped:
        message: list[Any] = []
        try:
            self._zygote.stop(self._pid)
            message = self._wire.receive(time.monotonic() + STOP_SECONDS)
        except (ZygoteError, WireTimeout, WireClosed, WireBroken):
            pass  # the line cannot be had; the sentence does without
        return self._stop("timeout", self._timeout_sentence(message, "of waiting", self._limits.wall))

    def _explain_end(self) -> WorkerStopped:
        status = self._end_process()
        outcome: Literal["timeout", "crashed"] = "crashed"
        if status is None and self._zygote.level != "weak":
            self._stopped = WorkerStopped("crashed", "the sandbox ended")
            raise ZygoteError("the zygote ended in the middle of a test")  # no worker can do that, see worker/jail.py
        if status is None:
            sentence = "your code ended the process it ran in"
        elif os.WIFEXITED(status) and os.WEXITSTATUS(status) == protocol.BROKEN:
            sentence = BROKEN_CONNECTION
        elif os.WIFEXITED(status):
            sentence = f"your code ended the process it ran in (exit status {os.WEXITSTATUS(status)})"
        elif os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
            outcome = "timeout"
            sentence = f"stopped: your code used up its {self._limits.cpu} s of computing, or cut off the judge"
        else:
            sentence = f"your code crashed Python itself ({signal.Signals(os.WTERMSIG(status)).name})"
        self._stopped = WorkerStopped(outcome, sentence)
        return self._stopped

    def _end_process(self) -> int | None:
        try:
            return self._zygote.end(self._pid)
        except ZygoteError:
            return None  # the zygote went first and took its workers along; the next test gets a new one

    def _timeout_sentence(self, message: list[Any], what: str, seconds: float) -> str:
        """`message`: what the worker said when it was stopped, if anything: ["x", where, number of the request]."""
        place, doing = None, "your code"
        if len(message) == 3 and message[0] == "x":
            place = self._place(message[1])
            doing = self._doing.get(message[2], doing) if type(message[2]) is int else doing
        sentence = f"stopped after {seconds:g} s {what}: {doing} never came back"
        return sentence if place is None else f"{sentence}; the last line that ran was {place.file}:{place.line}"

    # --- values --------------------------------------------------------------------------------------------------

    def _encode(self, value: Any, lists: list[Containers]) -> Any:
        kind = type(value)
        if value is None or kind is float or kind is str or kind is bool:
            return value
        if kind is int:
            return value if -protocol.SMALL_INT < value < protocol.SMALL_INT else {"i": hex(value)}
        if kind is Proxy:
            return {"h": value._handle}
        if kind is list:
            lists.append(value)
            return {"n": len(lists) - 1, "l": [self._encode(item, lists) for item in value]}
        for tag, container in protocol.CONTAINERS.items():
            if kind is container:
                return {tag: [self._encode(item, lists) for item in value]}
        if kind is dict:
            lists.append(value)
            number = len(lists) - 1
            return {"n": number, "d": [[self._encode(k, lists), self._encode(v, lists)] for k, v in value.items()]}
        if callable(value):
            if value not in self._callbacks:
                self._callbacks.append(value)
            return {"c": self._callbacks.index(value)}
        raise TypeError(f"a test can't hand a {kind.__name__} to student code")

    def _decode(self, value: Any, depth: int = 0) -> Any:
        kind = type(value)
        if value is None or kind is float or kind is int or kind is bool:
            return value
        if kind is str:
            if len(value) > protocol.MAX_STRING:
                raise WireBroken("a string that is too long")
            return value
        if kind is not dict or depth > protocol.MAX_DEPTH:
            raise WireBroken("a value of unknown shape")
        if "h" in value:
            return self._proxy(value["h"], str(value["t"])[:80])
        ((tag, content),) = value.items()
        if tag == "i":
            return int(content, 16)
        if tag == "c":
            return self._callbacks[content]
        if tag == "d":
            return {self._decode(k, depth + 1): self._decode(v, depth + 1) for k, v in content}
        return protocol.CONTAINERS[tag](self._decode(item, depth + 1) for item in content)

    def _proxy(self, handle: Any, type_name: str) -> Proxy:
        if type(handle) is not int:
            raise WireBroken("a handle that is no number")
        proxy = self._proxies.get(handle)
        if proxy is None:
            proxy = self._proxies[handle] = Proxy(self, handle, type_name)
        return proxy


def _doing(op: str, args: tuple[Any, ...]) -> str:
    """What the student's code was asked to do, for a sentence."""
    if op == "load":
        return f"importing {args[0]}.py"
    if op == "method":
        return f"{args[1]}()"
    if op == "below":
        return "walking through _prev"
    if op == "call" and type(args[0]) is Proxy:
        return f"{args[0]._name}()"
    return "your code"
