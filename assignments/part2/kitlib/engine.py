"""`python kit.py engine mine PATH`: the public tests on a student's own copy of the files that the part hands out.

It works on a copy of the folder. Grading always uses the files as they were handed out, and the output says so.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from .carry import copy_folder
from .files import HERE, Part, Stumble


def engine_mine(part: Part, path: Path, folder: Path = HERE) -> tuple[int, list[str]]:
    """Run the tests with the given files taken from `path`, a folder or one file, and print their screen.

    Returns pytest's exit code and what to say below the screen. Raises Stumble when there is nothing to try.
    """
    if not part.given:
        raise Stumble(f"In part {part.number} every engine file is your own already; plain pytest tests it.")
    names = [path.name] if path.is_file() else [name for name in part.given if (path / name).is_file()]
    if not names or names[0] not in part.given:
        raise Stumble(f"{path} holds none of the files that this part hands out: {', '.join(part.given)}.")
    with tempfile.TemporaryDirectory(prefix="micrograder-") as temporary:
        copy = copy_folder(folder, Path(temporary))
        for name in names:
            (copy / name).write_bytes((path if path.is_file() else path / name).read_bytes())
        _forget_originals(copy, names)
        sys.stdout.flush()
        run = subprocess.run([sys.executable, "-m", "pytest"], cwd=copy, stdin=subprocess.DEVNULL)
    used = " and ".join(names)
    return run.returncode, [f"This was with your own {used} from {path}. Grading uses the one that was handed out."]


def _forget_originals(copy: Path, names: list[str]) -> None:
    """In the copy these files are meant to differ, so nothing needs to be said about it."""
    data = json.loads((copy / "part.json").read_text(encoding="utf-8"))
    data["originals"] = {name: digest for name, digest in data["originals"].items() if name not in names}
    (copy / "part.json").write_text(json.dumps(data), encoding="utf-8")
