"""Imports results that Sluice or other programs have written.

results_or_others = read(Path("results.json"))
"""

from __future__ import annotations

import importlib
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


def read(path: Path) -> tuple[Result, ...] | tuple[Imported, ...]:
    """What a JSON export of Sluice, hyperfine or fio holds; raises UsageError."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
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
