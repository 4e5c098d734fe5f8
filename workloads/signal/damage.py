"""Errors for damage: of some bytes, and of the file that holds them."""

from __future__ import annotations

from pathlib import Path

from core import DatasetError, tr


class Undecodable(Exception):
    """The bytes are not what their format says."""


def damaged(path: Path, how: str) -> DatasetError:
    """The error for a file that is not as it was written."""
    return DatasetError(f"{path} {how}", tr("fetch or write it again"))
