"""Ways to keep files open between fetches.

Each gives every worker a function that fetches, and counts: a hit found its file open, a miss
opened it, a concurrent open opened a file that another thread was opening at that moment.
They count from the start, the warm-up included, for it is part of what fills a cache.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, Any

from workloads.fasta.fasta_parameters import FastaParameters
from workloads.fasta.readers import Open, SequenceHandle

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

type FetchFrom = Callable[[str, str, int, int], str]
"""(file, sequence, start, stop) → bases."""


class HandleCache(ABC):
    """Keeps files open in one of several ways."""

    @abstractmethod
    def worker(self) -> AbstractContextManager[FetchFrom]:
        """The fetch function of one thread; entered in that thread."""

    @abstractmethod
    def counters(self) -> Mapping[str, float]:
        """`cache hits`, `cache misses`, `concurrent opens`, `files kept open`, of all workers."""

    def close(self) -> None:
        """Close all files that are still kept; called after the last fetch."""


def handle_cache(parameters: FastaParameters, open_file: Open) -> HandleCache:
    counted = CountedOpen(open_file)
    size = parameters.cache_size
    match parameters.cache:
        case "lru":
            return SharedLru(counted, size)
        case "lru-locked":
            return LockedLru(counted, size)
        case "per-thread":
            return OwnLru(counted, size)
        case "pool":
            return HandlePool(counted, size)
    return NoCache(counted, closing=parameters.cache == "none-close")


class CountedOpen:
    """Opens files, and counts how often and how often several threads open the same."""

    def __init__(self, open_file: Open) -> None:
        self._open = open_file
        self._lock = Lock()
        self._opening: Counter[str] = Counter()
        self.opens = 0
        self.concurrent = 0

    def __call__(self, file: str) -> SequenceHandle:
        with self._lock:
            self.opens += 1
            self.concurrent += self._opening[file] > 0
            self._opening[file] += 1
        try:
            return self._open(file)
        finally:
            with self._lock:
                self._opening[file] -= 1

    def counters(self, hits: int, open_files: int) -> Mapping[str, float]:
        """All counters, given the hits and the files that are open now."""
        return {
            "cache hits": hits,
            "cache misses": self.opens,
            "concurrent opens": self.concurrent,
            "files kept open": open_files,
        }


def _fetching(handle_of: Callable[[str], SequenceHandle]) -> FetchFrom:
    return lambda file, name, start, stop: handle_of(file).fetch(name, start, stop)


class SharedLru(HandleCache):
    """The last files opened, shared by all threads without any lock, as first published.

    Two threads can read a handle at once, which many libraries do not survive: that is the point.
    """

    def __init__(self, open_file: CountedOpen, size: int) -> None:
        self._open = open_file
        self._handle: _lru_cache_wrapper[Any] = lru_cache(maxsize=size)(open_file)

    @contextmanager
    def worker(self) -> Iterator[FetchFrom]:
        yield _fetching(self._handle)

    def counters(self) -> Mapping[str, float]:
        info = self._handle.cache_info()
        return self._open.counters(info.hits, info.currsize)

    def close(self) -> None:
        self._handle.cache_clear()


class LockedLru(SharedLru):
    """The last files opened, shared by all threads, each with a lock held while it is read."""

    def __init__(self, open_file: CountedOpen, size: int) -> None:
        super().__init__(open_file, size)
        self._handle = lru_cache(maxsize=size)(lambda file: (open_file(file), Lock()))

    @contextmanager
    def worker(self) -> Iterator[FetchFrom]:
        locked: Callable[[str], tuple[SequenceHandle, Lock]] = self._handle

        def fetch(file: str, name: str, start: int, stop: int) -> str:
            handle, lock = locked(file)
            with lock:
                return handle.fetch(name, start, stop)

        yield fetch


class NoCache(HandleCache):
    """Opens for every fetch; closes at once, or when the handle is freed."""

    def __init__(self, open_file: CountedOpen, *, closing: bool) -> None:
        self._open = open_file
        self._closing = closing

    @contextmanager
    def worker(self) -> Iterator[FetchFrom]:
        open_file = self._open

        def fetch_and_close(file: str, name: str, start: int, stop: int) -> str:
            handle = open_file(file)
            try:
                return handle.fetch(name, start, stop)
            finally:
                handle.close()

        yield fetch_and_close if self._closing else _fetching(open_file)

    def counters(self) -> Mapping[str, float]:
        return self._open.counters(0, 0)


class OwnLru(HandleCache):
    """Every thread keeps the last files that it opened."""

    def __init__(self, open_file: CountedOpen, size: int) -> None:
        self._open = open_file
        self._size = size
        self._lock = Lock()
        self._caches: list[_lru_cache_wrapper[Any]] = []
        """Those of the workers that are not done."""
        self._hits = 0
        """Those of the workers that are done."""

    @contextmanager
    def worker(self) -> Iterator[FetchFrom]:
        handle = lru_cache(maxsize=self._size)(self._open)
        with self._lock:
            self._caches.append(handle)
        try:
            yield _fetching(handle)
        finally:
            with self._lock:
                self._caches.remove(handle)
                self._hits += handle.cache_info().hits
            handle.cache_clear()

    def counters(self) -> Mapping[str, float]:
        with self._lock:
            now = [cache.cache_info() for cache in self._caches]
            hits = self._hits + sum(info.hits for info in now)
        return self._open.counters(hits, sum(info.currsize for info in now))


class HandlePool(HandleCache):
    """Handles used by one thread at a time; a file has as many as are needed at once.

    Idle handles are kept up to the size, over all files; those longest idle go first.
    """

    def __init__(self, open_file: CountedOpen, size: int) -> None:
        self._open = open_file
        self._size = size
        self._lock = Lock()
        self._idle: OrderedDict[int, tuple[str, SequenceHandle]] = OrderedDict()
        self._of_file: dict[str, list[int]] = {}
        self._tickets = count()
        self._hits = 0

    @contextmanager
    def worker(self) -> Iterator[FetchFrom]:
        def fetch(file: str, name: str, start: int, stop: int) -> str:
            with self._lock:
                tickets = self._of_file.get(file)
                handle = self._idle.pop(tickets.pop())[1] if tickets else None
                self._hits += handle is not None
            if handle is None:
                handle = self._open(file)
            # A handle whose read failed is not put back: it may stay broken.
            bases = handle.fetch(name, start, stop)
            self._put(file, handle)
            return bases

        yield fetch

    def _put(self, file: str, handle: SequenceHandle) -> None:
        with self._lock:
            ticket = next(self._tickets)
            self._idle[ticket] = file, handle
            self._of_file.setdefault(file, []).append(ticket)
            if len(self._idle) <= self._size:
                return
            oldest, (its_file, evicted) = self._idle.popitem(last=False)
            self._of_file[its_file].remove(oldest)
        evicted.close()

    def counters(self) -> Mapping[str, float]:
        """A handle found idle is a hit."""
        return self._open.counters(self._hits, len(self._idle))

    def close(self) -> None:
        while self._idle:
            self._idle.popitem()[1][1].close()
        self._of_file.clear()
