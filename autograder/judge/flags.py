"""Flags: evidence for a human that a submission may not be what it seems. They never change a score.

Two kinds of evidence: what the source says (read as text, never run), and patterns in which tests passed. Honest code
can show any of them, which is why a person decides.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from autograder.judge.plugin import Noted
from autograder.judge.safe_text import plain
from autograder.judge.verdict import Flag

LIBRARIES = frozenset(
    "autograd jax keras micrograd mxnet numba numpy pandas scipy sympy tensorflow theano tinygrad torch".split()
)
# Modules and names by which code looks at, or reaches into, the process that runs it.
MODULES = frozenset("builtins ctypes faulthandler fcntl gc inspect mmap multiprocessing ptrace signal socket".split())
NAMES = frozenset("_getframe _current_frames settrace setprofile setrecursionlimit addaudithook get_objects".split())
ATTRIBUTES = frozenset("__closure__ __code__ __globals__ __builtins__ f_back f_locals f_globals tb_frame".split())
DESCRIPTORS = frozenset("dup dup2 close closerange fdopen read write".split())  # of os


def flags(sources: Mapping[str, bytes], noted: Sequence[Noted]) -> list[Flag]:
    """The flags of a submission. `sources`: its files by name; `noted`: its tests as they ended."""
    found: dict[str, list[str]] = {}
    for name, data in sorted(sources.items()):
        for kind, what, line in _in_source(data):
            found.setdefault(kind, []).append(f"{name}:{line} {plain(what, 60)}")
    shown = [Flag(id=kind, evidence="; ".join(dict.fromkeys(places))[:400]) for kind, places in sorted(found.items())]
    return [*shown, *_without_what_it_stands_on(noted), *_published_only(noted)]


def _in_source(data: bytes) -> Iterator[tuple[str, str, int]]:
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return  # the verdict says already that this is no Python
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            for name in names:
                top = name.partition(".")[0]
                if top in LIBRARIES:
                    yield "other-library", f"imports {name}", node.lineno
                elif top in MODULES:
                    yield "looks-around", f"imports {name}", node.lineno
        elif isinstance(node, ast.Attribute):
            if node.attr in NAMES or node.attr in ATTRIBUTES:
                yield "looks-around", f"uses {node.attr}", node.lineno
            elif node.attr in DESCRIPTORS and isinstance(node.value, ast.Name) and node.value.id == "os":
                yield "looks-around", f"uses os.{node.attr}", node.lineno


def _without_what_it_stands_on(noted: Sequence[Noted]) -> list[Flag]:
    """Right results of a task although another one that they are made of passes nothing: computed another way."""
    passing = {entry.task for entry in noted if entry.verdict.outcome == "passed"}
    places = [
        f"{entry.task} passes {entry.verdict.name} although {task} passes none of its tests"
        for entry in noted
        for task in entry.needs
        # A test that passed with a remark was judged with the reference in place of the other task.
        if entry.verdict.outcome == "passed" and not entry.verdict.message and task not in passing
    ]
    if not places:
        return []
    more = f" (and {len(places) - 1} more)" if len(places) > 1 else ""
    return [Flag(id="another-way", evidence=f"{places[0]}{more}; gradients by finite differences, perhaps")]


def _published_only(noted: Sequence[Noted]) -> list[Flag]:
    """Tasks that pass every public test and no hidden one: answers that follow the published inputs."""
    tasks = []
    for task in dict.fromkeys(entry.task for entry in noted):
        passed = {
            kind: [e.verdict.outcome == "passed" for e in noted if e.task == task and e.verdict.visibility == kind]
            for kind in ("public", "hidden")
        }
        if passed["public"] and all(passed["public"]) and passed["hidden"] and not any(passed["hidden"]):
            tasks.append(task)
    if not tasks:
        return []
    return [Flag(id="published-only", evidence=f"{', '.join(tasks)}: every public test passes and no hidden one")]
