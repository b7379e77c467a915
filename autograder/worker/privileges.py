"""Stop being root before a submission's code runs.

Root is not bound by file permissions, RLIMIT_NPROC or ptrace rules, so a worker must not be root, whatever else
holds it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from . import kernel

NOBODY = 65534
_CAP_DAC_READ_SEARCH = 1 << 2


def nobody_can_read(paths: Iterable[str]) -> bool:
    """Whether a process of the user nobody can open each path for reading. Only for a process that is root.

    The answer is found by trying: effective ids are changed and changed back. Root's other groups are lost for good.
    """
    os.setgroups([])
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        for path in paths:
            os.close(os.open(path, os.O_RDONLY))
    except PermissionError:
        return False
    finally:
        os.seteuid(0)
        os.setegid(0)
    return True


def drop(*, keep_reading: bool) -> None:
    """Become nobody if this process is root, and give up all capabilities. OSError if the system refuses.

    `keep_reading` keeps CAP_DAC_READ_SEARCH, for a Python that lies where nobody cannot read (a pyenv in /root): later
    imports must work. Landlock binds this capability too; what it leaves visible is that a path exists, and its size.
    At weak there is no Landlock, but weak does not promise that anything is unreadable.
    """
    linux = sys.platform == "linux"
    if os.geteuid() == 0:
        if keep_reading:
            kernel.prctl("keeping a capability", kernel.PR_SET_KEEPCAPS, 1)
        os.setgroups([])
        if linux:
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
        else:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
    if linux:
        try:
            kernel.set_capabilities(_CAP_DAC_READ_SEARCH if keep_reading else 0)
        except PermissionError as error:
            if keep_reading:
                # As in a container's root, who may override permissions to write but not hand on reading alone.
                text = "nobody cannot read this Python, and CAP_DAC_READ_SEARCH is missing here"
                raise PermissionError(text) from error
            raise
    if 0 in (os.getuid(), os.geteuid(), os.getgid(), os.getegid()):
        raise PermissionError("the worker would still be root")
