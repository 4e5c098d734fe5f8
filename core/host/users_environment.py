"""The environment that programs of the user's own get: as it was before Sluice changed its own."""

from __future__ import annotations

import os
from collections.abc import Mapping

OUTER_PYTHONPATH = "SLUICE_OUTER_PYTHONPATH"
"""Where a trial's process finds the user's PYTHONPATH, which it has another of itself."""

_OF_THE_PACKAGE = "_ORIG"
"""PyInstaller keeps the user's own value of a variable under the name with this behind it."""


def users_environment(ours: Mapping[str, str] = os.environ) -> Mapping[str, str]:
    """The environment of this process without what Sluice and its package have put there."""
    found = dict(ours)
    for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
        if f"{name}{_OF_THE_PACKAGE}" in found:
            _put(found, name, found.pop(f"{name}{_OF_THE_PACKAGE}"))
    if OUTER_PYTHONPATH in found:
        _put(found, "PYTHONPATH", found.pop(OUTER_PYTHONPATH))
    return found


def _put(environment: dict[str, str], name: str, value: str) -> None:
    """Set a variable; an empty value is that of none."""
    environment.pop(name, None)
    if value:
        environment[name] = value
