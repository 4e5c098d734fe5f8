"""Files that several processes may want, of which one writes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.host.file_lock import locked
from core.language.telling import Tell, tell_nobody
from core.language.translation import tr


def written_once(path: Path, write: Callable[[Path], None], tell: Tell = tell_nobody) -> Path:
    """The path, after `write` has made it there unless it already was.

    `write` fills another path in the same folder, which is then renamed.  Who waits for another
    process that writes it tells so now and then, and so is not taken for stalled.
    """
    if not path.exists():
        waiting = tr("waiting for another process that prepares the same")
        with locked(path.with_name(f".{path.name}.lock"), waiting=lambda: tell(waiting)):
            if not path.exists():
                unfinished = path.with_name(f".{path.name}.unfinished")
                write(unfinished)
                unfinished.replace(path)
    return path
