"""Whether an installed package may have entry points of a group.

`importlib.metadata` answers exactly.  But to import it, and to have it read every installed package
only to find nothing, holds up the start of each trial's child.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

_METADATA = (".dist-info", ".egg-info")


def may_have_entry_points(group: str) -> bool:
    """False only where no package on the path names the group in its entry points."""
    return _may_have(group.encode(), tuple(sys.path))


@lru_cache
def _may_have(group: bytes, path: tuple[str, ...]) -> bool:
    return any(group in text for place in path for text in _declarations(place, group))


def _declarations(place: str, group: bytes) -> Iterator[bytes]:
    """The entry points of the packages in a folder of the path; of an archive it is not known."""
    try:
        names = os.listdir(place or os.curdir)
    except NotADirectoryError:
        yield group
        return
    except OSError:  # which Python passes over too
        return
    for name in names:
        if name.endswith(_METADATA):
            try:
                yield (Path(place) / name / "entry_points.txt").read_bytes()
            except OSError:  # it has none
                continue
