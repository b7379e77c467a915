"""How the zygote is started at each level, and which levels this machine really has.

A level counts only when a canary that was run in it failed to do what a worker must not do. Nothing of a submission is
touched here. The jail that a worker applies to itself is autograder.worker.jail's.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.judge import bubblewrap
from autograder.worker import interpreter

if TYPE_CHECKING:
    from autograder.judge.verdict import Level

WORKER_PACKAGE = Path(__file__).resolve().parent.parent / "worker"

# Best first.
PREFERENCE: tuple[Level, ...] = ("strong", "good", "weak")

# What the canary must have failed to do at each level; see worker/canary.py for the acts.
_WEAK = frozenset({"write a file", "be root"})
_GOOD = _WEAK | {"read a file of the judge's", "open a network socket", "signal the judge", "start a process"}
_STRONG = _GOOD | {"see that a file of the judge's exists", "see the judge's process"}
PROMISES: dict[Level, frozenset[str]] = {"weak": _WEAK, "good": _GOOD, "strong": _STRONG}

_PROBE_SECONDS = 20.0  # Only a machine in trouble needs so long; a probe takes about a tenth of a second.


class SandboxError(Exception):
    """No level, or not the level asked for, works on this machine; the text says why and what to do."""


def environment() -> dict[str, str]:
    """The whole environment of a zygote.

    One memory arena, because each reserves much of a worker's address space. A fixed hash seed, so that a set of names
    has the same order in every worker, and a submission the same verdict.
    """
    return {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "MALLOC_ARENA_MAX": "1", "PYTHONHASHSEED": "0"}


def command(level: Level, control: int, *, module: str = "zygote", package: Path = WORKER_PACKAGE) -> list[str]:
    """The argument list that starts `worker.<module>.main([control, level])` at that level.

    The caller passes the descriptor `control` on (pass_fds), closes all others, connects standard input, output and
    error to /dev/null, sets `environment()` and starts a new session. At strong it must do so from a thread that lives
    as long as the zygote should: the sandbox dies with the thread that started it. SandboxError without bubblewrap.
    """
    python = interpreter.find().program if sys.platform == "linux" else sys.executable
    wrapper: list[str] = []
    program = str(package / "__main__.py")
    if level == "strong":
        bwrap = bubblewrap.find()
        if bwrap is None:
            raise SandboxError("bubblewrap is not installed (Debian and Ubuntu: apt-get install bubblewrap)")
        wrapper = [bwrap, *bubblewrap.arguments(str(package), environment())]
        program = f"{bubblewrap.INSIDE}/worker/__main__.py"
    isolated = ["-P", "-s", "-S", "-B", "-X", "utf8"]  # not -I, which would pass over the hash seed
    return [*wrapper, python, *isolated, program, str(control), level, module]


def available() -> Level:
    """The best level that works here, found by running it; SandboxError when not even weak does."""
    for level in PREFERENCE:
        if probe(level).works:
            return level
    raise SandboxError(explain("weak"))


def at_least(level: Level) -> Level:
    """The best level that works here; SandboxError, with what to do about it, when that is less than `level`."""
    best = available()
    if PREFERENCE.index(best) > PREFERENCE.index(level):
        raise SandboxError(
            f"grades are given at sandbox level {level} or better, and only {best} works here. {explain(level)} "
            f'To grade all the same, write sandbox = "{best}" in solutions/course.toml'
        )
    return best


def demand(level: Level) -> None:
    """Return if that level works here; SandboxError, with what to do about it, if it does not."""
    if not probe(level).works:
        raise SandboxError(explain(level))


def explain(level: Level) -> str:
    """One sentence for a person: that the level works here, or why it does not and what to do about it."""
    return probe(level).sentence


@dataclass(frozen=True)
class Probe:
    """What came of running the canary at one level."""

    works: bool
    sentence: str


@functools.cache
def probe(level: Level) -> Probe:
    """Run the canary at that level, once per process."""
    try:
        report = _run_canary(level)
    except SandboxError as error:
        return Probe(False, f"Level {level} is not possible here: {error}.")
    if "jail" in report:
        return Probe(False, f"Level {level} is not possible here: {_advice(str(report['jail']))}.")
    leaks = sorted(PROMISES[level].intersection(report["went_through"]))
    if leaks:
        return Probe(False, f"Level {level} does not hold here: the canary could {' and '.join(leaks)}.")
    if report["broken"]:
        return Probe(False, f"Level {level} is not usable here: in it a program cannot {report['broken'][0]}.")
    return Probe(True, f"Level {level} works here.")


def _run_canary(level: Level) -> dict[str, list[str]]:
    folder = Path(tempfile.mkdtemp(prefix="micrograder-canary-"))
    ours, theirs = socket.socketpair()
    try:
        # Open to everybody, so that it is the sandbox that hides the file and not its permissions.
        folder.chmod(0o755)
        secret = folder / "canary"
        secret.write_text("a worker must not read this\n")
        secret.chmod(0o644)
        ours.settimeout(_PROBE_SECONDS)
        with ours, theirs:
            process = subprocess.Popen(
                command(level, theirs.fileno(), module="canary"),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
                env=environment(),
                start_new_session=True,
            )
            theirs.close()
            return _conversation(process, ours, {"file": str(secret), "judge": os.getpid()})
    except OSError as error:
        raise SandboxError(f"the canary could not be run ({error})") from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _conversation(
    process: subprocess.Popen[bytes], channel: socket.socket, task: dict[str, str | int]
) -> dict[str, list[str]]:
    # A level that does not start ends the process: that shows in an empty answer or in a broken connection.
    try:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            channel.sendall(json.dumps(task).encode() + b"\n")
            if answer := channel.makefile("rb").readline():
                return json.loads(answer)
        said = process.communicate(timeout=_PROBE_SECONDS)[1]
    except (TimeoutError, subprocess.TimeoutExpired):
        raise SandboxError(f"the canary did not answer within {_PROBE_SECONDS:.0f} s") from None
    finally:
        process.kill()
        process.wait()
        if process.stderr is not None:
            process.stderr.close()
    raise SandboxError(_advice(said.decode(errors="replace").strip()))


def _advice(said: str) -> str:
    """The reason in words of a person who has to change something, from what bubblewrap or the jail said."""
    last = said.splitlines()[-1] if said else "the canary ended without a word"
    hints = {
        "new namespace": "this system or container does not allow namespaces; allow "
        "unprivileged user namespaces, or run the grader outside the container",
        "setting up uid map": "the system forbids user namespaces to bubblewrap (Ubuntu 23.10 and later do); give "
        "/usr/bin/bwrap an AppArmor profile that allows them",
        "RTM_NEWADDR": "the system restricts user namespaces (Ubuntu 23.10 and later do); give /usr/bin/bwrap an "
        "AppArmor profile that allows them",
        "asking for Landlock": "this kernel has no Landlock; it takes Linux 5.13 or later with Landlock switched on",
        "entering seccomp": "this kernel or container does not allow seccomp filters",
        "CAP_DAC_READ_SEARCH": "only root can read this Python's folder; use a Python that every user can read, or run "
        "the grader as an ordinary user",
        "changing to the user nobody": "the grader runs as root but may not become the user nobody; run it as an "
        "ordinary user",
    }
    for sign, hint in hints.items():
        if sign in said:
            return f"{hint} ({last})"
    return last
