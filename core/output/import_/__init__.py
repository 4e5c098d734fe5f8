"""Imports results that Sluice or other programs have written.

results_or_others = read(Path("results.json"))
"""

from __future__ import annotations

import importlib
import json
import re
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
    "client_stats": "core.output.import_.from_fio",
    "results": "core.output.import_.from_hyperfine",
}
"""By the member of the outermost object that identifies a format; the first match counts."""
_FIRST = re.compile(r"^\{", re.MULTILINE)
_NEXT = re.compile(r"\s*\{")
_DECODER = json.JSONDecoder()
_MOST = 4 << 30
"""Bytes of an export."""


def read(path: Path) -> tuple[Result, ...] | tuple[Imported, ...]:
    """What a JSON export of Sluice, hyperfine or fio holds; raises UsageError."""
    content = _content(path)
    try:
        documents = _documents(content)
        members = msgspec.json.decode(documents[0], type=dict[str, msgspec.Raw])
        home = next((home for name, home in _HOMES.items() if name in members), None)
        if home is None:
            raise UsageError(f"{path} is no JSON export of Sluice, hyperfine or fio")
        found: tuple[Result, ...] | tuple[Imported, ...]
        found = importlib.import_module(home).parse(*documents)
    except (msgspec.MsgspecError, ValueError, UnsoundError, RecursionError) as error:
        raise UsageError(f"{path} cannot be imported: {error}") from error
    if not found:
        raise UsageError(f"{path} has no measurement", "let the program that wrote it measure one")
    return found


def _documents(content: bytes) -> list[bytes]:
    """The JSON documents among other lines; raises ValueError for one that is not whole.

    fio prints notes before its JSON, with --output-format=json,normal a report behind it, and with
    --status-interval one document after the other.
    """
    start = max(content.find(b"{"), 0)
    try:
        msgspec.json.decode(content[start:], type=msgspec.Raw)
        return [content[start:]]
    except msgspec.MsgspecError:
        text = content.decode()
    documents = []
    at = 0
    while begin := _NEXT.match(text, at) or _FIRST.search(text, at):
        _, at = _DECODER.raw_decode(text, begin.end() - 1)
        documents.append(text[begin.end() - 1 : at].encode())
    return documents or [content]


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
