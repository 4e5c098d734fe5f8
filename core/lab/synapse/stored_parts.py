"""Where the bytes of the stand-in are: a folder of parts for each file.

Both processes use it: the storage writes `KEY/NUMBER.MD5` when all of a part has arrived, the
service looks whether it is there.  A complete file stays in its parts, `done/KEY/NUMBER`, so that
completing copies nothing; all parts but the last are of one size.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple


class Stretch(NamedTuple):
    """Bytes of one part."""

    path: Path
    start: int
    size: int


class StoredParts:
    """The folder; keys are hexadecimal digits."""

    def __init__(self, folder: Path) -> None:
        self._coming = folder / "coming"
        self._done = folder / "done"
        for one in (self._coming, self._done):
            one.mkdir(parents=True, exist_ok=True)

    def begin(self, key: str) -> None:
        """Make room for the parts of a new file."""
        (self._coming / key).mkdir()

    def expects(self, key: str) -> bool:
        """Whether parts of that file may come."""
        return (self._coming / key).is_dir()

    def new_part(self, key: str) -> IO[bytes]:
        """A file for a part that is coming; `keep` or `drop` ends it."""
        return tempfile.NamedTemporaryFile(dir=self._coming / key, prefix="new-", delete=False)

    def keep(self, part: IO[bytes], key: str, number: int, md5: str) -> None:
        """All of the part is in the file."""
        part.close()
        Path(part.name).replace(self._coming / key / f"{number}.{md5}")

    def drop(self, part: IO[bytes]) -> None:
        """The part was cut."""
        part.close()
        Path(part.name).unlink(missing_ok=True)

    def has(self, key: str, number: int, md5: str) -> bool:
        """Whether a part with that MD5 is stored."""
        return md5.isalnum() and (self._coming / key / f"{number}.{md5}").is_file()

    def complete(self, key: str, parts: Mapping[int, str]) -> int:
        """Make a file of the parts with these MD5s, by number; returns its size in bytes."""
        coming, done, size = self._coming / key, self._done / key, 0
        for number, md5 in parts.items():
            path = (coming / f"{number}.{md5}").rename(coming / str(number))
            size += path.stat().st_size
        for path in coming.iterdir():
            if not path.name.isdigit():  # parts that were sent again, or cut
                path.unlink()
        coming.rename(done)
        return size

    def remove(self, key: str) -> None:
        """Remove a complete file."""
        with suppress(FileNotFoundError):
            shutil.rmtree(self._done / key)

    def size(self, key: str) -> int | None:
        """The size of a complete file in bytes; None if there is none."""
        try:
            return sum(path.stat().st_size for path in self._parts(key))
        except FileNotFoundError:
            return None

    def stretches(self, key: str, start: int, stop: int) -> Iterator[Stretch]:
        """Where the bytes from `start` up to `stop` of a complete file are."""
        at = 0
        for path in self._parts(key):
            size = path.stat().st_size
            first, last = max(start - at, 0), min(stop - at, size)
            if first < last:
                yield Stretch(path, first, last - first)
            at += size

    def _parts(self, key: str) -> list[Path]:
        """The parts in their order; raises FileNotFoundError."""
        return sorted((self._done / key).iterdir(), key=lambda path: int(path.name))
