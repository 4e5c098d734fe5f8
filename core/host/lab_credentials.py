"""The credentials of the lab's servers: one file that only its owner can read.

The lab writes it while its servers run; `lab:SERVER/NAME` refers to what is in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from core.host.atomic_write import put_in_place
from core.host.folders import lab_folder

type Credentials = Mapping[str, Mapping[str, str]]
"""By the names of the server and of the secret."""


def lab_credentials(folder: Path | None = None) -> Credentials:
    """What is known now; nothing where no server runs."""
    try:
        text = _place(folder or lab_folder()).read_text("utf-8", "surrogatepass")
        found: Credentials = json.loads(text)
    except (OSError, ValueError):
        return {}
    return found


def write_lab_credentials(folder: Path, credentials: Credentials) -> None:
    """Replace the file; raises OSError."""
    with put_in_place(_place(folder), overwrite=True) as new:
        new.chmod(0o600)  # still empty
        new.write_text(json.dumps(credentials), "utf-8")


def lab_secret(reference: str) -> str | None:
    """The secret behind `SERVER/NAME`."""
    server, _, name = reference.partition("/")
    return lab_credentials().get(server, {}).get(name)


def _place(folder: Path) -> Path:
    return folder / "credentials.json"
