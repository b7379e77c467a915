"""Plays the judge for the tests of the jail, as a process of its own so that it can run as another user.

Needs only the standard library. Reads one JSON request per line, answers one JSON line each; the first line it writes
says whether the level works here.
"""

import json
import os
import select
import signal
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

TREE = Path(__file__).resolve().parent
sys.path.insert(0, str(TREE))
from autograder.judge import sandbox  # noqa: E402 (it is in the tree that this file was copied to)

DEADLINE = 20.0


class Bench:
    """One zygote at one level, and the things on the host that its workers must not reach."""

    def __init__(self, level):
        self.level = level
        self.home = TREE / f"home-{os.getuid()}-{level}"
        self.home.mkdir(exist_ok=True)
        self.secret = self.home / "test_hidden.py"
        self.secret.write_text("assert a.grad == 6.0\n")
        self.home.chmod(0o777)
        self.secret.chmod(0o666)
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.local = socket.socket(socket.AF_UNIX)
        self.local.bind(str(self.home / "socket"))
        self.local.listen()
        (self.home / "socket").chmod(0o777)  # so that it is not its permissions that keep a worker away
        self.abstract = socket.socket(socket.AF_UNIX)
        self.abstract.bind(f"\0micrograder-test-{os.getpid()}")
        self.abstract.listen()
        self.start()

    def start(self):
        self.control, theirs = socket.socketpair()
        package = TREE / "bench" / "worker"
        self.zygote = subprocess.Popen(
            sandbox.command(self.level, theirs.fileno(), module="workbench", package=package),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            env=sandbox.environment(),
            start_new_session=True,
        )
        theirs.close()

    def names(self):
        host = {
            "SECRET": str(self.secret),
            "HOME": str(self.home),
            "JUDGE": os.getpid(),
            "PORT": self.tcp.getsockname()[1],
        }
        return host | {"SOCKET": str(self.home / "socket"), "ABSTRACT": f"\0micrograder-test-{os.getpid()}"}

    def fork(self, request):
        ours, theirs = socket.socketpair()
        document = {"names": self.names(), "limits": {}, "locked": True, "snippet": ""} | request
        socket.send_fds(self.control, [json.dumps(document).encode()], [theirs.fileno()])
        theirs.close()
        _, handles, _, _ = socket.recv_fds(self.control, 100, 1)
        ours.settimeout(DEADLINE)
        return ours.makefile("rb"), handles[0]

    def run(self, request):
        """What a worker answers to one snippet; "died" when it ends without a word, "hung" at the deadline."""
        channel, handle = self.fork(request)
        try:
            line = channel.readline()
            answers = [json.loads(line)] if line else [{"died": True}]
        except TimeoutError:
            answers = [{"hung": True}]
        if not ended(handle, 0.0):
            signal.pidfd_send_signal(handle, signal.SIGKILL)
        os.close(handle)
        return answers[0]

    def cost(self, request):
        """Milliseconds from the request to the first answer, the median of `repeat` forks."""
        spans = []
        for _ in range(request["repeat"]):
            begin = time.perf_counter()
            channel, handle = self.fork({"snippet": "result = 1", "locked": request["locked"]})
            channel.readline()
            spans.append(1000 * (time.perf_counter() - begin))
            ended(handle, DEADLINE)
            os.close(handle)
        return {"median": statistics.median(spans)}

    def orphan(self, _request):
        """Kill what was started while a worker sleeps: does the worker end?"""
        channel, handle = self.fork({"snippet": "import time\nanswer('asleep')\ntime.sleep(60)"})
        first = json.loads(channel.readline())
        self.zygote.kill()
        self.zygote.wait()
        gone = ended(handle, DEADLINE)
        os.close(handle)
        self.start()
        return {"before": first["value"], "gone": gone}

    def sleeper(self, _request):
        """Leave a worker asleep; the process ids, as this process sees them, of the zygote and of the worker."""
        channel, handle = self.fork({"snippet": "import time\nanswer('asleep')\ntime.sleep(60)"})
        channel.readline()
        fields = dict(line.split(":") for line in Path(f"/proc/self/fdinfo/{handle}").read_text().splitlines())
        return {"pids": [self.zygote.pid, int(fields["Pid"])]}

    def host(self, _request):
        """Whether everything a worker was to leave alone is as it was."""
        return {
            "secret": self.secret.read_text(),
            "mode": oct(self.secret.stat().st_mode & 0o777),
            "files": sorted(os.listdir(self.home)),
        }


def ended(handle, seconds):
    return bool(select.select([handle], [], [], seconds)[0])


def main():
    level = sys.argv[1]
    probe = sandbox.probe(level)
    say = {"works": probe.works, "sentence": probe.sentence, "uid": os.getuid(), "python": sys.version.split()[0]}
    print(json.dumps(say), flush=True)
    if not probe.works:
        return
    bench = Bench(level)
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(getattr(bench, request.pop("do"))(request)), flush=True)


main()
