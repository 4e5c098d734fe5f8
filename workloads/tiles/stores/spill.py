"""Objects that wait in a temporary file until all are there."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Iterator


class Spill:
    """Takes objects from many threads in any order, and gives them back by key.

    The file has no name, so that nothing is left of it whatever happens to the process.  Of several
    objects with one key the last is kept.
    """

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 -- closed by `close`
        self._places: dict[int, tuple[int, int]] = {}
        self._end = 0
        self._lock = threading.Lock()

    def put(self, key: int, value: bytes) -> None:
        """Keep an object; raises OSError where the disk is full."""
        with self._lock:
            start = self._end
            self._end += len(value)
        written = 0
        while written < len(value):
            written += os.pwrite(self._file.fileno(), memoryview(value)[written:], start + written)
        with self._lock:
            self._places[key] = start, len(value)

    def __len__(self) -> int:
        return len(self._places)

    def sorted(self) -> Iterator[tuple[int, bytes]]:
        """Keys and objects, in the order of the keys; after the last `put`."""
        for key in sorted(self._places):
            start, size = self._places[key]
            yield key, os.pread(self._file.fileno(), size, start)

    def close(self) -> None:
        """Let go of the file, which removes it."""
        self._file.close()
