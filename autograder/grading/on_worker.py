"""What `grade --scheduler` puts on every worker of a Dask cluster: warm judges, and a look at whether they may judge.

A worker judges only where its verdicts would be those of the machine that grades: the same sandbox level, code, suites,
Python and libraries. Nothing of the course has to be there; what judging needs of it comes along.
"""

from __future__ import annotations

import asyncio
import pickle
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from distributed import Worker, WorkerPlugin, get_worker

from autograder.cache.keys import PACKAGE, Keys, code_of, keys_of, versions
from autograder.course import Course, Part
from autograder.judge.sandbox import SandboxError, demand
from autograder.judge.warm import ATTEMPTS, Done, Job, Setting, WarmJudge

IDLE = 120.0  # seconds; the judges of a run that was killed end by themselves


class NotFit(Exception):
    """A worker may not judge; the message says why."""


@dataclass(frozen=True)
class Expected:
    """How the machine that grades would judge. Called in a worker's judge, it says what is other there, or None."""

    keys: Keys
    versions: dict[str, str]
    code: dict[str, str]

    def __call__(self, course: Course, part: Part, how: Setting) -> str | None:
        try:
            demand(how.level)
        except SandboxError as error:
            return f"the machine that grades has sandbox level {how.level}, this one has not. {error}"
        there = versions()
        other = [
            f"{name} is {there[name]} there and {here} here"
            for name, here in self.versions.items()
            if there[name] != here
        ]
        code = code_of(part)
        other += [f"{name} there and here are not the same" for name, here in self.code.items() if code[name] != here]
        if not other and keys_of(course, part, how.level, seed=self.keys.seed) != self.keys:
            other = ["it would judge in another way than this machine"]
        return "; ".join(other) or None


def expected(course: Course, part: Part, keys: Keys) -> Expected:
    """What a worker must agree with, from the keys of the verdicts that are wanted."""
    return Expected(keys, versions(), code_of(part))


class RunOnWorker(WorkerPlugin):
    """One run of `grade` on one worker: the files it needs, and a warm judge for each of the worker's threads.

    `fit` is None while it is not known whether this worker may judge; if it may not, `why` says so. A worker that may
    has a resource of the plugin's name, which every task of the run demands.
    """

    def __init__(self, name: str, course: Course, part: Part, how: Setting) -> None:
        self.name = name
        self.fit: bool | None = None
        self.why = ""
        self._how = how
        self._suites = how.suites.relative_to(PACKAGE)  # each machine has its own copy
        needed = [course.solutions / "course.toml", *(course.solutions / file for file in (*part.given, *part.graded))]
        self._files = {path.relative_to(course.root): path.read_bytes() for path in needed}

    async def setup(self, worker: Worker) -> None:
        """Dask calls it on every worker, also on one that comes later."""
        self._lock = threading.Lock()
        self._idle: list[WarmJudge] = []
        self._over = False
        try:
            await asyncio.to_thread(self._begin, Path(worker.local_directory) / self.name)
        except (NotFit, OSError) as error:
            self.fit, self.why = False, str(error)
            return
        await worker.set_resources(**{self.name: worker.state.nthreads})
        self.fit = True

    async def teardown(self, worker: Worker) -> None:
        """Dask calls it when the run or the worker ends."""
        await asyncio.to_thread(self._end)

    def judge(self, job: Job) -> Done:
        """Judge a job in a warm judge, and in a second one when the first came to an end. Raises NotFit."""
        status = None
        for _ in range(ATTEMPTS):
            judge = self._take() or self._start()
            judge.send(job)
            try:
                answer = judge.receive()
            except (EOFError, OSError):
                status = judge.close()
                continue
            assert isinstance(answer, Done)
            judge.jobs.popleft()
            self._put(judge)
            return answer
        return Done(job.name, None, problem=f"the judge's process was ended from outside (status {status})")

    def _begin(self, root: Path) -> None:
        root.mkdir(mode=0o700)
        for name, content in self._files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(content)
        self._how = replace(self._how, root=root, suites=PACKAGE / self._suites, idle=IDLE)
        self._put(self._start())

    def _start(self) -> WarmJudge:
        judge = WarmJudge(self._how)
        try:
            said = judge.receive()
        except (EOFError, OSError):
            said = "its judge's process ended before it could judge"
        if said is not None:
            judge.close()
            raise NotFit(said)
        return judge

    def _take(self) -> WarmJudge | None:
        """A judge that waits for work, if there is one."""
        while True:
            with self._lock:
                if not self._idle:
                    return None
                judge = self._idle.pop()
            if judge.running:
                return judge
            judge.close()

    def _put(self, judge: WarmJudge) -> None:
        with self._lock:
            if not self._over:
                self._idle.append(judge)
                return
        judge.close()

    def _end(self) -> None:
        with self._lock:
            self._over = True
            judges, self._idle = self._idle, []
        for judge in judges:
            judge.close()


def judge_there(name: str, job: bytes) -> Done:
    """The task that is sent to a worker: judge a pickled Job for the run of that name. Raises NotFit."""
    return _plugin(get_worker(), name).judge(pickle.loads(job))


def fitness(name: str, dask_worker: Worker) -> tuple[bool | None, str]:
    """Whether a worker may judge for the run of that name, None while that is not known; and why not."""
    plugin = dask_worker.plugins.get(name)
    return (plugin.fit, plugin.why) if isinstance(plugin, RunOnWorker) else (None, "")


def _plugin(worker: Any, name: str) -> RunOnWorker:
    plugin = worker.plugins[name]
    assert isinstance(plugin, RunOnWorker)
    return plugin
