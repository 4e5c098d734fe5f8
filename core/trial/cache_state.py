"""Brings the page cache into the wanted state before a trial's clock starts, and measures it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from pathlib import Path

from core.host.page_cache import Residency, evict, residency, warm
from core.plan.floor import files_of
from core.plan.spec import RunSpec
from core.result.trial_record import PageCacheProof
from core.trial.cancel import Cancel

_EVICTED_AT_ONCE = 16  # files between two checks that the trial is still wanted
ON_PAGES = {
    "as-is": "looking at the page cache",
    "warm": "warming the page cache",
    "cold": "evicting the page cache",
}
"""What happens before the clock starts, by the wanted state of the page cache."""


class PageCache:
    """How much of the files that a trial reads is in memory; a remote store has no files."""

    def __init__(self, spec: RunSpec, cancel: Cancel) -> None:
        self.files: tuple[Path, ...] = ()
        self._spec = spec
        self._target = spec.load.page_cache
        self._cancel = cancel
        self._before: Residency | None = None
        self._after: Residency | None = None

    def find_files(self) -> None:
        """Look which files there are; raises OSError and SluiceError."""
        self.files = files_of(self._spec)

    def prepare(self, look_up: Callable[[], None]) -> None:
        """Evict or warm the files, as wanted; calls `look_up` in between, which may raise."""
        if self._target == "cold":
            for first in range(0, len(self.files), _EVICTED_AT_ONCE):
                evict(self.files[first : first + _EVICTED_AT_ONCE])
                look_up()
        elif self._target == "warm":
            warm(self.files, lambda done, total: look_up())
        self._before = self._residency()

    def clock_stopped(self) -> None:
        """Measure it again, before anything is verified."""
        self._after = self._residency()

    @property
    def proof(self) -> PageCacheProof | None:
        """The wanted state and what was measured; None where the trial reads no files."""
        if not self.files:
            return None
        return PageCacheProof(wanted=self._target, before=self._before, after=self._after)

    def _residency(self) -> Residency | None:
        """How much of the files is in the page cache; stops early after a request to cancel."""
        if not self.files:
            return None
        return residency(takewhile(lambda _: not self._cancel.requested, self.files))
