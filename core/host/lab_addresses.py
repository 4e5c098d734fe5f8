"""Where the lab's servers are: its state file, as far as it must be known without the lab."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from core.host.folders import lab_folder

READY = "ready"


def lab_addresses(folder: Path | None = None) -> Mapping[str, str]:
    """The addresses of the servers that serve, by name; none where no lab runs."""
    try:
        text = ((folder or lab_folder()) / "state.json").read_text("utf-8", "surrogatepass")
        servers = json.loads(text)["servers"]
        return {one["name"]: one["address"] for one in servers if one["state"] == READY}
    except (OSError, ValueError, KeyError, TypeError):
        return {}
