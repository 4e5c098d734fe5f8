"""Checks whether a file is really mapped into this process: the libraries fall back silently."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core import SluiceError

_MAPS = Path("/proc/self/maps")


def mapped_bytes(path: Path) -> int | None:
    """Bytes of a file that are mapped into this process; None where that is unknown."""
    try:
        lines = _MAPS.read_bytes().splitlines()
    except OSError:
        return None
    wanted = str(path.resolve()).encode("utf-8", "surrogateescape").replace(b"\n", b"\\012")
    total = 0
    for line in lines:
        parts = line.split(maxsplit=5)
        if len(parts) == 6 and parts[5] == wanted:
            first, last = parts[0].split(b"-")
            total += int(last, 16) - int(first, 16)
    return total


@contextmanager
def proved_mapping(path: Path, *, wanted: bool) -> Iterator[None]:
    """Raise SluiceError where the opened files are mapped but should not be, or the reverse."""
    before = mapped_bytes(path)
    yield
    after = mapped_bytes(path)
    if before is None or after is None:
        return
    if wanted and after <= before:
        raise SluiceError(
            f"{path} was not mapped: the library fell back to plain reads",
            "choose the reader with plain reads",
        )
    if after > before and not wanted:
        raise SluiceError(f"{path} was mapped though plain reads were asked for")
