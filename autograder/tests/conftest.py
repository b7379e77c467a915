"""What tests of several folders share."""

from collections.abc import Iterator

import pytest

from autograder.tests.chromium import running_chromium


@pytest.fixture(scope="module")
def chromium() -> Iterator:
    """A browser for this module's tests. (Not for the session: while it runs, no other test can use asyncio.)"""
    with running_chromium() as browser:
        yield browser
