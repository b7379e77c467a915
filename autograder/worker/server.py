"""The worker: holds a student's objects and answers the judge's requests about them with plain data.

It decides nothing about right and wrong, and must be assumed to be under the student's control from the moment the
submission is loaded: whatever it sends, the judge treats as a claim about data.
"""

import base64
import builtins
import importlib
import json
import operator
import os
import random
import signal
import sys

from . import protocol
from .modules import Submission

RECURSION_LIMIT = 1000
OPERATORS = {
    name: getattr(operator, name)
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "neg", "pos", "abs", "getitem")
}
_set_recursion_limit = sys.setrecursionlimit
_recursion_limit = sys.getrecursionlimit


def defined_names(module):
    """The names that a module defines itself: no private ones, no imported modules."""
    return [name for name, value in vars(module).items() if not name.startswith("_") and type(value) is not type(sys)]


def nodes_below(root):
    """The same nodes in the same order as autograder.suites.backward finds them, which can't be imported here."""
    order, seen, todo = [], set(), [(root, False)]
    while todo:
        node, children_are_placed = todo.pop()
        if children_are_placed:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            todo.append((node, True))
            todo.extend((child, False) for child in node._prev)
    return order


class CallbackFailed(Exception):
    """A function that a test handed in raised; the judge still has the exception itself."""

    def __init__(self, number):
        super().__init__("a function of the test raised an exception")
        self.number = number


class Callback:
    """A function of the judge's, as student code sees it."""

    def __init__(self, server, number):
        self._server = server
        self._number = number

    def __call__(self, *args, **kwargs):
        return self._server.call_back(self._number, args, kwargs)


class Server:
    """Serves one worker's requests on the descriptor `fd` until the judge closes it."""

    def __init__(self, fd):
        self.fd = fd
        self.lines = protocol.Lines(fd)
        self.submission = Submission({})
        self.objects = {}  # handle -> object; also keeps every id below in use
        self.handles = {}  # id of an object -> handle
        self.callbacks = {}  # number -> Callback, so that a function stays itself
        self.last_handle = 0
        self.current = 0  # the number of the request that is running
        self.failure = None  # of a queued operation, until the next request
        self.operations = {
            "begin": self.begin,
            "load": importlib.import_module,
            "getattr": getattr,
            "setattr": setattr,
            "call": lambda function, *args, **kwargs: function(*args, **kwargs),
            "method": lambda owner, name, *args, **kwargs: getattr(owner, name)(*args, **kwargs),
            "nothing": lambda: None,
            "items": list,
            "repr": repr,
            "seed": random.seed,
            "names": defined_names,
            "graft": self.graft,
            "below": nodes_below,
            **OPERATORS,
        }

    def begin(self, sources, seed):
        """Take over the submission: `sources` maps file names to base64 text. Runs nothing of it yet."""
        random.seed(seed)
        self.submission = Submission({name: base64.b64decode(text) for name, text in sources.items()})
        sys.meta_path.insert(0, self.submission)
        sys.setrecursionlimit = lambda limit: None  # the limit is part of the contract; see contract, task 4.4
        for name in (signal.SIGXCPU, signal.SIGUSR1):
            signal.signal(name, self.stop)

    def stop(self, signum, frame):
        """Signal handler: say which of the student's lines was running, and end."""
        protocol.write_all(self.fd, protocol.frame(["x", self.submission.place(frame), self.current]))
        os._exit(0)

    def serve(self):
        """Answer requests; returns when the judge has gone."""
        while (line := self.lines.read()) is not None:
            self.answer(json.loads(line))

    def answer(self, message):
        seq, queue, op, args, kwargs = message
        _set_recursion_limit(RECURSION_LIMIT)
        self.run_queue(seq, queue)
        if op is not None:
            self.current = seq + len(queue)
            self.send(self.reply(self.current, op, args, kwargs))

    def run_queue(self, seq, queue):
        for number, entry in enumerate(queue):
            self.current = seq + number
            if type(entry) is int:
                self.release(entry)
            elif self.failure is None:
                self.run_entry(*entry)

    def run_entry(self, handle, op, args, kwargs):
        try:
            result = self.operate(op, args, kwargs, {})
        except BaseException as error:
            self.failure = error
        else:
            if handle is not None:
                self.objects[handle] = result
                self.handles.setdefault(id(result), handle)

    def reply(self, seq, op, args, kwargs):
        failure, self.failure = self.failure, None
        if failure is not None:
            return self.error_reply(seq, failure)
        lists = {}
        try:
            result = self.encode(self.operate(op, args, kwargs, lists))
            changed = [[n, self.items(new)] for n, (new, old) in lists.items() if not _same_items(new, old)]
            return ["r", seq, result, changed]
        except BaseException as error:
            return self.error_reply(seq, error)

    def operate(self, op, args, kwargs, lists):
        arguments = [self.decode(arg, lists) for arg in args]
        named = {name: self.decode(value, lists) for name, value in kwargs.items()} if kwargs else {}
        result = self.operations[op](*arguments, **named)
        if _recursion_limit() != RECURSION_LIMIT:  # there are ways around sys.setrecursionlimit
            raise RecursionError("the recursion limit was changed; it has to stay as it is")
        return result

    def release(self, handle):
        gone = self.objects.pop(handle, None)
        if self.handles.get(id(gone)) == handle:
            del self.handles[id(gone)]

    def error_reply(self, seq, error):
        try:
            text = str(error)[: protocol.MAX_TEXT]
        except BaseException:
            text = "(its own text could not be read)"
        types = [kind.__name__[:80] for kind in type(error).__mro__][:30]
        number = error.number if type(error) is CallbackFailed else None
        return ["e", seq, types, text, self.submission.place_of(error), number]

    def send(self, message):
        try:
            data = protocol.frame(message)
        except (ValueError, RecursionError, MemoryError) as error:
            data = protocol.frame(self.error_reply(message[1], error))
        protocol.write_all(self.fd, data)

    def call_back(self, number, args, kwargs):
        """Call the judge's function `number`; serves requests that arrive while it runs."""
        encoded = [self.encode(arg) for arg in args]
        named = {name: self.encode(value) for name, value in kwargs.items()}
        self.send(["c", number, encoded, named])
        while (line := self.lines.read()) is not None:
            message = json.loads(line)
            if message[0] == "return":
                _, ok, value, seq, queue = message
                if not ok:
                    raise CallbackFailed(number)
                self.run_queue(seq, queue)
                failure, self.failure = self.failure, None
                if failure is not None:
                    raise failure
                return self.decode(value, {})
            self.answer(message)
        os._exit(0)

    def graft(self, module, source):
        """Run the judge's `source` among the names of a student's module (the reference in place of a failed task)."""
        exec(compile(source, "the reference", "exec", dont_inherit=True), module.__dict__)

    def encode(self, value, depth=0):
        kind = type(value)
        if value is None or kind is bool or kind is float:
            return value
        if kind is str:
            if len(value) > protocol.MAX_STRING:
                raise ValueError(f"a text of {len(value)} characters is too long to be looked at")
            return value
        if kind is int:
            return value if -protocol.SMALL_INT < value < protocol.SMALL_INT else {"i": hex(value)}
        if kind is Callback:
            return {"c": value._number}
        # Subclasses of plain types cross as the plain value they hold, whatever they claim about themselves.
        if issubclass(kind, float):
            return float.__float__(value)
        if issubclass(kind, int):
            return self.encode(int.__int__(value))
        if issubclass(kind, str):
            return self.encode(str.__str__(value))
        if depth < protocol.MAX_DEPTH:
            for tag, container in protocol.CONTAINERS.items():
                if issubclass(kind, container):
                    return {tag: [self.encode(item, depth + 1) for item in container.__iter__(value)]}
            if issubclass(kind, dict):
                pairs = dict.items(value)
                return {"d": [[self.encode(key, depth + 1), self.encode(item, depth + 1)] for key, item in pairs]}
        return {"h": self.handle_of(value), "t": kind.__name__[:80]}

    def items(self, container):
        """What a list or dict that was handed in holds now."""
        if isinstance(container, dict):
            return [[self.encode(key), self.encode(item)] for key, item in container.items()]
        return [self.encode(item) for item in container]

    def handle_of(self, value):
        handle = self.handles.get(id(value))
        if handle is None:
            self.last_handle = handle = self.last_handle + 1
            self.handles[id(value)] = handle
            self.objects[handle] = value
        return handle

    def decode(self, value, lists):
        if type(value) is not dict:
            return value
        if "h" in value:
            return self.objects[value["h"]]
        if "c" in value:
            return self.callbacks.setdefault(value["c"], Callback(self, value["c"]))
        if "i" in value:
            return int(value["i"], 16)
        if "d" in value:
            pairs = {self.decode(key, lists): self.decode(item, lists) for key, item in value["d"]}
            if "n" in value:
                lists[value["n"]] = (pairs, dict(pairs))
            return pairs
        if "n" in value:
            items = [self.decode(item, lists) for item in value["l"]]
            lists[value["n"]] = (items, list(items))
            return items
        for tag, container in protocol.CONTAINERS.items():
            if tag in value:
                return container(self.decode(item, lists) for item in value[tag])
        raise ValueError("a message of unknown shape")


def _same_items(new, old):
    if isinstance(new, dict):
        return list(new) == list(old) and _same_items(list(new.values()), list(old.values()))
    return len(new) == len(old) and builtins.all(a is b for a, b in zip(new, old, strict=True))
