"""A word to the student when a test takes long: where it is, and that Ctrl+C ends it.

A thread and nothing else, since that is what every system has; it never stops anything by itself, so a student who
sits in a debugger is left alone apart from the sentence.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Callable

from .files import HERE, Place, line_of

PATIENCE = 10.0  # seconds; the public tests take milliseconds


class Watch:
    """Calls say(place) once when the block that it guards takes longer than `patience` seconds.

    place is the line of one of `files` that the thread which entered the block is at, or None when it is in none.
    """

    def __init__(self, files: dict, say: Callable[[Place | None], None], patience: float = PATIENCE) -> None:
        self._files, self._say, self._patience = files, say, patience
        self._timer: threading.Timer | None = None

    def __enter__(self) -> Watch:
        self._timer = threading.Timer(self._patience, self._look, [threading.get_ident()])
        self._timer.daemon = True
        try:
            self._timer.start()
        except RuntimeError:  # a Python without threads, as in the browser
            self._timer = None
        return self

    def __exit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _look(self, thread: int) -> None:
        frame: FrameType | None = sys._current_frames().get(thread)
        while frame is not None:
            path = Path(frame.f_code.co_filename)
            if path.name in self._files and path.parent == HERE:
                number = frame.f_lineno
                self._say(Place(path.name, number, frame.f_code.co_name, line_of(path, number)))
                return
            frame = frame.f_back
        self._say(None)
