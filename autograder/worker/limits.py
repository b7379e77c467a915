"""What one worker may use up, as resource limits of the operating system.

A limit here is a bound on damage. Deadlines in wall time are the judge's.
"""

from __future__ import annotations

import resource
import sys
from dataclasses import dataclass

CPU_GRACE = 2  # seconds

# Linux counts all threads and processes of the user here, so this has room for those of other programs. It is there
# because a program with tiny stacks could otherwise start threads until the machine has no process number left.
_TASKS = 4096
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


def apply(limits: Limits) -> None:
    """Set the limits on this process; OSError or ValueError if the system refuses one."""
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
        wanted[resource.RLIMIT_NPROC] = (_TASKS, _TASKS)
    else:
        wanted[resource.RLIMIT_NPROC] = (0, 0)  # macOS counts processes alone, so threads are free.
    for kind, (soft, hard) in wanted.items():
        ceiling = resource.getrlimit(kind)[1]
        if ceiling != resource.RLIM_INFINITY:
            soft, hard = min(soft, ceiling), min(hard, ceiling)
        resource.setrlimit(kind, (soft, hard))
