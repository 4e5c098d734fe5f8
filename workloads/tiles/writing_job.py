"""Writing tiles into a layer of the trial's own, which is read back when the clock has stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import batched
from typing import override

from core import Fault, Step, Tell, Weight, tr
from workloads.tiles.layer_files import Layer, describe_key
from workloads.tiles.layer_in_store import THREADS
from workloads.tiles.stores.store import Store, explaining
from workloads.tiles.tile_codec import digest_of
from workloads.tiles.tile_job import Keys, ThreadTallies, TileJob, keys_of

READ_TOGETHER = 8
"""Keys that a thread reads back at once."""


class WritingJob(TileJob[Sequence[int]]):
    """Objects of the catalogue put into a store; a result is their sizes in bytes.

    Encoding and deflating are not part of it: the objects are as they were generated, so that
    what is written can be compared byte by byte.
    """

    def __init__(
        self, layer: Layer, store: Store, keys: Sequence[int], tallies: ThreadTallies, batch: int
    ) -> None:
        super().__init__(layer, store, [key for key in keys if key in layer.placed], batch)
        self._tallies = tallies
        self._written: list[set[int]] = []
        """The receipts: keys of the objects that the store took, for each worker."""
        with explaining(store):
            # What a layer needs before its first object is no part of the measuring.
            store.put_many(())
        self.reopened: Callable[[], Store] | None = None
        """Opens the layer anew, so that another client reads back what was written."""

    @contextmanager
    @override
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        """Load objects from the catalogue, and put them."""
        self._tallies.enter(index)
        written: set[int] = set()
        self._written.append(written)
        object_of = self.layer.object
        put_now = self.store.put_now

        def load(item: Keys) -> list[tuple[int, bytes]]:
            return [(key, object_of(key)) for key in keys_of(item)]

        def put(objects: Sequence[tuple[int, bytes]]) -> list[int]:
            put_now(objects)
            written.update(key for key, _ in objects)
            return [len(value) for _, value in objects]

        yield Step("load", load), Step("put", put)

    @override
    def check(self, item: Keys, result: Sequence[int]) -> str:
        """Nothing yet: `audit` reads back what was written when the clock has stopped."""
        return ""

    @override
    def weigh(self, results: Sequence[Sequence[int]]) -> Weight:
        """Tiles, and bytes of their objects."""
        tiles = sum(map(len, results))
        self.count(tiles)
        return Weight(tiles, sum(map(sum, results)))

    @override
    def audit(self, tell: Tell) -> Iterable[Fault]:
        """Read back every object that the store took, and compare it with the catalogue."""
        with explaining(self.store):
            self.store.finish()
        keys = sorted(set().union(*self._written))
        reader = self.reopened() if self.reopened is not None else self.store
        try:
            with explaining(reader):
                yield from self._differing(reader, keys, tell)
        finally:
            if reader is not self.store:
                reader.close()

    def _differing(self, reader: Store, keys: Sequence[int], tell: Tell) -> Iterator[Fault]:
        done = 0
        with ThreadPoolExecutor(THREADS, thread_name_prefix="audit") as pool:
            # Little at a time, because `map` would hold everything in memory at once.
            for some in batched(batched(keys, READ_TOGETHER), 2 * THREADS):
                for group, found in zip(some, pool.map(reader.get_many, some), strict=True):
                    for key, value in zip(group, found, strict=True):
                        if complaint := self._complaint(key, value):
                            yield Fault(complaint, describe_key(key))
                    done += len(group)
                tell("reading back what was written", done, len(keys), "tile")

    def _complaint(self, key: int, found: bytes | None) -> str:
        if found is None:
            return tr("nothing where a tile was written")
        right = digest_of([found]) == self.layer.placed[key].stored
        return "" if right else tr("other content than was written")
