"""What the conformance suite needs of a store: a place in it that tests may write to.

A store joins the suite by a fixture `NAME_site`, of the whole session, that gives a `Site`, and by
its name in `SITES` of `conftest.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

from one_trial import one_trial
from patience import PATIENCE

from core.measure import reveal
from core.vocabulary import Trial, build, open_dataset, specify
from workloads.tiles.stores import BY_NAME
from workloads.tiles.stores.store import Opening, Store
from workloads.tiles.tile_parameters import TileParameters

_NUMBERS = count()


@dataclass(frozen=True)
class Mistake:
    """A way to name a store that users get wrong."""

    address: str
    parameters: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Site:
    """A store that tests may write to, and what is wrong with other addresses of it."""

    store: str
    address: str
    parameters: Mapping[str, object] = field(default_factory=dict)
    mistakes: Mapping[str, Mistake] = field(default_factory=dict)
    """By a few words: `nobody listens`, `no such bucket`, `wrong credentials` …"""

    def values(self, **parameters: Any) -> dict[str, Any]:
        """What the workload is asked for with this store."""
        return {"store": self.store, "address": self.address, **self.parameters, **parameters}

    def asked(self, **parameters: Any) -> TileParameters:
        """The same as its parameters."""
        return build(TileParameters, self.values(**parameters))

    def by(self, client: str) -> Site:
        """The same through another client."""
        return replace(self, parameters={**self.parameters, "client": client})

    def open(
        self,
        layer: str,
        *,
        threads: int = 8,
        tally: Callable[[str, float], None] = lambda name, by: None,
        mistake: Mistake | None = None,
    ) -> Store:
        """The store, opened for a layer."""
        asked = self.asked(**(mistake.parameters if mistake else {}))
        return BY_NAME[self.store].open(
            Opening(
                address=mistake.address if mistake else self.address,
                layer=layer,
                threads=threads,
                parameters=asked,
                tally=tally,
            )
        )

    @contextmanager
    def opened(self, layer: str, **how: Any) -> Iterator[Store]:
        """As `open`, and closed again."""
        store = self.open(layer, **how)
        try:
            yield store
        finally:
            store.close()

    def write(self, layer: str, objects: Mapping[int, bytes]) -> None:
        """Write objects, one by one and then in batches, and finish."""
        with self.opened(layer) as store:
            *first, last = sorted(objects)
            store.put_many([(key, objects[key]) for key in first])
            store.put(last, objects[last])
            store.finish()


def new_layer() -> str:
    """A name that no other test uses."""
    return f"test-layer_{next(_NUMBERS)}"


LOAD = {"duration": 0, "warm_up": 0, "threads": 2, "deadline": 5 * PATIENCE, "stall": PATIENCE}


def trial(folder: Path, *, workload: str = "tiles", **values: Any) -> Trial:
    """One trial of the layer in that folder: a single request."""
    return one_trial(specify(workload, open_dataset(folder, ("tile-layer",)), LOAD | values))


def secrets_of(given: Mapping[str, Any]) -> dict[str, str]:
    """As the code looks for them in the environment."""
    names = {
        "access_key": "AWS_ACCESS_KEY_ID",
        "secret_key": "AWS_SECRET_ACCESS_KEY",
        "password": "CASSANDRA_PASSWORD",
    }
    return {name: reveal(given[key]) for key, name in names.items() if key in given}
