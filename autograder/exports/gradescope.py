"""The zip that Gradescope takes as an autograder: the judge, one part's suites and the course they belong to.

It holds the hidden tests and the worked solution: it is for Gradescope alone. There the container runs as root, the
judge in it, and each test's worker as nobody inside the sandbox, as everywhere; gradescope_run.py does that.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from autograder.course.manifest import Course, Part

PACKAGE = Path(__file__).parent.parent
NEEDED = ("pytest", "hypothesis", "pydantic")  # what the judge and the matcher import
LEFT_OUT = set(
    "authoring bench cache demo_class gradebook grading pictures reports site tests __pycache__".split()
)  # folders of the kit that judging takes nothing from

SETUP = """\
#!/usr/bin/env bash
# Run once by Gradescope when the image is built. Choose a base image with Python 3.11 or newer, Ubuntu 24.04 for one.
set -euo pipefail
apt-get update
DEBIAN_FRONTEND=noninteractive apt-get install -y python3-venv bubblewrap
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "micrograder needs Python 3.11 or newer; this image has $(python3 --version). Choose Ubuntu 24.04." >&2
    exit 1
fi
python3 -m venv /opt/micrograder
/opt/micrograder/bin/pip install -r /autograder/source/requirements.txt
"""

RUN = """\
#!/usr/bin/env bash
# Run by Gradescope for each submission, as root, from /autograder.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd /
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$here/source" \\
    exec "${MICROGRADER_PYTHON:-/opt/micrograder/bin/python}" -m autograder.exports.gradescope_run "$here"
"""


def write_zip(course: Course, part: Part, path: Path) -> Path:
    """Write the autograder of `part` to `path`; the same course gives the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    requirements = "".join(f"{name}=={version(name)}\n" for name in NEEDED)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "setup.sh", SETUP.encode(), 0o755)
        _add(archive, "run_autograder", RUN.encode(), 0o755)
        _add(archive, "requirements.txt", requirements.encode(), 0o644)
        _add(archive, "part", part.id.encode(), 0o644)
        for name, file in _files(course, part):
            _add(archive, name, file.read_bytes(), 0o644)
    return path


def _files(course: Course, part: Part) -> Iterator[tuple[str, Path]]:
    parts = {other.id for other in course.parts} - {part.id}
    for name, root in (("autograder", PACKAGE), ("solutions", course.solutions)):
        for file in sorted(root.rglob("*")):
            inside = file.relative_to(root)
            if file.is_file() and not set(inside.parts[:-1]) & (LEFT_OUT | parts) and file.suffix != ".pyc":
                yield f"{name}/{inside.as_posix()}", file


def _add(archive: zipfile.ZipFile, name: str, data: bytes, mode: int) -> None:
    entry = zipfile.ZipInfo(name)  # dated 1980, whenever it is made
    entry.external_attr = (0o100000 | mode) << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, data)
