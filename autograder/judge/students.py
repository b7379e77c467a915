"""The names a suite's tests use (`Value`, later `nn`, `train` ...), and what stands behind them in each test.

A Names object is handed out once per run as a session-scoped fixture; behind it a fresh worker is started for each
test that needs one. Remote is what grades; InProcess runs the same tests against a file in this very process, for
debugging the reference and for comparing the two. InProcess must never see a submission.
"""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from autograder.judge.remote import RemoteWorker, WorkerStopped
from autograder.judge.verdict import Level
from autograder.judge.zygote import Limits, ZygoteError, get_zygote


class Student(Protocol):
    """Where a test's names come from."""

    def start_test(self, limits: Limits, grafts: Mapping[str, str]) -> None:
        """A new test begins: nothing of the one before it is left. `grafts`: module -> source to run in it."""
        ...

    def text(self, value: Any) -> str:
        """The student's repr of a value."""
        ...

    def seed_random(self, seed: int) -> None:
        """Set the random numbers of the process in which the student's code runs."""
        ...

    def finish(self) -> None:
        """Have everything done that the test has asked for; what the student's code raises, comes now at the latest."""
        ...

    def end_test(self) -> None:
        """The test is over."""
        ...

    def find(self, module: str, name: str | None) -> Any:
        """The student's module of that name, imported on first use in a test, or a name in it."""
        ...


class Remote:
    """Each test gets a worker of its own. `broken`: for each module that can't be used, the WorkerStopped to raise."""

    def __init__(self, level: Level, sources: Mapping[str, bytes], seed: int) -> None:
        self.level: Level = level
        self.sources = sources
        self.seed = seed
        self.broken: dict[str, WorkerStopped] = {}
        self._limits = Limits()
        self._grafts: Mapping[str, str] = {}
        self._worker: RemoteWorker | None = None
        self._found: dict[tuple[str, str | None], Any] = {}

    def start_test(self, limits: Limits, grafts: Mapping[str, str]) -> None:
        self._limits, self._grafts = limits, grafts

    def text(self, value: Any) -> str:
        return self.worker().ask("repr", value)

    def seed_random(self, seed: int) -> None:
        self.worker().ask("seed", seed)

    def finish(self) -> None:
        if self._worker is not None:
            self._worker.finish()

    def end_test(self) -> None:
        self._found.clear()
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def find(self, module: str, name: str | None) -> Any:
        if (module, name) not in self._found:
            self._found[module, name] = self._load(module) if name is None else getattr(self.find(module, None), name)
        return self._found[module, name]

    def _load(self, module: str) -> Any:
        if module in self.broken:
            stop = self.broken[module]
            raise WorkerStopped(stop.outcome, stop.sentence, ran=False)
        worker = self.worker()
        loaded = worker.load(module)
        if module in self._grafts:
            worker.graft(loaded, self._grafts[module])
        return loaded

    def worker(self) -> RemoteWorker:
        """This test's worker. Raises ZygoteError when none can be had, even from a new zygote."""
        if self._worker is None:
            try:
                self._worker = self._fork()
            except ZygoteError:
                self._worker = self._fork()  # the one before may have died with an earlier test
        return self._worker

    def _fork(self) -> RemoteWorker:
        return RemoteWorker(get_zygote(self.level), self.sources, self._limits, self.seed)


class InProcess:
    """Imports the files of `folder` afresh for each test, in this process. For code of our own only.

    Files that a part hands out finished have to stand in the folder too.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._grafts: Mapping[str, str] = {}
        self._modules: dict[str, ModuleType] = {}

    def start_test(self, limits: Limits, grafts: Mapping[str, str]) -> None:
        self._grafts = grafts

    def text(self, value: Any) -> str:
        return repr(value)

    def seed_random(self, seed: int) -> None:
        random.seed(seed)

    def finish(self) -> None:
        pass  # nothing is ever put off in one process

    def end_test(self) -> None:
        for name in self._modules:
            sys.modules.pop(name, None)
        self._modules.clear()

    def find(self, module: str, name: str | None) -> Any:
        if module not in self._modules:
            self._modules[module] = self._load(module)
        return self._modules[module] if name is None else getattr(self._modules[module], name)

    def _load(self, name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(name, self.folder / f"{name}.py")
        if spec is None or spec.loader is None:
            raise ImportError(f"{name}.py can't be imported from {self.folder}")
        before = set(sys.modules)
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        sys.path.insert(0, str(self.folder))  # nn.py imports value, and must find the one beside it
        try:
            spec.loader.exec_module(module)
        finally:
            sys.path.remove(str(self.folder))
            own = {path.stem for path in self.folder.glob("*.py")} & (sys.modules.keys() - before)
            self._modules |= {stem: sys.modules[stem] for stem in own}
        if name in self._grafts:
            exec(compile(self._grafts[name], "the reference", "exec"), module.__dict__)
        return module


class Names:
    """A module of the student's, or one name in it, for the length of a run: looked up again in every test."""

    def __init__(self, student: Student, module: str, name: str | None = None) -> None:
        for own, value in (("_student", student), ("_module", module), ("_name", name)):
            object.__setattr__(self, own, value)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set it where the student's code will find it, for this test."""
        setattr(self._student.find(self._module, self._name), name, value)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._student.find(self._module, self._name)(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return getattr(self._student.find(self._module, self._name), name)
