"""Identifies this machine among those whose figures are added up."""

from __future__ import annotations

import platform
from contextlib import suppress
from pathlib import Path


def machine_name() -> str:
    """The same for all processes of a machine, containers included, until it starts anew.

    Not its host name: several machines may be called localhost.
    """
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    return platform.node()
