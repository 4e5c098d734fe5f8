"""Keeps what was computed from data in the cache folder, and notices damage there."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import msgspec

from core import DatasetError, Tell, tell_nobody, written_once


class _Kept(msgspec.Struct, frozen=True):
    checksum: bytes
    packed: msgspec.Raw


def kept[Value](
    path: Path,
    kind: type[Value],
    compute: Callable[[], Value],
    tell: Tell = tell_nobody,
    *,
    anew: bool = False,
) -> Value:
    """The value kept in a file, computed where it is missing or damaged or wanted `anew`.

    Raises DatasetError where it cannot be stored.
    """

    def write(unfinished: Path) -> None:
        packed = msgspec.msgpack.encode(compute())
        unfinished.write_bytes(
            msgspec.msgpack.encode(_Kept(_checksum(packed), msgspec.Raw(packed)))
        )

    if anew:
        path.unlink(missing_ok=True)
    found = _read(written_once(path, write, tell), kind)
    if found is None:
        path.unlink(missing_ok=True)
        found = _read(written_once(path, write, tell), kind)
    if found is None:
        raise DatasetError(f"{path} cannot be kept", "make room in the cache folder")
    return found


def _checksum(packed: bytes) -> bytes:
    return hashlib.blake2b(packed, digest_size=16).digest()


def _read[Value](path: Path, kind: type[Value]) -> Value | None:
    try:
        found = msgspec.msgpack.decode(path.read_bytes(), type=_Kept)
        if _checksum(bytes(found.packed)) != found.checksum:
            return None
        return msgspec.msgpack.decode(found.packed, type=kind)
    except (OSError, msgspec.DecodeError):
        return None
