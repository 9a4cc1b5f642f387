"""Everything that is recorded of a student is one transaction, and the way into the database is prepared once.

nbgrader opens its database anew for each step: it makes an engine, looks at every table, and compiles each query again.
So does whoever records a class, several times a student. Here the engine of a database is kept, with what it has
compiled but without a connection, and the steps of one student share a session. Either all of them are written or none.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook
from sqlalchemy import Engine, create_engine, make_url
from sqlalchemy.orm import Session
from sqlalchemy.pool import NullPool

from autograder.faults import Fault

_OTHER_COURSE = "default_course"
"""In which some steps of nbgrader look, whatever the course is called."""

_held: ContextVar[tuple[str, Session] | None] = ContextVar("held", default=None)
"""The database to which steps of one transaction write now, and their session."""


class KeptGradebook(Gradebook):
    """nbgrader's gradebook by a kept engine; inside `one_transaction`, by its session.

    Args:
        db_url: The database.
        course_id: nbgrader's id of the course.
        authenticator: Of JupyterHub; only nbgrader's own gradebook knows what to do with one.
    """

    def __init__(self, db_url: str, course_id: str = _OTHER_COURSE, authenticator: Any = None) -> None:
        if authenticator is not None:
            super().__init__(db_url, course_id, authenticator)
            return
        self.authenticator = None
        self.course_id = course_id
        held = _held.get()
        self._shares = held is not None and held[0] == db_url
        if held is not None and self._shares:
            self.engine = held[1].get_bind()
            self.db: Any = held[1]
        else:
            self.engine = _engine(db_url, course_id, _identity(db_url))
            self.db = Session(self.engine)

    def close(self) -> None:
        """Ends the session, but not one that others share."""
        if self.authenticator is not None:
            super().close()
        elif not self._shares:
            self.db.close()


class _Held(Session):
    """A session whose steps do not end its transaction: what a step commits is seen by the next ones alone.

    Attributes:
        undone: Whether a step has rolled back, and with its own work that of the steps before.
    """

    undone = False

    def commit(self) -> None:
        """Writes into the transaction; as after a commit, what is read next comes from the database."""
        self.flush()
        self.expire_all()

    def rollback(self) -> None:
        """Undoes all steps, after which the transaction is not to be written."""
        self.undone = True
        super().rollback()


@contextmanager
def one_transaction(db_url: str, course_id: str = _OTHER_COURSE) -> Iterator[None]:
    """Makes every gradebook that is opened inside write to one transaction, which ends with the block.

    Args:
        db_url: The database.
        course_id: nbgrader's id of the course.

    Raises:
        Fault: A step was undone, and whoever made it went on.
    """
    session = _Held(bind=_engine(db_url, course_id, _identity(db_url)))
    token = _held.set((db_url, session))
    try:
        yield
        if session.undone:
            raise Fault("A step of what was to be recorded was undone, so that nothing of it is written.")
        Session.commit(session)
    finally:
        _held.reset(token)
        session.close()


def _identity(db_url: str) -> tuple[int, int] | None:
    """Returns which file lies at the place of the database; `None` if there is none yet, or it is no file."""
    place = make_url(db_url).database
    try:
        found = Path(place or "").stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


@lru_cache(maxsize=8)
def _prepared(db_url: str, course_id: str, file: tuple[int, int]) -> Engine:
    del file  # another file at the same place needs its tables looked at again
    for course in dict.fromkeys((course_id, _OTHER_COURSE)):
        Gradebook(db_url, course).close()
    return create_engine(db_url, poolclass=NullPool)


def _engine(db_url: str, course_id: str, file: tuple[int, int] | None) -> Engine:
    if file is None:
        Gradebook(db_url, course_id).close()  # makes the database
        file = _identity(db_url)
    return _prepared(db_url, course_id, file or (0, 0))
