"""What somebody types on the start page: a path, an address or a command."""

from __future__ import annotations

import re
from pathlib import Path

from core.language import UsageError, tr
from core.measure import expanded
from core.run.first_question import COUNTS
from core.run.presets import COMMAND
from core.vocabulary import THREADS, Axis, Value

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.ASCII)
_TAKEN = ("s3://", "synapse://")
"""Addresses that a transfer takes."""
_FOR_A_SHELL = frozenset("|&;<>$`*?")


class Typed:
    """Either a place to look at, or the values of a question of a workload."""

    def __init__(self, text: str) -> None:
        """Raises UsageError for what is neither."""
        self.place: Path | None = None
        self.workload = COMMAND
        self.values: dict[str, Value] = {}
        self.axes: tuple[Axis, ...] = ()
        place = expanded(text.strip())
        if _is_place(place, text.strip()):
            self.place = place
        elif _ADDRESS.match(text.strip()):
            self._take_address(text.strip())
        else:
            self.values = {"run": text.strip(), **_shell(text)}
            if "{threads}" in text:
                self.axes = (Axis(THREADS, COUNTS),)

    def _take_address(self, address: str) -> None:
        if not address.startswith(_TAKEN):
            raise UsageError(
                tr("{address} cannot be measured", address=address),
                tr("type a path, an s3:// or synapse:// address, or a command"),
            )
        self.workload = "transfer"
        client = "boto3" if address.startswith("s3:") else "synapse-sync"
        self.values = {"address": address, "client": client}


def _is_place(place: Path, text: str) -> bool:
    if place.exists():
        return True
    return text.startswith(("/", "~", "./", "../")) and " " not in text and "{" not in text


def _shell(command: str) -> dict[str, Value]:
    """Commands are read by a shell where they use one."""
    return {"shell": True} if _FOR_A_SHELL & set(command) else {}
