"""Open readers of files, of which there are only so many."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from workloads.tiles.stores.sequence_file import ReadRange


class Readers:
    """Readers of files, of which only so many are open; who finds all in use waits."""

    def __init__(self, opened: Callable[[str], ReadRange | None], most: int) -> None:
        self._opened = opened
        # The one that was used last is taken first, so that no more are opened than are needed.
        self._places: queue.LifoQueue[tuple[str, ReadRange] | None] = queue.LifoQueue()
        for _ in range(most):
            self._places.put(None)

    @contextmanager
    def one(self, name: str) -> Iterator[ReadRange]:
        """A reader of that file for one thread; after a failure it is not used again.

        Raises FileNotFoundError where there is no such file any more.
        """
        place, keep = self._places.get(), None
        try:
            read = place[1] if place is not None and place[0] == name else self._opened(name)
            if read is None:
                raise FileNotFoundError(2, "No such file", name)
            yield read
            keep = name, read
        finally:
            self._places.put(keep)
