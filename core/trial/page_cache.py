"""Brings the page cache into the wanted state before a trial's clock starts, and measures it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import takewhile
from pathlib import Path

from core.catalog import registry
from core.catalog.dataset import Dataset
from core.host.pagecache import Residency, evict, residency, warm
from core.result.result import PageCacheProof
from core.trial.cancel import Cancel

_EVICTED_AT_ONCE = 16  # files between two checks that the trial is still wanted
ON_PAGES = {
    "as-is": "looking at the page cache",
    "warm": "warming the page cache",
    "cold": "evicting the page cache",
}
"""What happens before the clock starts, by the wanted state of the page cache."""


class PageCache:
    """How much of a trial's dataset files is in memory; a remote dataset has no files."""

    def __init__(self, dataset: Dataset, wanted: str, cancel: Cancel) -> None:
        self.files = _files(dataset)
        self._wanted = wanted
        self._cancel = cancel
        self._before: Residency | None = None
        self._after: Residency | None = None

    def prepare(self, look_up: Callable[[], None]) -> None:
        """Evict or warm the files, as wanted; calls `look_up` in between, which may raise."""
        if self._wanted == "cold":
            for first in range(0, len(self.files), _EVICTED_AT_ONCE):
                evict(self.files[first : first + _EVICTED_AT_ONCE])
                look_up()
        elif self._wanted == "warm":
            warm(self.files, lambda done, total: look_up())
        self._before = self._residency()

    def clock_stopped(self) -> None:
        """Measure it again, before anything is verified."""
        self._after = self._residency()

    @property
    def proof(self) -> PageCacheProof:
        """The wanted state and what was measured."""
        return PageCacheProof(wanted=self._wanted, before=self._before, after=self._after)

    def _residency(self) -> Residency | None:
        """How much of the dataset is in the page cache; stops early after a request to cancel."""
        if not self.files:
            return None
        return residency(takewhile(lambda _: not self._cancel.requested, self.files))


@lru_cache(maxsize=8)
def _files(dataset: Dataset) -> tuple[Path, ...]:
    """The local files of a dataset; none if it is remote."""
    if not dataset.local:
        return ()
    return tuple(registry.dataset_kind(dataset.kind).files(dataset.path))
