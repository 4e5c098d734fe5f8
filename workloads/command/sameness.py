"""What the first run of a sweep has put out, which all others are held against.

It is a file of the run's own in the cache: its settings are measured in several processes.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock


class FirstOutput:
    """The digest of the first output of some setting, by whatever process it came."""

    def __init__(self, cache: Path, run_id: str, meaning: Sequence[str]) -> None:
        """`meaning`: all that the output depends on beside the dataset; never the threads."""
        key = hashlib.sha256("\0".join((run_id, *meaning)).encode("utf-8", "surrogateescape"))
        self._path = cache / "outputs-of-commands" / key.hexdigest()[:32]
        self._known = ""
        self._lock = Lock()

    def agrees(self, digest: str) -> bool:
        """Whether it is the digest of the first output; the first one always is."""
        with self._lock:
            self._known = self._known or self._first(digest)
        return digest == self._known

    def _first(self, digest: str) -> str:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        written = self._path.with_suffix(f".{os.getpid()}")
        written.write_text(digest, "ascii")
        with suppress(FileExistsError):
            # A link comes to be with its content, and only if there is none.
            self._path.hardlink_to(written)
        written.unlink()
        return self._path.read_text("ascii")
