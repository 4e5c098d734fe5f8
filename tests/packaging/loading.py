"""Modules of the folder `packaging`, which is none of Python's packages."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "packaging"


def packaging_module(name: str) -> ModuleType:
    """One of them by its name; they find each other as when they are run."""
    if str(PACKAGING) not in sys.path:
        sys.path.append(str(PACKAGING))
    return importlib.import_module(name)
