"""Reading tiles, each of which is judged by the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, override

from core import Fault, Step, Weight, tr
from workloads.tiles.layer_files import Layer, describe_key, too_few
from workloads.tiles.stores.store import Store
from workloads.tiles.tile_codec import Decoder, Tile, digest_of
from workloads.tiles.tile_job import Keys, ThreadTallies, TileJob, keys_of
from workloads.tiles.tile_parameters import TileParameters
from workloads.tiles.zorder import place_of

type Read = bytes | Tile | None
"""An object, a decoded tile, or None for a hole."""

_LARGE = 64 * 1024
"""Bytes of an operation's tiles from which on they are verified at once, and not kept."""
_MOST_ALIVE = 640 * 1024
"""Bytes of tiles that wait for that: more of them push each other out of the processor's cache, of
which a plain loop that frees each tile feels nothing.  With 4 MiB a file's tile took a fifth longer
than in such a loop, with 1 MiB 3 to 6 %.  With less, single objects of files are verified one by
one, which is no faster on one thread and 6 % slower on two: what comes with each verification holds
the interpreter's lock, for which the other thread waits."""


class ReadingJob(TileJob[Any]):
    """Tiles read by their keys; a result is a tile, or a sequence of them where `batch` > 1."""

    def __init__(
        self, layer: Layer, store: Store, keys: Sequence[int], tallies: ThreadTallies, batch: int
    ) -> None:
        super().__init__(layer, store, keys, batch)
        self._tallies = tallies
        self._batched = batch > 1
        each = batch * self.size_of_result(layer)
        self.checking = "between" if each > _LARGE else "later"
        self.held = max(1, _MOST_ALIVE // each)

    def size_of_result(self, layer: Layer) -> int:
        """Bytes of a tile in memory, about."""
        return max(layer.heading.form.decoded, layer.heading.bytes // layer.heading.tiles)

    @contextmanager
    @override
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        """Fetch, and what makes tiles of objects."""
        self._tallies.enter(index)
        fetch = self.store.get_many if self._batched else self.store.get
        yield Step("fetch", fetch), *self.after_fetch()

    def after_fetch(self) -> Iterable[Step]:
        """The steps that make tiles of objects: inflate and decode."""
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
    def faults(self, item: Keys, result: Any) -> Iterable[Fault]:
        """Compare every tile with the catalogue; a hole that is one there is right."""
        keys, several = keys_of(item), result if self._batched else (result,)
        if len(several) != len(keys):
            yield Fault(too_few(len(several), len(keys)))
            return
        for key, read in zip(keys, several, strict=True):
            if complaint := self._complaint(key, read):
                yield Fault(complaint, describe_key(key))

    def _complaint(self, key: int, read: Read) -> str:
        placed = self.layer.placed.get(key)
        if placed is None:
            return "" if read is None else tr("a tile where the layer has a hole")
        if read is None:
            return tr("a hole where the layer has a tile")
        if isinstance(read, Tile) and read.place != place_of(key):
            return tr("the tile of another key")
        return "" if self.is_right(read, key) else tr("other content than was written")

    def is_right(self, read: Any, key: int) -> bool:
        """Whether a tile is the one in the catalogue."""
        return digest_of(read) == self.layer.placed[key].decoded

    @override
    def weigh(self, results: Sequence[Any]) -> Weight:
        """Tiles, holes included, and bytes of their objects."""
        reads = [read for several in results for read in several] if self._batched else results
        self.count(len(reads))
        return Weight(len(reads), sum(map(_stored, reads)))


class FetchingJob(ReadingJob):
    """Objects left as they are, which tells the store's share of the time."""

    @override
    def size_of_result(self, layer: Layer) -> int:
        """Bytes of an object, about."""
        return max(1, layer.heading.bytes // layer.heading.tiles)

    @override
    def after_fetch(self) -> Iterable[Step]:
        """None."""
        return ()

    @override
    def is_right(self, read: Any, key: int) -> bool:
        """Whether an object is the one in the catalogue."""
        return digest_of([read]) == self.layer.placed[key].stored


def reading_job(
    parameters: TileParameters,
    layer: Layer,
    store: Store,
    keys: Sequence[int],
    tallies: ThreadTallies,
) -> ReadingJob:
    """The job that reads these tiles as deep as the parameters say."""
    kind = ReadingJob if parameters.depth == "decode" else FetchingJob
    return kind(layer, store, keys, tallies, parameters.batch)


def _stored(read: Read) -> int:
    if read is None:
        return 0
    return read.stored if isinstance(read, Tile) else len(read)
