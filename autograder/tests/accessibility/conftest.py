"""A browser with axe-core in it, and a tiny course for the pages that are made of its grades."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.tests.chromium import DESKTOP, SLOW
from autograder.tests.gradebook.conftest import released, tiny

__all__ = ["released", "tiny"]

AXE = "4.14.1"


@pytest.fixture(scope="session")
def axe(tmp_path_factory) -> str:
    """axe-core's text: from the file that MICROGRADER_AXE names, else fetched by npm into a temporary folder."""
    if named := os.environ.get("MICROGRADER_AXE"):
        return Path(named).read_text(encoding="utf-8")
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm to fetch axe-core with; MICROGRADER_AXE can name its axe.min.js")
    folder = tmp_path_factory.mktemp("axe")
    command = [npm, "pack", f"axe-core@{AXE}", "--silent"]
    fetched = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    if fetched.returncode:
        pytest.skip(f"npm cannot fetch axe-core {AXE}: {fetched.stderr.strip()[-200:]}")
    with tarfile.open(folder / f"axe-core-{AXE}.tgz") as packed:
        held = packed.extractfile("package/axe.min.js")
        assert held is not None
        return held.read().decode()


@pytest.fixture
def findings(chromium, axe) -> Callable[..., list[str]]:
    """Open a page, a file or an address, unfold it, and return what axe-core finds serious or critical in it."""

    def look(page: Path | str, viewport: dict[str, int] = DESKTOP) -> list[str]:
        address = page.as_uri() if isinstance(page, Path) else page
        context = chromium.new_context(viewport=viewport, bypass_csp=True)  # a page that allows no script gets axe too
        context.set_default_timeout(SLOW)
        try:
            opened = context.new_page()
            opened.goto(address)
            opened.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
            opened.add_script_tag(content=axe)
            violations = opened.evaluate("axe.run().then(found => found.violations)")
        finally:
            context.close()
        return [
            f"{one['impact']}: {one['id']} ({one['help']}) at {node['target']}: {node['html'][:150]}"
            for one in violations
            if one["impact"] in ("serious", "critical")
            for node in one["nodes"]
        ]

    return look
