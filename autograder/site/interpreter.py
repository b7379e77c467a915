"""Python for the browser: Pyodide's files, the wheels beside them, and the lock file that names them.

A name the kernel loads that the lock file lacks makes it hang without a word, so both come from one place here.
"""

from __future__ import annotations

import email
import hashlib
import json
import re
import shutil
import zipfile
from collections.abc import Mapping
from email.message import Message
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from autograder.course import CourseError
from autograder.site.pieces import LOCK, PYODIDE_FILES, Pieces
from autograder.site.stubs import write_stubs

# What the kernel starts with; everything they need comes along.
LOADED = ("micropip", "piplite", "pyodide-kernel", "ssl", "sqlite3", "ipykernel", "comm", "jedi", "ipython")
TESTING = ("pytest", "hypothesis")
# Where markers of the wheels' requirements are decided.
BROWSER = {
    "python_version": "3.12",
    "python_full_version": "3.12.7",
    "sys_platform": "emscripten",
    "platform_system": "Emscripten",
    "os_name": "posix",
    "platform_machine": "wasm32",
    "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
    "extra": "",
}
# IPython asks for pexpect on every system but Windows, and there is no terminal to drive in a browser.
UNNEEDED = {"pexpect"}


def assemble(pieces: Pieces, target: Path) -> list[str]:
    """Fill `target`; returns the names of the packages the kernel is to load. Raises CourseError if one is missing."""
    target.mkdir(parents=True)
    for name in PYODIDE_FILES:
        shutil.copyfile(pieces.pyodide / name, target / name)
    wheels = [Path(shutil.copyfile(wheel, target / wheel.name)) for wheel in pieces.wheels]
    wheels += write_stubs(target)
    metadata = {wheel: _metadata(wheel) for wheel in wheels}
    names = {str(canonicalize_name(data["Name"])) for data in metadata.values()}
    packages = {entry["name"]: entry for entry in (_entry(wheel, metadata, names) for wheel in wheels)}
    loaded = [*LOADED, *TESTING]
    if lacking := sorted(set(loaded) - set(packages)):
        raise CourseError(f"the browser's Python would lack {', '.join(lacking)}; see autograder/site/browser.txt")
    lock = json.loads((pieces.pyodide / LOCK).read_text(encoding="utf-8"))
    lock["packages"] = packages
    (target / LOCK).write_text(json.dumps(lock, indent=1, sort_keys=True), encoding="utf-8")
    return loaded


def _metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as packed:
        name = next(name for name in packed.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", name))
        return email.message_from_bytes(packed.read(name))


def _entry(wheel: Path, metadata: Mapping[Path, Message], names: set[str]) -> dict:
    """The wheel's part of the lock file, in Pyodide's form."""
    data = metadata[wheel]
    name = str(canonicalize_name(data["Name"]))
    needed = {str(canonicalize_name(one.name)) for one in map(Requirement, data.get_all("Requires-Dist") or [])
              if one.marker is None or one.marker.evaluate(BROWSER)} - UNNEEDED  # fmt: skip
    if lacking := sorted(needed - names):
        raise CourseError(f"{name} needs {', '.join(lacking)}, which autograder/site/browser.txt does not list")
    with zipfile.ZipFile(wheel) as packed:
        modules = [path for path in packed.namelist() if path.endswith(".py") and ".data/" not in path]
    return {
        "depends": sorted(needed),
        "file_name": wheel.name,
        "imports": sorted({path.split("/")[0].removesuffix(".py") for path in modules}),
        "install_dir": "site",
        "name": name,
        "package_type": "package",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "unvendored_tests": False,
        "version": data["Version"],
    }
