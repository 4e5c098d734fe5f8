"""Where Sluice keeps its own files.  It never writes beside a user's data.

`SLUICE_CACHE`, `SLUICE_SESSIONS`, `SLUICE_STATE` and `SLUICE_LAB` override the platform's folders.
platformdirs is imported where it is needed: the window's first paint needs only the resources.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """Generated datasets, index and oracle files; safe to delete."""
    import platformdirs

    return Path(os.environ.get("SLUICE_CACHE") or platformdirs.user_cache_dir("sluice"))


def sessions_folder() -> Path:
    """Sessions without a path from the user."""
    import platformdirs

    return (
        Path(os.environ.get("SLUICE_SESSIONS") or platformdirs.user_data_dir("sluice")) / "sessions"
    )


def state_folder() -> Path:
    """What must be known after a crash, such as what trials left on servers."""
    import platformdirs

    return Path(os.environ.get("SLUICE_STATE") or platformdirs.user_state_dir("sluice"))


def lab_folder() -> Path:
    """What the lab's servers write, their logs and their credentials."""
    import platformdirs

    if given := os.environ.get("SLUICE_LAB"):
        return Path(given)
    if sys.platform == "darwin":
        # Data would be in "Application Support": Hadoop cannot keep its own below a space.
        return cache_folder() / "servers"
    return Path(platformdirs.user_data_dir("sluice"), "lab")


def index_folder(fingerprint: str) -> Path:
    """Index and oracle files of one dataset, created."""
    folder = cache_folder() / "indexes" / fingerprint
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def resources_folder() -> Path:
    """Icons, studies and templates that come with Sluice."""
    return Path(__file__).resolve().parents[2] / "resources"
