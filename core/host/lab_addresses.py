"""Where the lab's servers are: its state file, as far as it must be known without the lab."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from pathlib import Path

from core.host.folders import lab_folder

READY = "ready"


def lab_addresses(folder: Path | None = None) -> Mapping[str, str]:
    """The addresses of the servers that serve, by name; none where no lab runs."""
    folder = folder or lab_folder()
    if not is_kept(folder):
        return {}
    try:
        text = (folder / "state.json").read_text("utf-8", "surrogatepass")
        servers = json.loads(text)["servers"]
        return {one["name"]: one["address"] for one in servers if one["state"] == READY}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def is_kept(folder: Path) -> bool:
    """Whether the keeper of a lab lives: what one that was killed wrote down holds no more."""
    try:
        lock = os.open(folder / "keeper.lock", os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(lock)
    return False
