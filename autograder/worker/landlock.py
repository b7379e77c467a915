"""Landlock: after this, a process can open nothing but what was granted, whoever it runs as.

The rule set is a file descriptor that is built once in the zygote and entered in every fork, so its price is paid once.

Why not a library: landlockpy, landlock and py-landlock bind the same three calls, but they are young or pre-release,
each adds a package that would have to be made visible inside a jail without site-packages, and their default is to
drop quietly what a kernel lacks. This is the part of the kit that everything else trusts; three calls are little.
See https://docs.kernel.org/userspace-api/landlock.html.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

from . import kernel
from .syscall_numbers import numbers

_READ_FILE = 1 << 2
_READ_DIR = 1 << 3
_VERSION = 1
_PATH_BENEATH = 1

# How many file-system rights exist from which version on. All that exist are handled, so all are denied.
_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}
_TCP_BIND_AND_CONNECT = 0b11
_SCOPE_SOCKETS_AND_SIGNALS = 0b11


def version() -> int:
    """The kernel's Landlock version; OSError where there is none."""
    return kernel.syscall("asking for Landlock", numbers()["landlock_create_ruleset"], 0, 0, _VERSION)


def build(grants: Iterable[tuple[str, bool]]) -> int:
    """A rule set that allows reading `grants` and nothing else; returns its descriptor, which the caller closes.

    A grant is (path, whole): a file, a folder with all that lies in it, or (whole is False) only the right to list
    folders from there on. OSError for a kernel without Landlock or a path that is not there.
    """
    call, abi = numbers(), version()
    rights = (1 << max(count for since, count in _RIGHTS.items() if since <= abi)) - 1
    fields = [rights]
    if abi >= 4:
        fields.append(_TCP_BIND_AND_CONNECT)
    if abi >= 6:
        fields.append(_SCOPE_SOCKETS_AND_SIGNALS)
    attributes = ctypes.create_string_buffer(struct.pack(f"<{len(fields)}Q", *fields))
    size = 8 * len(fields)
    rules = kernel.syscall("Landlock", call["landlock_create_ruleset"], ctypes.addressof(attributes), size, 0)
    try:
        for path, whole in grants:
            _allow(rules, call["landlock_add_rule"], path, whole)
    except OSError:
        os.close(rules)
        raise
    return rules


def _allow(rules: int, add_rule: int, path: str, whole: bool) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        access = _READ_FILE if whole else 0
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            access |= _READ_DIR
        rule = ctypes.create_string_buffer(struct.pack("<Qi", access, descriptor))
        kernel.syscall(f"Landlock rule for {path}", add_rule, rules, _PATH_BENEATH, ctypes.addressof(rule), 0)
    finally:
        os.close(descriptor)


def enter(rules: int) -> None:
    """Put this thread and its future children under the rule set, for ever. no_new_privs must be set."""
    kernel.syscall("entering Landlock", numbers()["landlock_restrict_self"], rules, 0)
