"""The few Linux calls the jail needs that the os module lacks, through ctypes.

Every function raises OSError with the kernel's error number; none of them decides anything.
"""

from __future__ import annotations

import contextlib
import ctypes
import os

_LIBC = ctypes.CDLL(None, use_errno=True)

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_KEEPCAPS = 8
PR_SET_SECCOMP = 22
PR_SET_NO_NEW_PRIVS = 38

_CLOSE_RANGE = 436
_CAPABILITY_VERSION_3 = 0x20080522


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(what: str, number: int, *arguments: int) -> int:
    """Make system call `number` and return its result; `what` names it in the error. Pointers go in as integers."""
    return _checked(_LIBC.syscall(ctypes.c_long(number), *(ctypes.c_long(a) for a in arguments)), what)


def prctl(what: str, option: int, *arguments: int) -> None:
    """prctl(2); the unused arguments are zero, as the kernel demands."""
    padded = (*arguments, 0, 0, 0, 0)[:4]
    _checked(_LIBC.prctl(option, *(ctypes.c_ulong(a) for a in padded)), what)


def set_capabilities(kept: int) -> None:
    """Give up every capability outside the bit mask `kept` (effective and permitted), and all inheritable ones."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    low, high = kept & 0xFFFFFFFF, kept >> 32
    data = (ctypes.c_uint32 * 6)(low, low, 0, high, high, 0)
    _checked(_LIBC.capset(ctypes.byref(header), ctypes.byref(data)), "giving up capabilities")


def close_all_but(kept: set[int]) -> None:
    """Close every file descriptor of this process that is not in `kept`."""
    low = 0
    for number in [*sorted(kept), None]:
        high = number - 1 if number is not None else 0xFFFFFFFF
        if high >= low:
            try:
                syscall("close_range", _CLOSE_RANGE, low, high, 0)
            except OSError:  # Linux before 5.9, where the call does not exist
                os.closerange(low, min(high + 1, os.sysconf("SC_OPEN_MAX")))
        if number is not None:
            low = number + 1


def loaded_libraries() -> list[str]:
    """The paths of the shared objects in this process, as the dynamic loader knows them.

    The loader itself is asked, because /proc is not there in the sandbox. Empty where the C library cannot tell.
    """
    found: list[str] = []

    class Object(ctypes.Structure):
        _fields_ = [("address", ctypes.c_void_p), ("name", ctypes.c_char_p)]

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Object), ctypes.c_size_t, ctypes.c_void_p)
    def visit(entry: ctypes._Pointer[Object], _size: int, _data: int | None) -> int:
        found.append(os.fsdecode(entry.contents.name or b""))
        return 0

    with contextlib.suppress(AttributeError):
        _LIBC.dl_iterate_phdr(visit, None)
    return [path for path in found if os.path.isabs(path)]
