"""Errors for damage: of some bytes, and of the file that holds them."""

from __future__ import annotations

from pathlib import Path

from core import DamagedDataset, tr

ODD = (ArithmeticError, ValueError, LookupError, TypeError)
"""What decoding raises for numbers and types that the specification does not have."""


class Undecodable(Exception):
    """The bytes are not what their format says."""


def damaged(path: Path, how: str) -> DamagedDataset:
    """The error for a file that is not as it was written."""
    return DamagedDataset(f"{path} {how}", tr("fetch or write it again"))
