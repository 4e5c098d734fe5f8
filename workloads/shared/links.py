"""Symbolic links in a folder that lead out of it: nobody chose what they lead to."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from core import DatasetError, tr


def require_inside(root: Path, files: Iterable[Path]) -> None:
    """Raise DatasetError for a link among these files to what is not below the root."""
    inside = root.resolve()
    for file in files:
        if file.is_symlink() and not (there := file.resolve()).is_relative_to(inside):
            raise DatasetError(
                tr(
                    "{path} is a link that leads out of the folder, to {there}",
                    path=file,
                    there=there,
                ),
                tr("put the file itself there, remove the link, or choose another folder"),
            )
