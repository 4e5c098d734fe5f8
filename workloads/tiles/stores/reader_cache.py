"""Open readers of one file, of which there are only so many."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from workloads.tiles.stores.sequence_file import ReadRange


class Readers:
    """Readers of a file, of which only so many are open; who finds all in use waits."""

    def __init__(self, opened: Callable[[], ReadRange | None], most: int) -> None:
        self._opened = opened
        # The one that was used last is taken first, so that no more are opened than are needed.
        self._free: queue.LifoQueue[ReadRange | None] = queue.LifoQueue()
        for _ in range(most):
            self._free.put(None)

    @contextmanager
    def one(self) -> Iterator[ReadRange]:
        """A reader for one thread; after a failure it is not used again."""
        read, keep = self._free.get(), None
        try:
            read = read or self._opened()
            if read is None:
                raise FileNotFoundError("it is not there any more")
            yield read
            keep = read
        finally:
            self._free.put(keep)
