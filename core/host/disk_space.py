"""Whether there is room on a disk, said before the first byte is written."""

from __future__ import annotations

import shutil
from pathlib import Path

from core.errors import DatasetError
from core.language.translation import tr
from core.language.units import show_size

_MARGIN = 0.02
"""Share of what is written that folders and blocks which are not full take."""


def require_space(folder: Path, wanted: int, remedy: str = "") -> None:
    """Raise DatasetError unless the disk of a folder, which need not exist, has that much left."""
    there = next(one for one in (folder, *folder.parents) if one.exists())
    free, needed = shutil.disk_usage(there).free, round((1 + _MARGIN) * wanted)
    if free < needed:
        raise DatasetError(
            tr(
                "{folder} has room for {free}, but {needed} are needed",
                folder=folder,
                free=show_size(free),
                needed=show_size(needed),
            ),
            remedy or tr("make room, name a folder on a larger disk, or choose less data"),
        )
