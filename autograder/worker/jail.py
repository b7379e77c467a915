"""The jail that a worker shuts itself into, right after the fork and before it sees any of the submission.

`prepare` runs once in the zygote and does all that is slow; `lock` runs in each fork and cannot be undone. What a level
promises is applied or JailError is raised: a worker is never in a weaker jail than its level's name says.

    strong  everything of `good`, inside the bubblewrap sandbox that autograder.judge.sandbox starts the zygote in
    good    resource limits, not root, no_new_privs, Landlock, seccomp, not traceable, dies with the zygote
    weak    resource limits and a process group of its own, for systems that have no more (macOS)

Left open at good: that a path exists, and its size, can be seen.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from . import interpreter, kernel, landlock, limits, privileges, seccomp
from .limits import Limits

LEVELS = ("weak", "good", "strong")

Result = TypeVar("Result")


class JailError(Exception):
    """A part of the jail that the level promises could not be applied; the text says which, and why."""


@dataclass(frozen=True)
class Prepared:
    """What `prepare` made ready in the zygote. The descriptors stay open there and are inherited by the forks."""

    level: str
    defaults: Limits
    zygote: int
    null: int
    rules: int | None
    keep_reading: bool


def prepare(level: str, defaults: Limits | None = None) -> Prepared:
    """Make ready, in the zygote and before any fork, what `lock` needs at that level.

    `defaults` are the limits for workers that are not given their own. JailError when this machine lacks something.
    """
    if level not in LEVELS:
        raise JailError(f"there is no level {level!r}; the levels are {', '.join(LEVELS)}")
    null = _attempt("opening /dev/null", lambda: os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC))
    rules, keep_reading = None, False
    if level != "weak":
        if sys.platform != "linux":
            raise JailError(f"level {level} needs Linux; this is {sys.platform}")
        if level == "strong" and (os.path.exists("/proc/self") or os.path.exists("/etc/passwd")):
            raise JailError("level strong was asked for, but this process is not inside the bubblewrap sandbox")
        python = interpreter.find()
        rules = _attempt("building the Landlock rules", lambda: landlock.build(interpreter.readable(python)))
        _attempt("building the seccomp filter", lambda: seccomp.program(os.getpid()))
    if sys.platform == "linux" and os.geteuid() == 0:
        python = interpreter.find()
        probe = [os.__file__, *python.stdlib, *_first_extension(python)]
        keep_reading = not _attempt("changing to the user nobody", lambda: privileges.nobody_can_read(probe))
    return Prepared(level, defaults or Limits(), os.getpid(), null, rules, keep_reading)


def lock(prepared: Prepared, own: Limits | None = None, keep: Iterable[int] = ()) -> None:
    """Shut this process, a fresh fork of the zygote with one thread, into the jail.

    `own` replaces the prepared limits. Every descriptor is closed but those in `keep`; standard input, output and error
    lead to /dev/null. JailError if anything fails: the process must then end at once without running foreign code.
    """
    bounds, strict = own or prepared.defaults, prepared.level != "weak"
    _attempt("redirecting its output", lambda: _redirect(prepared.null))
    rules = prepared.rules
    kept = {0, 1, 2, *keep} | ({rules} if rules is not None else set())
    _attempt("closing descriptors", lambda: _close_all_but(kept))
    # A group, so that it can be killed with all it started. Not a session: the kernel may schedule each session apart,
    # and on a busy machine a new one waits some milliseconds for its first turn.
    if os.getpgrp() != os.getpid():
        _attempt("starting its own process group", lambda: os.setpgid(0, 0))
    _attempt("setting limits", lambda: limits.apply(bounds))
    _attempt("giving up root", lambda: privileges.drop(keep_reading=prepared.keep_reading))
    if sys.platform == "linux":
        # After the change of user, which would clear it again.
        _attempt("tying it to the zygote", lambda: _die_with(prepared.zygote))
    if strict and rules is not None:
        _attempt("forbidding tracing", lambda: kernel.prctl("not dumpable", kernel.PR_SET_DUMPABLE, 0))
        _attempt("refusing new privileges", lambda: kernel.prctl("no_new_privs", kernel.PR_SET_NO_NEW_PRIVS, 1))
        _attempt("entering Landlock", lambda: landlock.enter(rules))
        os.close(rules)
        _attempt("entering seccomp", seccomp.enter)


def _attempt(what: str, step: Callable[[], Result]) -> Result:
    try:
        return step()
    except (OSError, ValueError, KeyError) as error:
        raise JailError(f"{what} failed: {error}") from error


def _redirect(null: int) -> None:
    for standard in (0, 1, 2):
        os.dup2(null, standard)


def _close_all_but(kept: set[int]) -> None:
    if sys.platform == "linux":
        kernel.close_all_but(kept)
        return
    low = 0
    for number in [*sorted(kept), os.sysconf("SC_OPEN_MAX")]:
        os.closerange(low, number)
        low = number + 1


def _die_with(zygote: int) -> None:
    kernel.prctl("death signal", kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != zygote:  # It died before the line above; nobody would ever end this process.
        os._exit(1)


def _first_extension(python: interpreter.Interpreter) -> list[str]:
    for folder in python.stdlib:
        for name in sorted(os.listdir(folder)):
            if name.endswith(".so"):
                return [os.path.join(folder, name)]
    return []
