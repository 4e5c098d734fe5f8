"""Modules of the folder `packaging`, which is none of Python's packages, and facts about them."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "packaging"
ON_WAYLAND = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
}
"""What Qt's plugin for Wayland loads of the system, and the package of Debian that has it."""


def packaging_module(name: str) -> ModuleType:
    """One of them by its name; they find each other as when they are run."""
    if str(PACKAGING) not in sys.path:
        sys.path.append(str(PACKAGING))
    return importlib.import_module(name)
