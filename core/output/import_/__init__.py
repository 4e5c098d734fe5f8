"""Imports results that Sluice or other programs have written.

results_or_others = read(Path("results.json"))
"""

from __future__ import annotations

import importlib
import stat
from pathlib import Path

import msgspec

from core.errors import UsageError
from core.output.import_.imported import Imported
from core.result.result import Result
from core.result.soundness import UnsoundError

__all__ = ["Imported", "read"]

_HOMES = {
    "format": "core.output.import_.from_json",
    "jobs": "core.output.import_.from_fio",
    "results": "core.output.import_.from_hyperfine",
}
"""By the member of the outermost object that identifies a format; the first match counts."""
_MOST = 4 << 30
"""Bytes of an export."""


def read(path: Path) -> tuple[Result, ...] | tuple[Imported, ...]:
    """What a JSON export of Sluice, hyperfine or fio holds; raises UsageError."""
    content = _content(path)
    # fio may print notes before its JSON.
    content = content[max(content.find(b"{"), 0) :]
    try:
        members = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
        home = next((home for name, home in _HOMES.items() if name in members), None)
        if home is not None:
            found: tuple[Result, ...] | tuple[Imported, ...] = importlib.import_module(home).parse(
                content
            )
            return found
    except (msgspec.MsgspecError, UnsoundError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{path} cannot be imported: {error}") from error
    raise UsageError(f"{path} is no JSON export of Sluice, hyperfine or fio")


def _content(path: Path) -> bytes:
    """The bytes of a file or of a pipe; raises UsageError for what has no end."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
            raise UsageError(f"{path} is a device", "name a file")
        with path.open("rb") as file:
            content = file.read(_MOST + 1) if path.stat().st_size <= _MOST else None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    if content is None or len(content) > _MOST:
        raise UsageError(f"{path} is too large for an export")
    return content
