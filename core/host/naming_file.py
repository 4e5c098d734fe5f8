"""Errors of the system that name their file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import DatasetError
from core.language.translation import tr


@contextmanager
def naming_file(path: Path) -> Iterator[None]:
    """Have an error of the system within the block name this file, as that of a read does not."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Have an error of the system within the block be a DatasetError that names this file."""
    try:
        yield
    except OSError as error:
        why = error.strerror or error
        raise DatasetError(tr("{path} cannot be read: {why}", path=path, why=why)) from error
