"""One database connection for all of nbgrader's steps, while a class is written into the gradebook.

nbgrader opens the database anew some twenty times per submission and commits after every cell, which costs more than
all the rest of its work. Inside one_gradebook() its own code finds a connection that is open already, and what it
commits is written once per submission, all or nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from nbgrader.api import Gradebook


class Transaction:
    """What nbgrader's code takes for its session; the batch alone ends what it has begun."""

    def __init__(self, session: Any) -> None:
        self._session = session

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    def commit(self) -> None:
        """nbgrader means to commit: errors show here, as they would have."""
        self._session.flush()

    def remove(self) -> None:
        """nbgrader means to close: what it has read must be read again by the next step."""
        self._session.flush()
        self._session.expire_all()

    def really_commit(self) -> None:
        """Write it all, and forget it."""
        self._session.commit()
        self._session.expunge_all()

    def really_roll_back(self) -> None:
        """Leave the database as it was before the last really_commit()."""
        self._session.rollback()
        self._session.expunge_all()


@contextmanager
def one_gradebook(db_url: str, course_id: str) -> Iterator[Transaction]:
    """Inside, every Gradebook that this thread opens on `db_url` is the same one, in one transaction.

    What is not committed at the end is lost. Not to be nested.
    """
    patched: Any = Gradebook
    stock_init, stock_close = Gradebook.__init__, Gradebook.close
    shared = Gradebook(db_url, course_id)
    transaction, here, courses = Transaction(shared.db), threading.get_ident(), {course_id}

    def init(self: Any, url: str, course: str = "default_course", authenticator: Any = None) -> None:
        if url != db_url or threading.get_ident() != here:
            stock_init(self, url, course, authenticator)
            return
        self.engine, self.db = shared.engine, transaction
        self.course_id, self.authenticator = course, authenticator
        if course not in courses:
            self.check_course(course_id=course)
            courses.add(course)

    def close(self: Any) -> None:
        if self.db is transaction:
            transaction.remove()
        else:
            stock_close(self)

    patched.__init__, patched.close = init, close
    try:
        yield transaction
    finally:
        patched.__init__, patched.close = stock_init, stock_close
        shared.close()
