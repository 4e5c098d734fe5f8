"""What can go wrong, as one tree.

    SluiceError                 anything Sluice says to its user; exit code 1
    ├── UsageError              the request cannot be carried out as given; exit code 2
    │   ├── InvalidParameter    a value outside what its declaration allows
    │   ├── UnknownName         no workload, dataset kind, study, parameter of that name
    │   ├── NotTrusted          what would run was begun elsewhere, and nobody has agreed to it
    │   ├── DatasetError        the path holds nothing that the workload can read
    │   │   └── DamagedDataset  it holds data of a known kind, cut off or damaged; exit code 1
    │   └── SessionError        not a session, a damaged one, or one of a newer Sluice
    │       ├── SessionExists   there is something at the path of a new one
    │       ├── DamagedSession  one that cannot be read completely
    │       └── SessionNotKept  the disk is full or fails; exit code 1
    ├── NotWritten              the disk is full or fails, or a folder of Sluice cannot be used
    └── Unavailable             a driver or a tool is missing; says how to get it

Endings of trials are not here: they are values (see `core.vocabulary.outcome`).  An exception
outside this tree that reaches a user is a bug in Sluice.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.language.translation import tr, tr_word


class SluiceError(Exception):
    """A cause and, where there is one, its remedy: one sentence each, for the user to read."""

    exit_code = 1

    def __init__(self, cause: str, remedy: str = "") -> None:
        super().__init__(cause, remedy)
        self.cause = cause
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.cause} ({self.remedy})" if self.remedy else self.cause


def names_below(error: type[SluiceError]) -> set[str]:
    """The names of an error class and of all its subclasses: a child sends only the name."""
    return {error.__name__}.union(*map(names_below, error.__subclasses__()))


class UsageError(SluiceError):
    """The request cannot be carried out as it was given."""

    exit_code = 2


class InvalidParameter(UsageError):
    """A value outside what its declaration allows."""

    def __init__(self, name: str, cause: str, remedy: str = "") -> None:
        super().__init__(f"{name}: {cause}", remedy)
        self.name = name
        self.reason = cause


class UnknownName(UsageError):
    """Nothing of that kind has that name; the closest names are the remedy."""

    def __init__(self, kind: str, name: str, known: tuple[str, ...]) -> None:
        from difflib import get_close_matches

        close = get_close_matches(name, known, n=1)
        remedy = (
            tr("did you mean {name}?", name=close[0])
            if close
            else tr("known: {names}", names=", ".join(known) or tr("none"))
        )
        cause = tr("there is no {kind} named {name!r}", kind=tr_word(kind), name=name)
        super().__init__(cause, remedy)
        self.name = name


class DatasetError(UsageError):
    """The path holds nothing that can be read as the dataset it was taken for."""


class DamagedDataset(DatasetError):
    """The data is of a known kind, but cut off or damaged."""

    exit_code = 1


class SessionError(UsageError):
    """The file is not a session, is damaged, or was written by a newer Sluice."""

    salvageable = False
    """Whether a part of it may be salvaged."""


class SessionExists(SessionError):
    """There is something at the path of a new session."""


class Unavailable(SluiceError):
    """A driver or a tool is missing on this machine."""


class NotTrusted(UsageError):
    """The run was begun elsewhere, and no user has agreed to it here."""


class DamagedSession(SessionError):
    """The file cannot be read completely."""

    salvageable = True


class NewerSession(SessionError):
    """The file was written by a newer Sluice, in a form that this one does not know."""


class SessionNotKept(SessionError):
    """The disk is full or fails; nothing is wrong with the request."""

    exit_code = 1


class RunAbandoned(SluiceError):
    """A run has not ended, and no process measures it any more."""


class NotWritten(SluiceError):
    """The disk is full or fails, or a folder of Sluice's own cannot be used."""


@contextmanager
def naming_file(path: Path) -> Iterator[None]:
    """Add this file's name to a system error within the block; errors of reads lack it."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn a system error within the block into a DatasetError that names this file."""
    try:
        yield
    except OSError as error:
        why = error.strerror or error
        raise DatasetError(tr("{path} cannot be read: {why}", path=path, why=why)) from error
