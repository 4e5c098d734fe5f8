"""What a process that dies at once leaves behind: a file that the next start reads."""

from __future__ import annotations

import faulthandler
import os
from contextlib import suppress
from pathlib import Path
from typing import IO

from core import make_private


class CrashTraces:
    """One file for each running window; it stays empty unless the process is killed by a fault."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: IO[str] | None = None

    def begin(self) -> str:
        """Have faults written from now on; what an earlier process left, if any did."""
        with suppress(OSError):  # without a place for the file the window works all the same
            make_private(self._folder)
            left = self._left_behind()
            place = self._folder / f"{os.getpid()}.txt"
            place.touch(0o600)
            self._file = place.open("w", encoding="utf-8")
            faulthandler.enable(self._file)
            return left
        return ""

    def _left_behind(self) -> str:
        """The traces of processes that are gone, which are told of once."""
        told = []
        for path in sorted(self._folder.glob("*.txt")):
            with suppress(OSError):
                text = path.read_text("utf-8", "replace")
                if text or not _is_alive(path.stem):
                    path.unlink()
                told.append(text)
        return "\n".join(filter(None, told))

    def end(self) -> None:
        """The process ends as it should."""
        if self._file is not None:
            faulthandler.disable()
            self._file.close()
            with suppress(OSError):
                Path(self._file.name).unlink()


def _is_alive(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except (ValueError, ProcessLookupError):
        return False
    except OSError:
        return True
    return True
