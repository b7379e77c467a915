"""Which version of a part's suites something was made from. It reads the folder of the suites and nothing else."""

from __future__ import annotations

import hashlib
from pathlib import Path


def suite_digest(folder: Path) -> str:
    """Identifies the suites in a part's folder: any change of a test changes it."""
    total = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        total.update(f"{path.name}\0".encode() + path.read_bytes())
    return total.hexdigest()[:16]
