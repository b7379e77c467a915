"""A real Dask cluster on the loopback for the tests: a scheduler and workers, each a process of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from autograder.course import Part
from autograder.tests.processes import parent_of

HERE = Path(__file__).parents[3]
PATIENCE = 240.0  # seconds; only a machine in trouble needs them


class Cluster:
    """A scheduler, and workers that are added one by one. Use it as a context manager."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen] = []
        self.address = ""

    def __enter__(self) -> Cluster:
        told = self.folder / "scheduler.json"
        self._start("scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(told))
        self.address = json.loads(self._wait(told))["address"]
        return self

    def __exit__(self, *_: object) -> None:
        for process in reversed(self.processes):
            process.terminate()
        for process in reversed(self.processes):
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def worker(self, name: str, *options: str, kit: Path = HERE) -> subprocess.Popen:
        """A worker with one thread, whose micrograder is the one below `kit`."""
        place = ["--local-directory", str(self.folder / name), "--name", name]
        common = ["--nthreads", "1", "--no-dashboard", "--memory-limit", "0"]
        return self._start("worker", self.address, *common, *place, *options, more={"PYTHONPATH": str(kit)})

    def wait_for(self, names: Sequence[str]) -> dict[str, str]:
        """The addresses of these workers, once all have come."""
        from distributed import Client

        with Client(self.address, timeout=PATIENCE, set_as_default=False) as client:
            client.wait_for_workers(len(names), timeout=PATIENCE)
            there = client.scheduler_info(n_workers=-1)["workers"]
        found = {worker["name"]: address for address, worker in there.items()}
        assert sorted(found) == sorted(names)
        return found

    def _start(self, *command: str, more: Mapping[str, str] | None = None) -> subprocess.Popen:
        log = (self.folder / f"log-{len(self.processes)}").open("wb")
        dask = [sys.executable, "-P", "-m", "dask", *command[:1], "--host", "127.0.0.1", *command[1:]]
        with log:
            process = subprocess.Popen(
                dask, cwd=self.folder, stdout=log, stderr=log, env={**os.environ, **QUICK, **(more or {})}
            )
        self.processes.append(process)
        return process

    def _wait(self, told: Path) -> str:
        end = time.monotonic() + PATIENCE
        while not (told.exists() and told.read_text().rstrip().endswith("}")):
            assert time.monotonic() < end, (self.folder / "log-0").read_text()
            time.sleep(0.05)
        return told.read_text()


# One death is enough for a task to be suspected.
QUICK = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}


def copy_of_the_kit(folder: Path) -> Path:
    """A checkout at another place."""
    shutil.copytree(HERE / "autograder", folder / "autograder", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def kill_the_worker_at_a_stub(part: Part, seed: int, noted: Sequence) -> dict:
    """An Explain that kills the Dask worker it is called in (judge's fork, judge, worker) when nothing was done."""
    if all(entry.verdict.outcome != "passed" for entry in noted):
        os.kill(parent_of(os.getppid()), 9)
    return {}
