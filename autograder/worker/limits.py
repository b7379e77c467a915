"""What one worker may use up, as resource limits of the operating system.

A limit here is a bound on damage. Deadlines in wall time are the judge's.
"""

from __future__ import annotations

import os
import resource
import sys
from dataclasses import dataclass

CPU_GRACE = 2  # seconds

_STACK = 8 << 20  # Fixed, so that a recursion in C ends at the same depth on every machine.


@dataclass(frozen=True)
class Limits:
    """What one worker may use.

    When `cpu` is used up the worker gets SIGXCPU, which it may catch to say where it was; CPU_GRACE seconds later the
    kernel kills it.
    """

    memory: int = 1 << 30  # bytes of address space
    cpu: int = 30  # seconds of processor time, over the worker's whole life
    open_files: int = 64


def apply(limits: Limits, *, bound_processes: bool) -> None:
    """Set the limits on this process; OSError or ValueError if the system refuses one.

    `bound_processes` is for a level without seccomp. macOS counts processes there and gets none; Linux counts threads
    too, over all processes of the user, so a worker gets some beyond those that exist.
    """
    wanted = {
        resource.RLIMIT_CPU: (limits.cpu, limits.cpu + CPU_GRACE),
        resource.RLIMIT_FSIZE: (0, 0),
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_NOFILE: (limits.open_files, limits.open_files),
    }
    if sys.platform == "linux":
        wanted[resource.RLIMIT_AS] = (limits.memory, limits.memory)
        wanted[resource.RLIMIT_STACK] = (_STACK, _STACK)
        wanted[resource.RLIMIT_MEMLOCK] = (0, 0)
        wanted[resource.RLIMIT_MSGQUEUE] = (0, 0)
    if bound_processes:
        most = _tasks_of_this_user() + 64 if sys.platform == "linux" else 0
        wanted[resource.RLIMIT_NPROC] = (most, most)
    for kind, (soft, hard) in wanted.items():
        ceiling = resource.getrlimit(kind)[1]
        if ceiling != resource.RLIM_INFINITY:
            soft, hard = min(soft, ceiling), min(hard, ceiling)
        resource.setrlimit(kind, (soft, hard))


def _tasks_of_this_user() -> int:
    total = 0
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == os.getuid():
                total += len(os.listdir(f"/proc/{name}/task"))
        except OSError:  # The process ended while it was being counted.
            continue
    return total
