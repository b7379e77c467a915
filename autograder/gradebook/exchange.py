"""nbgrader's exchange, where the course's differs: feedback goes back the way the submission came, or not at all.

The exchange is a folder of the course; nothing here grades or reads what was handed in.
"""

from __future__ import annotations

import glob
from contextlib import suppress
from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseFeedback

from autograder.gradebook.intake import SECRET, TIMESTAMP


def make_exchange(folder: Path) -> None:
    """Make the exchange's folder, empty; without it the formgrader can neither release nor collect.

    Where it can't be made, grading works all the same, and nbgrader's page says that releasing doesn't.
    """
    with suppress(OSError):
        folder.mkdir(exist_ok=True)


class FeedbackToSenders(ExchangeReleaseFeedback):
    """Releases the feedback of those who sent their work through the exchange.

    Only they have the secret under whose hash the page is put there. nbgrader's own stops at the first student without
    one, as all are that an LMS brought, and releases nothing to those after them.
    """

    def copy_files(self) -> None:
        """Puts the pages into the exchange, and names in the log whoever is left out."""
        left_out: list[str] = []
        for folder in map(Path, sorted(glob.glob(self.src_path))):
            if all((folder / name).is_file() for name in (TIMESTAMP, SECRET)):
                self.src_path = str(folder)
                super().copy_files()
            else:
                left_out.append(folder.parent.name)
        if left_out:
            self.log.warning("Not released, because it was not sent through the exchange: %s", ", ".join(left_out))
