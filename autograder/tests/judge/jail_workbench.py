"""A small zygote for the tests of the jail: each request forks a worker, locks it, and runs a snippet in it.

It is copied beside the worker package's modules and started by the real `sandbox.command`. The snippet answers in a
variable `result`; what it raises is reported by type and error number.
"""

import ctypes
import json
import os
import socket

from . import jail
from .limits import Limits

LIBC = ctypes.CDLL(None, use_errno=True)


def syscall(number, *arguments):
    """A raw system call, so that a test does not depend on what Python offers."""
    code = LIBC.syscall(ctypes.c_long(number), *(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
    if code < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return code


def main(arguments):
    channel, level = socket.socket(fileno=int(arguments[0])), arguments[1]
    prepared = jail.prepare(level)
    while True:
        message, descriptors, _, _ = socket.recv_fds(channel, 1 << 16, 1)
        if not message:
            return
        request = json.loads(message)
        worker = os.fork()
        if worker == 0:
            try:
                serve(prepared, request, descriptors[0])
            finally:
                os._exit(0)
        os.close(descriptors[0])
        handle = os.pidfd_open(worker)
        socket.send_fds(channel, [b"started"], [handle])
        os.close(handle)


def serve(prepared, request, descriptor):
    channel = socket.socket(fileno=descriptor)
    if not request["locked"]:
        answer(channel, {"value": None})
        return
    jail.lock(prepared, Limits(**request["limits"]), [descriptor])
    space = {"__name__": "submission", "syscall": syscall, "answer": lambda value: answer(channel, {"value": value})}
    space |= request["names"]
    try:
        exec(request["snippet"], space)
    except BaseException as error:
        answer(channel, {"error": type(error).__name__, "errno": getattr(error, "errno", None), "text": str(error)})
        return
    if "result" in space:
        answer(channel, {"value": space["result"]})


def answer(channel, document):
    channel.sendall(json.dumps(document, default=repr).encode() + b"\n")
