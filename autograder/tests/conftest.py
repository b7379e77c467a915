"""For all tests of the kit: a browser where one is wanted, and what is the same for every gradebook, found out once."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator

import pytest

from autograder.tests.chromium import running_chromium


@pytest.fixture(scope="session", autouse=True)
def _the_schema_is_asked_for_once() -> Iterator[None]:
    """Every new gradebook.db has nbgrader start alembic in a process of its own, for one and the same answer."""
    api = sys.modules.get("nbgrader.api")
    if api is None:
        yield  # no test here opens a gradebook
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(api, "get_alembic_version", functools.cache(api.get_alembic_version))
        yield


@pytest.fixture(scope="module")
def chromium() -> Iterator:
    """A browser for this module's tests. (Not for the session: while it runs, no other test can use asyncio.)"""
    with running_chromium() as browser:
        yield browser
