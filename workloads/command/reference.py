"""What a command puts out with the fewest threads, which all other runs are held against.

It is made before the clock, twice: what differs from itself cannot be compared.  Its digest is a
file of the run's own in the cache, since its settings are measured in several processes.  The
output itself may be large: to tell where another differs, it is made once more.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from core import SluiceError, tr
from workloads.command.difference import Output, difference

_EXPLAINED = 3
"""Outputs of a trial whose difference is looked for; of more, only that they differ is told."""

type MakeOutput = Callable[[int, int], AbstractContextManager[Output]]
"""What a run puts out that is not measured, with so many threads, and the number of the run."""


class Known(NamedTuple):
    """A reference that was made."""

    digest: str
    threads: int
    """With how many it was made."""


class Reference:
    """The output of some setting, by whatever process it was made."""

    def __init__(
        self,
        cache: Path,
        run_id: str,
        meaning: Sequence[str],
        make: MakeOutput,
        digest_of: Callable[[Path, str], str],
    ) -> None:
        """`meaning`: all that the output depends on beside the dataset; never the threads.

        `digest_of`: of a file as a filter leaves it.
        """
        key = hashlib.sha256("\0".join((run_id, *meaning)).encode("utf-8", "surrogateescape"))
        self._path = cache / "outputs-of-commands" / key.hexdigest()[:32]
        self._known: Known | None = None
        self._make = make
        self._digest_of = digest_of
        self._explained: dict[str, str] = {}
        self._lock = Lock()

    @property
    def known(self) -> Known | None:
        """None where it was not made yet."""
        if self._known is None:
            with suppress(FileNotFoundError):
                digest, _, threads = self._path.read_text("ascii").rpartition(" ")
                self._known = Known(digest, int(threads))
        return self._known

    def make(self, threads: int, digest: Callable[[Output], str]) -> None:
        """Make it, unless it is there; raises SluiceError where it differs from itself."""
        if self.known is not None:
            return
        with self._make(threads, 0) as first, self._make(threads, 1) as second:
            made = Known(digest(first), threads)
            if made.digest != digest(second):
                where, remedy = difference(first, second, self._digest_of)
                raise SluiceError(
                    tr("two runs with the same values differ: {where}", where=where),
                    remedy or tr("leave out what differs with --normalise, or give --same none"),
                )
        self._note(made)

    def complaint(self, digest: str, threads: int, output: Output | None) -> str:
        """What is wrong with an output of this digest; empty where it is that of the reference.

        `output`: None where it is not kept, as of stdout: it is made once more, with `threads`.
        """
        known = self.known
        if known is None or digest == known.digest:
            return ""
        with self._lock:
            if digest not in self._explained and len(self._explained) < _EXPLAINED:
                self._explained[digest] = self._explain(known, threads, output)
        where = self._explained.get(digest) or tr("it differs")
        return tr(
            "other output than with threads={threads}: {where}", threads=known.threads, where=where
        )

    def _explain(self, known: Known, threads: int, output: Output | None) -> str:
        try:
            with self._make(known.threads, 0) as right:
                if output is not None:
                    where, remedy = difference(right, output, self._digest_of)
                else:
                    with self._make(threads, 1) as again:
                        where, remedy = difference(right, again, self._digest_of)
        except SluiceError as error:
            return str(error)
        return f"{where} ({remedy})" if remedy else where

    def _note(self, made: Known) -> None:
        """Where another process was sooner, that one's counts."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        written = self._path.with_suffix(f".{os.getpid()}")
        written.write_text(f"{made.digest} {made.threads}", "ascii")
        with suppress(FileExistsError):
            # A link comes to be with its content, and only if there is none.
            self._path.hardlink_to(written)
        written.unlink()
