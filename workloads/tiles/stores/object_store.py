"""Tiles as objects with names, `layer/key`, one for each tile, through a client of choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import override

from core import SluiceError
from workloads.shared.objects import Place, Repeats, client_for
from workloads.shared.servers import PASSING, remedy_of, status_of
from workloads.tiles.stores.store import Opening, Store

MANIFEST = "manifest"


class ObjectStore(Store):
    """One request for each tile: neither S3 nor http has a form for several.

    A batch is one after the other, unless the client has several on their way at once.
    """

    def __init__(self, opening: Opening, place: Place, server: str, prefix: str) -> None:
        """`prefix`: of all names of the layer, with a slash at its end."""
        parameters = opening.parameters
        self.prefix, self._tally = prefix, opening.tally
        self.objects = client_for(parameters.client, server).open(place, opening.tally)
        self.failures = self.objects.failures
        own = parameters.retry_mode == "exponential"
        attempts = parameters.attempts if own else 1
        self.repeats = Repeats(attempts, parameters.backoff_base, opening.tally)
        try:
            self._require_answer()
        except self.failures as error:
            self.close()
            raise self.refused(error) from error

    def _require_answer(self) -> None:
        """Have what stands in the way of every request said before the clock, at once.

        A refusal in passing stands in the way of none.
        """
        try:
            self._fetch(MANIFEST, attempts=1)
        except self.failures as error:
            if status_of(error) not in PASSING:
                raise
            self._fetch(MANIFEST)

    def refused(self, error: Exception) -> SluiceError:
        """What is said where the first answer is a refusal."""
        raise NotImplementedError

    @override
    def remedy(self, error: Exception) -> str:
        return remedy_of(error)

    @override
    def get(self, key: int) -> bytes | None:
        return self._fetch(str(key))

    @override
    def getter(self) -> Callable[[int], bytes | None]:
        if self.repeats.attempts > 1:
            return self.get
        prefix, fetch = self.prefix, self.objects.fetch
        return lambda key: fetch(f"{prefix}{key}")

    @override
    def settle(self) -> None:
        self.objects.settle()

    @override
    def get_many(self, keys: Sequence[int]) -> Sequence[bytes | None]:
        if not self.objects.batches:
            return super().get_many(keys)
        names = [f"{self.prefix}{key}" for key in keys]
        several: list[bytes | None] = []
        for key, got in zip(keys, self.objects.get_many(names), strict=True):
            several.append(self._fetch_again(key, got) if isinstance(got, Exception) else got)
        return several

    def _fetch_again(self, key: int, failure: Exception) -> bytes | None:
        """The object of a key that a batch failed to get, by itself, if that may help."""
        if self.repeats.attempts == 1 or status_of(failure) not in (0, *PASSING):
            raise failure
        self._tally("retries", 1)
        return self._fetch(str(key))

    def _fetch(self, name: str, attempts: int = 0) -> bytes | None:
        get = partial(self.objects.get, self.prefix + name)
        return self.repeats.perform(get, self.failures, attempts)

    @override
    def put(self, key: int, value: bytes) -> None:
        self._write(str(key), value)

    def _write(self, name: str, value: bytes) -> None:
        put = partial(self.objects.put, self.prefix + name, value)
        self.repeats.perform(put, self.failures)

    @override
    def manifest(self) -> bytes | None:
        return self._fetch(MANIFEST)

    @override
    def set_manifest(self, value: bytes) -> None:
        self._write(MANIFEST, value)

    @override
    def close(self) -> None:
        self.objects.close()
