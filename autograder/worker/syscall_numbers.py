"""The numbers of the system calls that the seccomp filter speaks about, for x86_64 and aarch64.

Data only: which call is allowed, and with which arguments, is seccomp.py's business. The x86_64 column has been run;
the aarch64 column was checked against the kernel's table but has never been run on such a machine.
"""

from __future__ import annotations

import functools
import platform

AUDIT_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# One line per call: name, x86_64, aarch64. A dash stands for a call that aarch64 never had.
_TABLE = """
    access              21   -
    brk                 12   214
    clock_getres        229  114
    clock_gettime       228  113
    clock_nanosleep     230  115
    clone               56   220
    clone3              435  435
    close               3    57
    close_range         436  436
    dup                 32   23
    dup2                33   -
    dup3                292  24
    exit                60   93
    exit_group          231  94
    faccessat           269  48
    faccessat2          439  439
    fcntl               72   25
    fstat               5    80
    fstatfs             138  44
    futex               202  98
    getcwd              79   17
    getdents64          217  61
    getegid             108  177
    geteuid             107  175
    getgid              104  176
    getgroups           115  158
    getitimer           36   102
    getpgid             121  155
    getpid              39   172
    getppid             110  173
    getrandom           318  278
    getrlimit           97   163
    getrusage           98   165
    gettid              186  178
    gettimeofday        96   169
    getuid              102  174
    ioctl               16   29
    landlock_add_rule       445  445
    landlock_create_ruleset 444  444
    landlock_restrict_self  446  446
    lseek               8    62
    lstat               6    -
    madvise             28   233
    membarrier          324  283
    mmap                9    222
    mprotect            10   226
    mremap              25   216
    munmap              11   215
    nanosleep           35   101
    newfstatat          262  79
    open                2    -
    openat              257  56
    pipe2               293  59
    poll                7    -
    ppoll               271  73
    pread64             17   67
    prlimit64           302  261
    pselect6            270  72
    read                0    63
    readlink            89   -
    readlinkat          267  78
    readv               19   65
    recvfrom            45   207
    restart_syscall     219  128
    rseq                334  293
    rt_sigaction        13   134
    rt_sigprocmask      14   135
    rt_sigreturn        15   139
    sched_getaffinity   204  123
    sched_yield         24   124
    select              23   -
    sendto              44   206
    set_robust_list     273  99
    setitimer           38   103
    sigaltstack         131  132
    stat                4    -
    statx               332  291
    sysinfo             99   179
    tgkill              234  131
    times               100  153
    uname               63   160
    write               1    64
    writev              20   66
"""


@functools.cache
def numbers(machine: str | None = None) -> dict[str, int]:
    """The number of every call of the table on `machine` (default: this one), without those it does not have.

    KeyError for a machine that has no column.
    """
    column = {"x86_64": 1, "aarch64": 2}[machine or platform.machine()]
    rows = [line.split() for line in _TABLE.strip().splitlines()]
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}
