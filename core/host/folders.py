"""Where Sluice keeps its own files.  It never writes beside a user's data.

`SLUICE_CACHE`, `SLUICE_SESSIONS`, `SLUICE_STATE` and `SLUICE_LAB` override the platform's folders.
platformdirs is imported where it is needed: the window's first paint needs only the resources.
Without a home folder all raise Unavailable.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from core.errors import Unavailable
from core.language.translation import tr


def cache_folder() -> Path:
    """Generated datasets, index and oracle files; safe to delete."""
    import platformdirs

    return own_folder("SLUICE_CACHE", lambda: platformdirs.user_cache_dir("sluice"))


def sessions_folder() -> Path:
    """Sessions without a path from the user."""
    import platformdirs

    return own_folder("SLUICE_SESSIONS", lambda: platformdirs.user_data_dir("sluice")) / "sessions"


def state_folder() -> Path:
    """What must be known after a crash, such as what trials left on servers."""
    import platformdirs

    return own_folder("SLUICE_STATE", lambda: platformdirs.user_state_dir("sluice"))


def lab_folder() -> Path:
    """What the lab's servers write, their logs and their credentials."""
    import platformdirs

    if sys.platform == "darwin" and not os.environ.get("SLUICE_LAB"):
        # Data would be in "Application Support": Hadoop cannot keep its own below a space.
        return cache_folder() / "servers"
    return own_folder("SLUICE_LAB", lambda: str(Path(platformdirs.user_data_dir("sluice"), "lab")))


def own_folder(variable: str, usual: Callable[[], str]) -> Path:
    """The folder that a variable of the environment names, or else the usual one."""
    if given := os.environ.get(variable):
        return Path(given)
    try:
        return Path(usual())
    except RuntimeError as error:  # nobody knows whose process this is
        raise Unavailable(
            tr("there is no home folder"), tr("set HOME or {variable}", variable=variable)
        ) from error


def home_folder() -> Path | None:
    """The user's; None for a user without one, as in some containers."""
    try:
        return Path.home()
    except RuntimeError:
        return None


def expanded(path: str) -> Path:
    """A path that somebody wrote, its `~` replaced; one of an unknown user stays as it is."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def make_private(folder: Path) -> None:
    """Make a folder, and those around it, for its owner alone; those that are there stay as they
    are.  Raises OSError.
    """
    try:
        folder.mkdir(mode=0o700)
    except FileNotFoundError:
        if folder.parent == folder:
            raise
        make_private(folder.parent)
        make_private(folder)
    except OSError:
        if not folder.is_dir():
            raise


def index_folder(fingerprint: str) -> Path:
    """Index and oracle files of one dataset, created; raises NotWritten."""
    from core.host.surroundings import unusable

    folder = cache_folder() / "indexes" / fingerprint
    try:
        make_private(folder)
    except OSError as error:
        raise unusable(error) from error
    return folder


def resources_folder() -> Path:
    """Icons, studies and templates that come with Sluice."""
    return Path(__file__).resolve().parents[2] / "resources"
