"""Errors for damage: of some bytes, and of the file that holds them."""

from __future__ import annotations

from pathlib import Path

from core import DamagedDataset, DatasetError, tr

ODD = (ArithmeticError, ValueError, LookupError, TypeError)
"""What decoding raises for numbers and types that the specification does not have."""


class Undecodable(Exception):
    """The bytes are not what their format says."""


class Unknown(Exception):
    """The bytes are in a newer form than is known here, and so no damage."""


def unknown(path: Path, form: object) -> DatasetError:
    """The error for a file that only newer programs, or others, read."""
    return DatasetError(
        tr("{path} has {form}, which is not known here", path=path, form=form),
        tr("convert it: slow5tools view -c zstd -s svb-zd FILE -o NEW.blow5"),
    )


def damaged(path: Path, how: str, remedy: str = "") -> DamagedDataset:
    """The error for a file that is not as it was written."""
    return DamagedDataset(f"{path} {how}", remedy or tr("fetch or write it again"))
