"""JupyterLab as the README starts it: in the course's folder, with nothing of the user's own and no activated venv."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TOKEN = "a-token-for-the-tests"
START = 90  # seconds; the machine may be busy with something else


@contextmanager
def jupyter_lab(course: Path, home: Path) -> Iterator[str]:
    """Run `jupyter lab` in `course` and give its address; what it says goes to home/lab.log."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home.mkdir(parents=True, exist_ok=True)
    environment = {key: text for key, text in os.environ.items() if not key.startswith(("JUPYTER", "PYTHON"))}
    environment |= {"HOME": str(home), "PATH": "/usr/bin:/bin"}
    command = [str(Path(sys.executable).parent / "jupyter"), "lab"]
    command += ["--no-browser", f"--port={port}", "--port-retries=0", f"--IdentityProvider.token={TOKEN}"]
    if os.getuid() == 0:
        command.append("--allow-root")
    with (home / "lab.log").open("w") as log:
        server = subprocess.Popen(
            command, cwd=course, env=environment, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            address = f"http://127.0.0.1:{port}/"
            _wait_for(address, server, home / "lab.log")
            yield address
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(server.pid, signal.SIGKILL)
                server.wait()


def _wait_for(address: str, server: subprocess.Popen, log: Path) -> None:
    end = time.monotonic() + START
    while True:
        try:
            urllib.request.urlopen(address + "api", timeout=5).close()
            return
        except OSError:
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.3)
