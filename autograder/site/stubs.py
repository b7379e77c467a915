"""Two empty stand-ins, ssl and sqlite3: the kernel asks for both by name, and Pyodide from npm has neither.

IPython needs a few names of sqlite3 when it is imported; the kernel keeps no history, so none of them does anything.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

VERSION = "1.0.0"
SQLITE3 = '''"""The names that IPython imports; there is no database in this site."""

PARSE_DECLTYPES, PARSE_COLNAMES = 1, 2


class Error(Exception):
    pass


class DatabaseError(Error):
    pass


class OperationalError(DatabaseError):
    pass


class Connection:
    pass


def connect(*arguments, **options):
    raise OperationalError("sqlite3 is not part of this site")
'''
SOURCES = {"ssl": "", "sqlite3": SQLITE3}
_TIME = (1980, 1, 1, 0, 0, 0)  # the same wheel from every build


def write_stubs(folder: Path) -> tuple[Path, ...]:
    """Write both as wheels into `folder` and return their paths."""
    return tuple(_write(folder, name, source) for name, source in SOURCES.items())


def _write(folder: Path, name: str, source: str) -> Path:
    info = f"{name}-{VERSION}.dist-info"
    files = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {VERSION}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: micrograder\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        **({f"{name}/__init__.py": source} if source else {}),
    }
    files[f"{info}/RECORD"] = "".join(f"{path},,\n" for path in (*files, f"{info}/RECORD"))
    wheel = folder / f"{name}-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        for path, text in files.items():
            packed.writestr(zipfile.ZipInfo(path, _TIME), text)
    return wheel
