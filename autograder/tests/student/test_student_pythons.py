"""The same screens on every Python from 3.10 up that is at hand with pytest and Hypothesis.

A Python is at hand when it is named in MICROGRADER_PYTHONS (separated as in PATH) or found on PATH as python3.X.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import student_environment

SWAPPED = ("self.grad += other.data * out.grad", "self.grad += self.data * out.grad")

DRAW = """
from graphs_to_draw import neuron
from kit import curves, draw_dot, heatmap

draw_dot(neuron()).save("neuron.svg")
draw_dot(neuron()).save("neuron.txt")
curves({"loss": [(0, 2.5), (1, 1.75), (4, 0.5)]}, log_y=True).save("curve.svg")
heatmap(lambda x, y: x * x - y, (0, 1), (0, 2), [(0.5, 1, -1)]).save("heat.svg")
"""


def others() -> list[str]:
    named = [path for path in os.environ.get("MICROGRADER_PYTHONS", "").split(os.pathsep) if path]
    found = [shutil.which(f"python3.{minor}") for minor in range(10, 16) if minor != sys.version_info[1]]
    return [path for path in [*named, *found] if path and _serves(path)]


def _serves(python: str) -> bool:
    check = "import sys, pytest, hypothesis; sys.exit(sys.version_info < (3, 10) or int(pytest.__version__[0]) < 8)"
    try:
        return subprocess.run([python, "-c", check], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


@pytest.mark.parametrize("python", others() or [pytest.param("", marks=pytest.mark.skip("no other Python is at hand"))])
def test_another_python_shows_the_same(folder, golden, python):
    folder.python = python
    golden("right", folder.run().stdout)
    golden("swapped", folder.engine("right", SWAPPED).run().stdout)
    golden("stub", folder.engine("stub").run().stdout)
    golden("syntax_error", folder.engine("right", ("def backward(self):", "def backward(self)")).run().stdout)


@pytest.mark.parametrize("python", others() or [pytest.param("", marks=pytest.mark.skip("no other Python is at hand"))])
def test_another_python_draws_the_same(folder, golden, python):
    shutil.copy(Path(__file__).parent / "graphs_to_draw.py", folder.path)
    folder.write("draw.py", DRAW)
    assert _drawn(folder, python) == _drawn(folder, sys.executable)
    golden("graph_neuron", (folder.path / "neuron.txt").read_text(encoding="utf-8"))


def _drawn(folder, python) -> list[bytes]:
    environment = student_environment(PATH="")  # without Graphviz, which would be asked for the places otherwise
    run = subprocess.run([python, "draw.py"], cwd=folder.path, env=environment, capture_output=True, timeout=60)
    assert run.stderr == b""
    return [(folder.path / name).read_bytes() for name in ("neuron.svg", "neuron.txt", "curve.svg", "heat.svg")]
