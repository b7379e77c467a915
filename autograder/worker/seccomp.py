"""The system calls a worker may make: a list of what computing needs; everything else fails with EPERM.

No fork, no exec, no socket, no signal to another process, no file opened for writing, no limit changed. Threads work.
Calls that are harmless only with certain arguments are allowed with these arguments alone.

Why not a library: pyseccomp needs libseccomp.so, which is not part of Python and would have to be visible in the jail;
seccompy is pure Python but months old. The filter is a table and a dozen tiny checks; read it here, in one place.
See https://docs.kernel.org/userspace-api/seccomp_filter.html.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import platform
import struct

from . import kernel
from .syscall_numbers import AUDIT_ARCHITECTURE, numbers

_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_X32 = 0x40000000
_MODE_FILTER = 2

_THREAD = 0x00010000
_NAMESPACES = 0x7E020000
# O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND: the same bits on both machines. O_RDONLY | O_TRUNC empties a file.
_WRITING = 0o1 | 0o2 | 0o100 | 0o1000 | 0o2000
# Duplicating and flags only: F_SETOWN with F_SETSIG would make the kernel send any signal, even SIGKILL, to anyone.
_FCNTL = (0, 1, 2, 3, 4, 1030)
# Is it a terminal; blocking or not; closed on exec or not.
_IOCTL = (0x5401, 0x5421, 0x5450, 0x5451)

# tgkill depends on the worker; the Landlock calls are in the table for landlock.py and over when the filter comes.
_HANDLED_APART = {"tgkill", "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"}


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)


_YES = _step(_RETURN, _ALLOW)
_NO = _step(_RETURN, _ERROR | errno.EPERM)


def _load_argument(index: int, high_half: bool = False) -> bytes:
    return _step(_LOAD, _ARGUMENTS + 8 * index + 4 * high_half)


def _one_of(index: int, values: tuple[int, ...]) -> bytes:
    """Allowed when the low half of an argument (the kernel reads an int there) is one of the values."""
    tests = (_step(_JUMP_EQUAL, value, 0, 1) + _YES for value in values)
    return _load_argument(index) + b"".join(tests) + _NO


def _none_of_the_bits(index: int, bits: int) -> bytes:
    return _load_argument(index) + _step(_JUMP_ANY_BIT, bits, 0, 1) + _NO + _YES


def _null(index: int) -> bytes:
    """Goes on when a pointer argument is null, both halves of it; refuses otherwise."""
    halves = (_load_argument(index, high) + _step(_JUMP_EQUAL, 0, 1, 0) + _NO for high in (False, True))
    return b"".join(halves)


def _checks() -> dict[str, bytes]:
    """The code for each call that is allowed with certain arguments only, the same in every worker."""
    return {
        # A thread shares everything with its process; without that flag it would be a fork.
        "clone": _load_argument(0)
        + (_step(_JUMP_ANY_BIT, _NAMESPACES, 0, 1) + _NO)
        + (_step(_JUMP_ANY_BIT, _THREAD, 0, 1) + _YES + _NO),
        # Its flags lie in memory, where a filter cannot look. ENOSYS makes the C library use clone instead.
        "clone3": _step(_RETURN, _ERROR | errno.ENOSYS),
        "fcntl": _one_of(1, _FCNTL),
        "ioctl": _one_of(1, _IOCTL),
        "open": _none_of_the_bits(1, _WRITING),
        "openat": _none_of_the_bits(2, _WRITING),
        # Reading one's own limits, not setting them.
        "prlimit64": _null(2) + _one_of(0, (0,)),
        # On the connected socket to the judge, never to an address.
        "sendto": _null(4) + _YES,
    }


def _when(number: int, then: bytes) -> bytes:
    return _step(_JUMP_EQUAL, number, 0, len(then) // 8) + then


@functools.cache
def _common(machine: str) -> bytes:
    """The filter up to what differs from worker to worker. Asked for once in the zygote, it is ready in every fork."""
    call, checks = numbers(machine), _checks()
    steps = [
        _step(_LOAD, _ARCHITECTURE),
        _step(_JUMP_EQUAL, AUDIT_ARCHITECTURE[machine], 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER),
    ]
    if machine == "x86_64":
        steps += [_step(_JUMP_AT_LEAST, _X32, 0, 1), _NO]
    plain = call.keys() - checks.keys() - _HANDLED_APART
    steps += [_when(call[name], _YES) for name in sorted(plain)]
    steps += [_when(call[name], checks[name]) for name in sorted(call.keys() & checks.keys())]
    return b"".join(steps)


def program(process: int, machine: str | None = None) -> bytes:
    """The filter for the process with that id on `machine` (default: this one). KeyError for a machine not known."""
    machine = machine or platform.machine()
    # A signal to itself only: abort() and signal.raise_signal().
    return _common(machine) + _when(numbers(machine)["tgkill"], _one_of(0, (process,))) + _NO


def enter() -> None:
    """Put this thread and its future children under the filter, for ever. no_new_privs must be set."""
    code = program(os.getpid())
    buffer = ctypes.create_string_buffer(code, len(code))
    header = ctypes.create_string_buffer(struct.pack("<HxxxxxxQ", len(code) // 8, ctypes.addressof(buffer)))
    kernel.prctl("entering seccomp", kernel.PR_SET_SECCOMP, _MODE_FILTER, ctypes.addressof(header))
