"""Hostile acts, each tried by a real locked worker at strong and at good, as this user and as an ordinary one.

One line per act: what it is called, the snippet, and the class of the exception that must end it at good and at strong.
PermissionError is the answer of seccomp (EPERM) and of Landlock (EACCES).
"""

from __future__ import annotations

import platform
from collections.abc import Iterator

import pytest

from autograder.tests.judge.bench import Driver, driver

DENIED = "PermissionError"
ABSENT = "FileNotFoundError"  # At strong the file is not even there.

# name: (snippet, how it ends at good, how it ends at strong)
READING = {
    "read /etc/passwd": ("open('/etc/passwd').read()", DENIED, ABSENT),
    "read a hidden suite": ("open(SECRET).read()", DENIED, ABSENT),
    "list the folder of the hidden suite": ("import os; os.listdir(HOME)", DENIED, ABSENT),
    "list the root folder": ("import os; os.listdir('/')", DENIED, DENIED),
    "read the judge's environment": ("open(f'/proc/{JUDGE}/environ', 'rb').read()", DENIED, ABSENT),
    "read the judge's memory": ("open(f'/proc/{JUDGE}/mem', 'rb').read(1)", DENIED, ABSENT),
    "list the judge's descriptors": ("import os; os.listdir(f'/proc/{JUDGE}/fd')", DENIED, ABSENT),
    "enter the judge's root folder": (
        "open(f'/proc/{JUDGE}/root' + SECRET).read()",
        DENIED,
        ABSENT,
    ),
    "read its own command line": ("open('/proc/self/cmdline').read()", DENIED, ABSENT),
    "leave the folder by the back": ("open('/../../etc/passwd').read()", DENIED, ABSENT),
    "open by handle": ("syscall(304, -100, 0, 0)", DENIED, DENIED),
}
WRITING = {
    "overwrite the hidden suite": ("open(SECRET, 'w')", DENIED, DENIED),
    "append to the hidden suite": ("open(SECRET, 'a')", DENIED, DENIED),
    "empty a file opened for reading": ("import os; os.open(SECRET, os.O_RDONLY | os.O_TRUNC)", DENIED, DENIED),
    "empty a file of the standard library": ("import os; os.open(os.__file__, os.O_TRUNC)", DENIED, DENIED),
    "create a file": ("open(HOME + '/new', 'w')", DENIED, DENIED),
    "create a file in /tmp": ("open('/tmp/micrograder-new', 'x')", DENIED, DENIED),
    "make a nameless file": ("import os; os.open('/tmp', os.O_TMPFILE | os.O_RDWR)", DENIED, DENIED),
    "unlink": ("import os; os.unlink(SECRET)", DENIED, DENIED),
    "rename": ("import os; os.rename(SECRET, SECRET + '2')", DENIED, DENIED),
    "chmod": ("import os; os.chmod(SECRET, 0)", DENIED, DENIED),
    "chown": ("import os; os.chown(SECRET, 0, 0)", DENIED, DENIED),
    "set a file's times": ("import os; os.utime(SECRET, (1, 2))", DENIED, DENIED),
    "set an attribute": ("import os; os.setxattr(SECRET, 'user.a', b'b')", DENIED, DENIED),
    "truncate": ("import os; os.truncate(SECRET, 0)", DENIED, DENIED),
    "mkdir": ("import os; os.mkdir(HOME + '/new')", DENIED, DENIED),
    "make a symbolic link": ("import os; os.symlink('/etc/passwd', HOME + '/new')", DENIED, DENIED),
    "make a hard link": ("import os; os.link(SECRET, HOME + '/new')", DENIED, DENIED),
    "make a FIFO": ("import os; os.mkfifo(HOME + '/new')", DENIED, DENIED),
    "make a file in memory": ("import os; os.memfd_create('a')", DENIED, DENIED),
    "make shared memory": ("open('/dev/shm/a', 'w')", DENIED, DENIED),
    "make System V shared memory": ("syscall(29, 0, 4096, 0o1600)", DENIED, DENIED),
}
NETWORK = {
    "TCP": ("import socket; socket.create_connection(('127.0.0.1', PORT), 1)", DENIED, DENIED),
    "UDP": (
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'a', ('127.0.0.1', PORT))",
        DENIED,
        DENIED,
    ),
    "a unix socket": ("import socket; socket.socket(socket.AF_UNIX).connect(SOCKET)", DENIED, DENIED),
    "an abstract unix socket": ("import socket; socket.socket(socket.AF_UNIX).connect(ABSTRACT)", DENIED, DENIED),
    "netlink": ("import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)", DENIED, DENIED),
    "look up a name": ("import socket; socket.getaddrinfo('localhost', 80)", "gaierror", "gaierror"),
}
PROCESSES = {
    "fork": ("import os; os.fork()", DENIED, DENIED),
    "vfork": ("syscall(58)", DENIED, DENIED),
    "clone without threads' flags": ("syscall(56, 17, 0, 0, 0, 0)", DENIED, DENIED),
    "clone a thread into a new namespace": ("syscall(56, 0x00010000 | 0x10000000, 0, 0, 0, 0)", DENIED, DENIED),
    "clone3": ("syscall(435, 0, 0)", "OSError", "OSError"),
    "exec": ("import os; os.execv('/bin/sh', ['sh'])", DENIED, DENIED),
    "exec this Python": ("import os, sys; os.execv(sys.executable, ['python'])", DENIED, DENIED),
    "posix_spawn": ("import os; os.posix_spawn('/bin/sh', ['sh'], {})", DENIED, DENIED),
    "subprocess": ("import subprocess; subprocess.run(['true'])", DENIED, DENIED),
    "kill the judge": ("import os; os.kill(JUDGE, 9)", DENIED, DENIED),
    "kill the zygote": ("import os; os.kill(os.getppid(), 9)", DENIED, DENIED),
    "kill everything": ("import os; os.kill(-1, 9)", DENIED, DENIED),
    "tgkill the zygote": ("import os; syscall(234, os.getppid(), os.getppid(), 9)", DENIED, DENIED),
    "queue a signal": ("syscall(129, JUDGE, 9, 0)", DENIED, DENIED),
    "open the judge by descriptor": ("import os; os.pidfd_open(JUDGE)", DENIED, DENIED),
    "have the kernel signal the judge": ("import fcntl; fcntl.fcntl(0, 8, JUDGE)", DENIED, DENIED),
    "ptrace the judge": ("syscall(101, 16, JUDGE, 0, 0)", DENIED, DENIED),
    "be traced by the zygote": ("syscall(101, 0, 0, 0, 0)", DENIED, DENIED),
    "read another process's memory": ("syscall(310, JUDGE, 0, 0, 0, 0, 0)", DENIED, DENIED),
    "write another process's memory": ("syscall(311, JUDGE, 0, 0, 0, 0, 0)", DENIED, DENIED),
    "slow the judge down": ("import os; os.setpriority(os.PRIO_PROCESS, JUDGE, 19)", DENIED, DENIED),
    "move the judge to a processor": ("import os; os.sched_setaffinity(JUDGE, {0})", DENIED, DENIED),
    "leave the session": ("import os; os.setsid()", DENIED, DENIED),
}
PRIVILEGES = {
    "become root": ("import os; os.setuid(0)", DENIED, DENIED),
    "take root's group": ("import os; os.setgroups([0])", DENIED, DENIED),
    "take capabilities back": ("syscall(126, 0, 0)", DENIED, DENIED),
    "become traceable": ("syscall(157, 4, 1, 0, 0, 0)", DENIED, DENIED),
    "outlive the zygote": ("syscall(157, 1, 0, 0, 0, 0)", DENIED, DENIED),
    "a user namespace": ("syscall(272, 0x10000000)", DENIED, DENIED),
    "mount": ("syscall(165, 0, 0, 0, 0, 0)", DENIED, DENIED),
    "chroot": ("import os; os.chroot('/')", DENIED, DENIED),
    "raise the memory limit": (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40))",
        "ValueError",
        "ValueError",
    ),
    "lower the judge's limits": (
        "import resource; resource.prlimit(JUDGE, resource.RLIMIT_CPU, (0, 0))",
        DENIED,
        DENIED,
    ),
    "another Landlock rule set": ("syscall(444, 0, 0, 1)", DENIED, DENIED),
    "load a BPF program": ("syscall(321, 0, 0, 0)", DENIED, DENIED),
    "count events of the processor": ("syscall(298, 0, 0, -1, -1, 0)", DENIED, DENIED),
    "io_uring": ("syscall(425, 1, 0)", DENIED, DENIED),
    "userfaultfd": ("syscall(323, 0)", DENIED, DENIED),
    "kernel keys": ("syscall(250, 0, 0)", DENIED, DENIED),
    "change its personality": ("syscall(135, 0x0040000)", DENIED, DENIED),
    "a call of the x32 table": ("syscall(0x40000000 | 57)", DENIED, DENIED),
    "type on the terminal": ("import fcntl; fcntl.ioctl(0, 0x5412, b'a')", DENIED, DENIED),
}
APPETITE = {
    "4 GiB at once": ("bytearray(4 << 30)", "MemoryError", "MemoryError"),
    "1.5 GiB in pieces": ("[bytearray(1 << 20) for _ in range(1536)]", "MemoryError", "MemoryError"),
    "4 GiB of address space": ("import mmap; mmap.mmap(-1, 4 << 30)", "OSError", "OSError"),
    "threads without end": (
        "import threading, time\n"
        "threading.stack_size(32768)\n"
        "for _ in range(40000): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()",
        "RuntimeError",
        "RuntimeError",
    ),
    "a hundred open files": ("import os; [open(os.__file__) for _ in range(100)]", "OSError", "OSError"),
}
OTHERS_CODE = {
    "import an installed package": (
        "import sys, os\n"
        "base = os.path.dirname(os.__file__)\n"
        "sys.path += [base + '/site-packages', '/usr/lib/python3/dist-packages']\n"
        "import pip",
        "ImportError",
        "ImportError",
    ),
    "import the judge": ("import autograder", "ImportError", "ImportError"),
}
ALL = {**READING, **WRITING, **NETWORK, **PROCESSES, **PRIVILEGES, **APPETITE, **OTHERS_CODE}

# A snippet with a bare number names a call of x86_64.
ACTS = [
    pytest.param(
        name,
        marks=pytest.mark.skipif(
            "syscall(" in ALL[name][0] and platform.machine() != "x86_64", reason="the numbers are x86_64's"
        ),
    )
    for name in ALL
]


@pytest.fixture(scope="module", params=["good", "strong"])
def level(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module", params=[False, True], ids=["this user", "ordinary user"])
def judge(request: pytest.FixtureRequest, level: str) -> Iterator[Driver]:
    with driver(level, ordinary=request.param) as running:
        yield running


@pytest.mark.parametrize("act", ACTS)
def test_a_worker_cannot(judge: Driver, level: str, act: str) -> None:
    snippet, at_good, at_strong = ALL[act]
    ends = judge.run(snippet + "\nresult = 'it went through'")
    expected = at_strong if level == "strong" else at_good
    found = ends.get("error")
    if expected == "ImportError" and found in ("ModuleNotFoundError", "PermissionError"):
        found = expected
    assert found == expected, ends


def test_after_all_these_acts_the_host_is_as_it_was(judge: Driver) -> None:
    host = judge.ask("host")
    assert host == {"secret": "assert a.grad == 6.0\n", "mode": "0o666", "files": ["socket", "test_hidden.py"]}


@pytest.mark.parametrize(("path", "at_good"), [("SECRET", "exists"), ("f'/proc/{JUDGE}'", "exists")])
def test_at_strong_a_worker_cannot_even_see_that_a_path_exists(
    judge: Driver, level: str, path: str, at_good: str
) -> None:
    ends = judge.run(f"import os\nresult = 'exists' if os.path.exists({path}) else 'absent'")
    assert ends["value"] == ("absent" if level == "strong" else at_good)
