"""What the site consists of beside the course, fetched once from the two package registries by their own clients.

npm gives Pyodide, pip the wheels of browser.txt, the installed packages the kernel's own ones. Everything is kept in
the course's working folder, so that a second build asks no registry. It puts nothing together.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from autograder.course import Course, CourseError

PYODIDE = "0.27.7"
PYODIDE_FILES = ("pyodide.mjs", "pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
WHEEL_LIST = Path(__file__).with_name("browser.txt")
BROWSER_PYTHON = "3.12"
KERNEL_WHEELS = ("ipykernel", "piplite", "pyodide_kernel")
KERNEL_EXTENSION = Path("share", "jupyter", "labextensions", "@jupyterlite", "pyodide-kernel-extension")
LONGEST = 600  # seconds for one client's download


@dataclass(frozen=True)
class Pieces:
    """Where they lie: Pyodide's files, all wheels for the browser, and the kernel's extension for JupyterLab."""

    pyodide: Path
    wheels: tuple[Path, ...]
    extension: Path


def fetch_pieces(course: Course) -> Pieces:
    """Find or fetch everything. Raises CourseError when the extra, npm or pip is missing, or a registry says no."""
    extension = _extension()
    wanted = hashlib.sha256(WHEEL_LIST.read_bytes() + PYODIDE.encode()).hexdigest()[:12]
    folder = course.state / f"site-pieces-{wanted}"
    if not folder.is_dir():
        course.state.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=course.state, prefix="fetch-") as temporary:
            fetched = Path(temporary, "pieces")
            _fetch_pyodide(fetched / "pyodide", Path(temporary))
            _fetch_wheels(fetched / "wheels")
            fetched.rename(folder)  # only whole: a fetch that broke off leaves nothing
    kernel = extension / "static" / "pypi"
    own = [path for name in KERNEL_WHEELS for path in sorted(kernel.glob(f"{name}-*.whl"))]
    return Pieces(folder / "pyodide", (*sorted((folder / "wheels").glob("*.whl")), *own), extension)


def _extension() -> Path:
    folder = Path(sysconfig.get_path("data")) / KERNEL_EXTENSION
    if not (folder / "package.json").is_file():
        raise CourseError("a site needs JupyterLite; install it with: pip install 'micrograder[site]'")
    return folder


def _fetch_pyodide(target: Path, workspace: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise CourseError(f"a site needs npm once, to fetch pyodide {PYODIDE}; install Node.js, which brings it")
    run_tool([npm, "pack", f"pyodide@{PYODIDE}", "--silent"], workspace, f"npm cannot fetch pyodide {PYODIDE}")
    target.mkdir(parents=True)
    with tarfile.open(workspace / f"pyodide-{PYODIDE}.tgz") as packed:
        for name in (*PYODIDE_FILES, LOCK):
            member = packed.extractfile(f"package/{name}")
            if member is None:
                raise CourseError(f"pyodide {PYODIDE} from npm holds no file {name}")
            (target / name).write_bytes(member.read())


def _fetch_wheels(target: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    command += ["--python-version", BROWSER_PYTHON, "--implementation", "py", "--abi", "none", "--platform", "any"]
    command += ["--dest", str(target), "--requirement", str(WHEEL_LIST)]
    run_tool(command, target.parent, f"pip cannot fetch what {WHEEL_LIST.name} lists")


def run_tool(
    command: list[str], folder: Path, problem: str, *, seconds: int = LONGEST, environment: dict[str, str] | None = None
) -> None:
    """Run somebody else's program in `folder`. Raises CourseError, which begins with `problem`, when it fails."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        raise CourseError(f"{problem}: no end after {seconds} seconds") from None
    if done.returncode:
        said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        raise CourseError(f"{problem}: {said[-1].strip() if said else f'exit code {done.returncode}'}")
