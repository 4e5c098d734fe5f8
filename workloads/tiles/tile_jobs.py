"""Reading tiles, each judged by the catalogue, and writing them, read back after the clock."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import batched
from operator import length_hint
from typing import Any, override

from core import Fault, Job, ReportProgress, Step, Weight, tr
from workloads.shared.link import NO_LINK
from workloads.shared.native import LARGEST, keep_freed_memory
from workloads.shared.threads import ThreadTallies, mapped
from workloads.tiles.layer_catalogue import Layer, too_few
from workloads.tiles.layer_in_store import THREADS, TOGETHER
from workloads.tiles.stores.store import Store, explaining
from workloads.tiles.tile_codec import Decoder, Tile, digest_of
from workloads.tiles.tile_keys import place_of
from workloads.tiles.tile_parameters import TileParameters

type ItemKeys = int | tuple[int, ...]
"""What one operation handles: a key, or those of a batch."""


class TileJob[Result](Job[ItemKeys, Result]):
    """Operations on the tiles of a layer in a store, which it closes."""

    def __init__(
        self, layer: Layer, store: Store, keys: Sequence[int], tallies: ThreadTallies, batch: int
    ) -> None:
        self.layer, self.store, self._tallies = layer, store, tallies
        store.prepare(keys)
        self.items = list(keys) if batch == 1 else list(batched(keys, batch))
        self._request = len(keys)
        self._lock = threading.Lock()
        self._done = 0
        self.link = NO_LINK
        self.way: AbstractContextManager[object] = nullcontext()
        """What is left when the store is closed."""

    @override
    def describe(self, item: ItemKeys) -> str:
        first, *others = keys_of(item)
        return self.layer.describe(first) + (f" and {len(others):,} more" if others else "")

    @override
    def remedy(self, error: Exception) -> str:
        """The store's; none for what was raised elsewhere, such as by a decoder."""
        return self.store.remedy(error) if isinstance(error, self.store.failures) else ""

    def count(self, tiles: int) -> None:
        with self._lock:
            self._done += tiles

    @override
    def counts_so_far(self) -> Mapping[str, float]:
        return self.link.bytes_so_far()

    @override
    def rewind(self) -> None:
        self._done = 0

    @override
    def counters(self) -> Mapping[str, float]:
        """How many windows this process has read or written, how many tiles each has, and how many
        connections it has opened.
        """
        windows = {"windows": self._done / self._request, "tiles of a window": self._request}
        return {**windows, **self.link.connections()}

    @override
    def close(self) -> None:
        with self.way:
            self.store.close()
        self.layer.close()


def keys_of(item: ItemKeys) -> tuple[int, ...]:
    return (item,) if isinstance(item, int) else item


type TileRead = bytes | Tile | None
"""An object, a decoded tile, or None for a hole."""

_LARGE = 64 * 1024
"""Bytes of an operation's tiles from which on they are verified at once, and not kept."""
_TINY = 512
"""The same of objects for a lone worker.  They are read faster than memory is had that was not used
just before: objects of 20 kB took twice as long where they were kept.  Beside others only a part of
what is not kept is compared, so that small objects are kept there."""
_MOST_ALIVE = 640 * 1024
"""Bytes of tiles in one batch where they are kept: more of them push each other out of the
processor's cache."""
_MOST_BETWEEN = 256 * 1024
"""The same where they are verified and freed after each batch, and read into the same memory."""


def _stored(read: Tile | None) -> int:
    return 0 if read is None else read.stored


class ReadingJob(TileJob[Any]):
    """Tiles read by their keys; a result is a tile, or a sequence of them where `batch` > 1."""

    def __init__(  # noqa: PLR0913 -- as the job of any tiles, and who works beside it
        self,
        layer: Layer,
        store: Store,
        keys: Sequence[int],
        tallies: ThreadTallies,
        batch: int,
        *,
        alone: bool,
    ) -> None:
        super().__init__(layer, store, keys, tallies, batch)
        self._batched, self._alone = batch > 1, alone
        self._length_of = self.length_of()
        if not self._batched:
            self.length = self._length_of
        each = batch * self.size_of_result(layer)
        self.checking = "between" if each > self.most_kept() else "later"
        self.held = max(1, (_MOST_ALIVE if self.checking == "later" else _MOST_BETWEEN) // each)
        keep_freed_memory(LARGEST, regions=True)

    def length_of(self) -> Callable[[Any], int]:
        """What gives the bytes of a tile in the store, of a hole 0."""
        return _stored

    def most_kept(self) -> int:
        return _LARGE

    def size_of_result(self, layer: Layer) -> int:
        return max(layer.heading.form.decoded, layer.heading.bytes // layer.heading.tiles)

    @contextmanager
    @override
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        self._tallies.enter(index)
        fetch = self.store.get_many if self._batched else self.store.getter()
        yield Step("fetch", fetch), *self.after_fetch()

    def after_fetch(self) -> Iterable[Step]:
        form = self.layer.heading.form
        decoder = Decoder(form)
        if form.payload == "raw":
            return (self._step("decode", decoder.split),)
        return self._step("inflate", decoder.inflate), self._step("decode", decoder.decode)

    def _step(self, name: str, perform: Callable[[Any], Any]) -> Step:
        if not self._batched:
            return Step(name, perform)
        return Step(name, lambda several: [perform(one) for one in several])

    @override
    def faults(self, item: ItemKeys, result: Any) -> Iterable[Fault]:
        """Compare every tile with the catalogue; a hole that is one there is right."""
        self.store.settle()
        keys, several = keys_of(item), result if self._batched else (result,)
        if len(several) != len(keys):
            yield Fault(too_few(len(several), len(keys)))
            return
        for key, read in zip(keys, several, strict=True):
            if complaint := self._complaint(key, read):
                yield Fault(complaint, self.layer.describe(key))

    def _complaint(self, key: int, read: TileRead) -> str:
        placed = self.layer.placed.get(key)
        if placed is None:
            return "" if read is None else tr("a tile where the layer has a hole")
        if read is None:
            return tr("a hole where the layer has a tile")
        if isinstance(read, Tile) and read.place != place_of(key):
            return tr("the tile of another key")
        return "" if self.is_right(read, key) else tr("other content than was written")

    def is_right(self, read: Any, key: int) -> bool:
        return digest_of(read) == self.layer.placed[key].decoded

    @override
    def weigh(self, results: Sequence[Any]) -> Weight:
        reads = [read for several in results for read in several] if self._batched else results
        return self.weigh_lengths(list(map(self._length_of, reads)))

    @override
    def weigh_lengths(self, lengths: Sequence[int]) -> Weight:
        self.store.settle()
        self.count(len(lengths))
        return super().weigh_lengths(lengths)


class FetchingJob(ReadingJob):
    """Objects left as they are, which tells the store's share of the time."""

    @override
    def length_of(self) -> Callable[[Any], int]:
        return length_hint  # in C; of None it is 0

    @override
    def most_kept(self) -> int:
        return _TINY if self._alone else _LARGE

    @override
    def size_of_result(self, layer: Layer) -> int:
        return max(1, layer.heading.bytes // layer.heading.tiles)

    @override
    def after_fetch(self) -> Iterable[Step]:
        return ()

    @override
    def is_right(self, read: Any, key: int) -> bool:
        if self.layer.heading.adopted:
            return digest_of([read]) == self.layer.placed[key].stored
        return bool(read == self.layer.object(key))  # five times faster than a digest


def reading_job(  # noqa: PLR0913 -- as the jobs themselves
    parameters: TileParameters,
    layer: Layer,
    store: Store,
    keys: Sequence[int],
    tallies: ThreadTallies,
    *,
    alone: bool,
) -> ReadingJob:
    """The job that reads these tiles as deep as the parameters say; `alone`: by one worker."""
    kind = ReadingJob if parameters.depth == "decode" else FetchingJob
    return kind(layer, store, keys, tallies, parameters.batch, alone=alone)


class WritingJob(TileJob[Sequence[int]]):
    """Objects of the catalogue put into a store; a result is their sizes in bytes.

    Encoding and deflating are not part of it: the objects are as they were generated, so that
    what is written can be compared byte by byte.
    """

    def __init__(
        self, layer: Layer, store: Store, keys: Sequence[int], tallies: ThreadTallies, batch: int
    ) -> None:
        there = [key for key in keys if key in layer.placed]
        super().__init__(layer, store, there, tallies, batch)
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
        self._tallies.enter(index)
        written: set[int] = set()
        self._written.append(written)
        object_of = self.layer.view if self.store.local else self.layer.object
        put_one: Callable[[int, Any], None] = self.store.put
        put_now: Callable[[Sequence[tuple[int, Any]]], None] = self.store.put_now

        def put(item: ItemKeys) -> list[int]:
            objects = [(key, object_of(key)) for key in keys_of(item)]
            put_now(objects)
            written.update(key for key, _ in objects)
            return [len(value) for _, value in objects]

        def put_file(key: int) -> tuple[int]:
            value = object_of(key)
            put_one(key, value)
            written.add(key)
            return (len(value),)

        single = self.store.local and isinstance(self.items[0], int)
        yield (Step("put", put_file if single else put),)

    @override
    def check(self, item: ItemKeys, result: Sequence[int]) -> str:
        """Nothing yet: `audit` reads back what was written when the clock has stopped."""
        return ""

    @override
    def weigh(self, results: Sequence[Sequence[int]]) -> Weight:
        tiles = sum(map(len, results))
        self.count(tiles)
        return Weight(tiles, sum(map(sum, results)))

    @override
    def audit(self, report: ReportProgress) -> Iterable[Fault]:
        """Read back every object that the store took, and compare it with the catalogue."""
        with explaining(self.store):
            self.store.finish()
        keys = sorted(set().union(*self._written))
        reader = self.reopened() if self.reopened is not None else self.store
        try:
            with explaining(reader):
                yield from self._differing(reader, keys, report)
        finally:
            if reader is not self.store:
                reader.close()

    def _differing(
        self, reader: Store, keys: Sequence[int], report: ReportProgress
    ) -> Iterator[Fault]:
        done = 0
        read = reader.get_many
        groups = [*batched(keys, TOGETHER)]
        for group, values in zip(groups, mapped(THREADS, "audit", read, groups), strict=True):
            for key, value in zip(group, values, strict=True):
                if complaint := self._complaint(key, value):
                    yield Fault(complaint, self.layer.describe(key))
            done += len(group)
            report("reading back what was written", done, len(keys), "tile")

    def _complaint(self, key: int, value: bytes | None) -> str:
        if value is None:
            return tr("nothing where a tile was written")
        right = digest_of([value]) == self.layer.placed[key].stored
        return "" if right else tr("other content than was written")
