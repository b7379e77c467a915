"""The zygote: a clean process that forks one worker per test, so that none pays for starting Python.

It never touches a line of student code. The judge talks to it in lockstep over a socket, one JSON object a message:
    {"fork": {...limits}} and the worker's descriptor   -> {"pid": n}
    {"stop": pid}    ask the worker where it is          -> {}
    {"end": pid}     kill the worker and its children    -> {"status": wait status or null}
The zygote ends, and takes its workers along, when the judge's end of the socket closes.
"""

import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import sys

from . import jail, protocol
from .limits import Limits
from .server import Server

# What students' code commonly imports, loaded once here instead of once per worker.
PRELOADED = "abc collections copy dataclasses enum functools graphlib heapq itertools math operator random typing"


class Zygote:
    """Answers the judge on `control` until it closes."""

    def __init__(self, control, level):
        self.control = control
        self.prepared = jail.prepare(level)
        for name in PRELOADED.split():
            importlib.import_module(name)
        self.workers = set()

    def run(self):
        self.reply({"ready": True})
        while True:
            message, descriptors, _, _ = socket.recv_fds(self.control, 4096, 1)
            if not message:
                self.end_all()
                return
            request = json.loads(message)
            if "fork" in request:
                self.fork(descriptors[0], request["fork"])
            elif "stop" in request:
                self.signal(request["stop"], signal.SIGUSR1)
                self.reply({})
            else:
                self.reply({"status": self.end(request["end"])})

    def reply(self, message):
        self.control.sendall(json.dumps(message).encode())

    def fork(self, descriptor, limits):
        pid = os.fork()
        if pid == 0:
            try:
                self.control.close()
                become_worker(descriptor, self.prepared, limits)
            finally:
                os._exit(protocol.BROKEN)
        os.close(descriptor)
        self.workers.add(pid)
        self.reply({"pid": pid})

    def signal(self, pid, number):
        if pid in self.workers:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def end(self, pid):
        if pid not in self.workers:
            return None
        self.workers.discard(pid)
        try:
            os.killpg(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self.signal(pid, signal.SIGKILL)
        return os.waitpid(pid, 0)[1]

    def end_all(self):
        for pid in list(self.workers):
            self.end(pid)


def become_worker(descriptor, prepared, limits):
    """In the fork: close the jail, then serve the judge. Student code arrives only after the jail is closed."""
    gc.disable()  # deep graphs are one big cycle; a worker lives for one test and is killed, not torn down
    own = Limits(memory=limits["memory"], cpu=limits["cpu"])
    jail.lock(prepared, own, keep=[descriptor])
    Server(descriptor).serve()


def main(arguments):
    """`arguments`: the control socket's descriptor and the sandbox level."""
    control = socket.socket(fileno=int(arguments[0]))
    zygote = Zygote(control, arguments[1])
    gc.collect()
    gc.freeze()
    zygote.run()


if __name__ == "__main__":
    main(sys.argv[1:])
