"""Keeps this process out of a verdict: what happens to be set or loaded here must not change which tests run on what.

The other direction, keeping a submission out of this process, is the sandbox's business.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import settings
from hypothesis.internal.conjecture import providers


@contextmanager
def own_environment() -> Iterator[None]:
    """Inside, pytest finds none of its own variables: PYTEST_ADDOPTS="-x" would leave tests out, for example."""
    taken = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("PYTEST_")}
    try:
        yield
    finally:
        os.environ.update(taken)


@contextmanager
def own_modules(folder: Path) -> Iterator[None]:
    """Inside, the test files in `folder` are loaded anew; afterwards they are forgotten.

    Pytest keeps what it has loaded in sys.modules under a name like "part4.test_hidden": an older state of a suite, or
    any other module of that name, would be taken in its place.
    """
    names = {f"{folder.name}.{path.stem}" for path in folder.glob("*.py")}
    before = {name: sys.modules.pop(name) for name in (folder.name, *names) if name in sys.modules}
    try:
        yield
    finally:
        for name in (folder.name, *names):
            sys.modules.pop(name, None)
        sys.modules.update(before)


@contextmanager
def own_examples() -> Iterator[None]:
    """Inside, hypothesis tries the same numbers in every process; afterwards its profile is what it was.

    Hypothesis mines constants from all local modules that are loaded, so that a verdict of the command line would
    differ from one inside nbgrader. It has no switch for that; the test of this function says when the name changes.
    """
    profile = settings.get_current_profile_name()
    mined = providers._get_local_constants
    nothing = type(providers._local_constants)()
    providers._get_local_constants = lambda: nothing
    providers.CONSTANTS_CACHE.cache.clear()
    try:
        yield
    finally:
        providers._get_local_constants = mined
        providers.CONSTANTS_CACHE.cache.clear()
        settings.load_profile(profile)
