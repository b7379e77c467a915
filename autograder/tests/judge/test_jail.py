"""What a locked worker can still do, what ends it, and what the jail refuses to start with."""

from __future__ import annotations

import os
import platform
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.tests.judge.bench import Driver, driver
from autograder.worker import canary, jail, limits, privileges, seccomp, syscall_numbers

NEEDS_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux")


@pytest.fixture(scope="module", params=["good", "strong"])
def level(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module", params=[False, True], ids=["this user", "ordinary user"])
def judge(request: pytest.FixtureRequest, level: str) -> Iterator[Driver]:
    with driver(level, ordinary=request.param) as running:
        yield running


def value(ends: dict):
    assert "value" in ends, ends
    return ends["value"]


@pytest.mark.parametrize(
    "name", [*canary.STANDARD_LIBRARY, "datetime", "hashlib", "ctypes", "logging", "uuid", "pprint"]
)
def test_the_standard_library_can_be_imported_late(judge: Driver, name: str) -> None:
    assert value(judge.run(f"import {name}\nresult = {name}.__name__")) == name


def test_a_right_student_may_use_threads(judge: Driver) -> None:
    snippet = """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(4) as pool:
    result = sum(pool.map(lambda n: n * n, range(10)))
"""
    assert value(judge.run(snippet)) == 285


def test_half_a_gibibyte_is_not_too_much(judge: Driver) -> None:
    assert value(judge.run("result = len(bytearray(512 << 20))")) == 512 << 20


def test_no_worker_is_root_even_when_the_judge_is(judge: Driver) -> None:
    snippet = "import os\nresult = [os.getuid(), os.geteuid(), os.getgid(), os.getegid(), *os.getgroups()]"
    ids = value(judge.run(snippet))
    assert len(ids) >= 4
    assert 0 not in ids


def test_only_its_own_descriptors_are_open(judge: Driver) -> None:
    snippet = """
import os
result = 0
for number in range(200):
    try:
        os.fstat(number)
    except OSError:
        continue
    result += 1
"""
    assert value(judge.run(snippet)) == 4


def test_what_it_prints_goes_nowhere(judge: Driver) -> None:
    snippet = (
        "import sys\nprint('a' * 10**6)\nprint('b', file=sys.stderr)\nsys.stdout.flush()\nresult = sys.stdin.read()"
    )
    assert value(judge.run(snippet)) == ""


def test_a_limit_can_be_set_for_one_worker(judge: Driver) -> None:
    small = judge.run("result = len(bytearray(300 << 20))", limits={"memory": 200 << 20})
    assert small["error"] == "MemoryError"


def test_a_worker_can_say_where_it_was_when_its_processor_time_is_used_up(judge: Driver) -> None:
    snippet = """
import signal
def stop(number, frame):
    answer(frame.f_lineno)
    raise SystemExit
signal.signal(signal.SIGXCPU, stop)
while True:
    pass
"""
    assert value(judge.run(snippet, limits={"cpu": 1})) in (7, 8)


def test_a_worker_that_ignores_that_signal_is_killed(judge: Driver) -> None:
    snippet = "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass"
    assert judge.run(snippet, limits={"cpu": 1}) == {"died": True}


def test_no_worker_outlives_a_killed_zygote(judge: Driver) -> None:
    assert judge.ask("orphan") == {"before": "asleep", "gone": True}


@pytest.mark.parametrize("ordinary", [False, True], ids=["this user", "ordinary user"])
def test_a_killed_judge_leaves_no_process_behind(level: str, ordinary: bool) -> None:
    with driver(level, ordinary) as running:
        pids = running.ask("sleeper")["pids"]
        assert len(pids) == 2
        assert all(runs(pid) for pid in pids)
        running.process.kill()
        deadline = time.monotonic() + 20
        while any(runs(pid) for pid in pids) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not any(runs(pid) for pid in pids)


def runs(pid: int) -> bool:
    """Whether a process is there and is more than an entry that nobody has collected."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@NEEDS_LINUX
def test_a_level_that_does_not_exist_is_refused() -> None:
    with pytest.raises(jail.JailError, match="levels are weak, good, strong"):
        jail.prepare("perfect")


@NEEDS_LINUX
def test_strong_is_refused_outside_of_bubblewrap() -> None:
    with pytest.raises(jail.JailError, match="not inside the bubblewrap sandbox"):
        jail.prepare("strong")


def in_a_fork(act) -> int:
    """The exit status of a fork that calls `act`: 0 when it returns, 3 for JailError, 4 for anything else."""
    child = os.fork()
    if child == 0:
        try:
            act()
            os._exit(0)
        except jail.JailError:
            os._exit(3)
        finally:
            os._exit(4)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@NEEDS_LINUX
@pytest.mark.parametrize(
    ("module", "name"),
    [(limits, "apply"), (privileges, "drop"), (jail.landlock, "enter"), (seccomp, "enter"), (jail, "_die_with")],
)
def test_a_jail_of_which_one_part_fails_is_no_jail(monkeypatch: pytest.MonkeyPatch, module, name: str) -> None:
    def refuse(*_args: object, **_named: object) -> None:
        raise OSError("refused")

    monkeypatch.setattr(module, name, refuse)

    def prepared_and_locked() -> None:
        prepared = jail.prepare("good")
        assert in_a_fork(lambda: jail.lock(prepared)) == 3

    assert in_a_fork(prepared_and_locked) == 0


@NEEDS_LINUX
def test_a_worker_whose_zygote_is_gone_already_does_not_start() -> None:
    # The fork's parent is another process than the one that prepared.
    def lock_under_a_stranger() -> None:
        prepared = jail.prepare("good")
        wrong = jail.Prepared(
            prepared.level, prepared.defaults, 1, prepared.null, prepared.rules, prepared.keep_reading
        )
        assert in_a_fork(lambda: jail.lock(wrong)) == 1

    assert in_a_fork(lock_under_a_stranger) == 0


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_every_machine_s_filter_fits_the_kernel_s_form(machine: str) -> None:
    code = seccomp.program(4711, machine)
    steps = [code[i : i + 8] for i in range(0, len(code), 8)]
    assert len(code) % 8 == 0
    assert len(steps) < 4096
    for place, step in enumerate(steps):
        if step[0] & 0x07 == 0x05:  # a jump: both its targets lie inside the program
            assert place + 1 + max(step[2], step[3]) < len(steps)
    assert steps[-1][0] == 0x06


def test_the_filter_names_no_call_that_starts_or_signals_processes() -> None:
    dangerous = {
        "fork",
        "vfork",
        "execve",
        "execveat",
        "kill",
        "ptrace",
        "socket",
        "connect",
        "sendmsg",
        "prctl",
        "mount",
    }
    assert not dangerous & syscall_numbers.numbers("x86_64").keys()


@pytest.mark.skipif(platform.machine() != "x86_64", reason="these are x86_64's numbers")
def test_the_numbers_are_those_of_the_kernel_s_headers() -> None:
    header = "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"
    if not os.path.exists(header):
        pytest.skip("the kernel's headers are not installed")
    with open(header) as lines:
        known = {words[1].removeprefix("__NR_"): int(words[2]) for words in map(str.split, lines) if len(words) == 3}
    ours = syscall_numbers.numbers("x86_64")
    assert {name: known[name] for name in ours} == ours


def test_the_signal_of_the_processor_limit_exists_here() -> None:
    assert signal.SIGXCPU in signal.valid_signals()
