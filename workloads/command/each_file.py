"""The files that `{each}` stands for, one after the other: those of a folder, or of a list."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core import Dataset, InvalidParameter, dataset_kind, tr

_LONGEST_LIST = 64 << 20
"""Bytes of a list; what is larger is data."""


def each_of(dataset: Dataset) -> Sequence[Path]:
    """The files of a folder, or those that a text file names, one in a line.

    Paths in a list begin where the list is.  Raises InvalidParameter where there are none.
    """
    if dataset.path.is_dir():
        found = list(dataset_kind(dataset.kind).files(dataset.path))
    else:
        found = _listed(dataset.path)
    if not found:
        raise _refusal(tr("{path} has no files", path=dataset.path))
    return found


def _listed(file: Path) -> list[Path]:
    try:
        if file.stat().st_size > _LONGEST_LIST:
            raise _refusal(tr("{path} is no list of files", path=file))
        lines = file.read_bytes().decode("utf-8", "surrogateescape").splitlines()
    except OSError as error:
        raise _refusal(tr("{path} cannot be read: {why}", path=file, why=error.strerror)) from error
    found = [file.parent / line for line in lines if line.strip()]
    for path in found:
        if "\0" in str(path) or not path.exists():
            raise _refusal(
                tr("{path} is no list of files: there is no {other}", path=file, other=path)
            )
    return found


def _refusal(cause: str) -> InvalidParameter:
    return InvalidParameter(
        "run",
        cause,
        tr(
            "give a folder, or a text file with a path in each line, as the dataset of {each}",
            each="{each}",
        ),
    )
