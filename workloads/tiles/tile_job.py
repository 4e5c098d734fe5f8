"""What reading and writing tiles have in common: operations, their names, and counters."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from itertools import batched
from typing import override

from core import Job
from workloads.tiles.layer_files import Layer, describe_key
from workloads.tiles.stores.store import Store

type Keys = int | tuple[int, ...]
"""What one operation handles: a key, or those of a batch."""
type Count = Callable[[str, float], None]


class ThreadTallies:
    """Counts what a store tells for the worker in whose thread it happens."""

    def __init__(self, of_worker: Callable[[int], Count]) -> None:
        self._of_worker = of_worker
        self._here = threading.local()

    def enter(self, index: int) -> None:
        """This thread is the worker of that index from now on."""
        self._here.count = self._of_worker(index)

    def count(self, name: str, by: float) -> None:
        """Count for this thread's worker; for the first in threads of the store's own."""
        count: Count = getattr(self._here, "count", None) or self._of_worker(0)
        count(name, by)


class TileJob[Result](Job[Keys, Result]):
    """Operations on the tiles of a layer in a store, which it closes."""

    def __init__(self, layer: Layer, store: Store, keys: Sequence[int], batch: int) -> None:
        self.layer = layer
        self.store = store
        self.items = list(keys) if batch == 1 else list(batched(keys, batch))
        self._request = len(keys)
        self._lock = threading.Lock()
        self._done = 0

    @override
    def describe(self, item: Keys) -> str:
        """Its place and its key, of a batch those of its first tile."""
        first, *others = keys_of(item)
        return describe_key(first) + (f" and {len(others):,} more" if others else "")

    @override
    def remedy(self, error: Exception) -> str:
        """The store's; none for what was raised elsewhere, such as by a decoder."""
        return self.store.remedy(error) if isinstance(error, self.store.failures) else ""

    def count(self, tiles: int) -> None:
        """So many more tiles were asked for or written."""
        with self._lock:
            self._done += tiles

    @override
    def rewind(self) -> None:
        """Count anew."""
        self._done = 0

    @override
    def counters(self) -> Mapping[str, float]:
        """Requests of this process, each of which is for all tiles of the window."""
        return {"requests": self._done / self._request, "tiles of a request": self._request}

    @override
    def close(self) -> None:
        """Let go of store and catalogue."""
        self.store.close()
        self.layer.close()


def keys_of(item: Keys) -> tuple[int, ...]:
    """The keys of an operation."""
    return (item,) if isinstance(item, int) else item
