"""A workload whose data is in a store, a folder that plays a server, and that does as it is told.

It is reached as `rigged_store:Stored`.
"""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, override

from core import (
    Context,
    Dataset,
    Fault,
    Job,
    ReportProgress,
    SluiceError,
    Step,
    Workload,
    choice,
    integer,
    location,
    regular_files,
)

NAME = "rigged_store:Stored"
PLACINGS = ("none", "done", "refused", "crash", "hang")
FOR_EVER = 3600
TALLIES = ("retries", "503", "backoff seconds")
WRITES = (
    "write", "write-slowly", "crash", "refuse", "refuse-login", "hang-removal", "hang-audit",
)  # fmt: skip
ACTS = ("nothing", "hang", "miscount", *WRITES)
LAST = 99
"""The item at which it hangs."""


@dataclass(frozen=True, kw_only=True)
class StoredParameters:
    store: str = choice(
        "server",
        options={"server": "Read no files.", "files": "Read those of the store.", "data": "Both."},
        help="Where objects are.",
    )
    address: str = location("", help="The store.")
    placing: str = choice(
        "none", options=dict.fromkeys(PLACINGS, "What becomes of it."), help="How to place."
    )
    lose: int = integer(0, low=0, high=100, help="Objects that the store loses.")
    act: str = choice("nothing", options=dict.fromkeys(ACTS, "What goes wrong."), help="What.")


class StoredJob(Job[int, bytes]):
    """Answers that are the numbers asked for."""

    def __init__(self, context: Context[StoredParameters]) -> None:
        self.items = range(100)
        self.context = context
        self.act = context.parameters.act
        self.receipts: list[int] = []
        self.store = Path(context.parameters.address)
        self.tallies = tuple(map(str, range(9))) if self.act == "miscount" else TALLIES
        context.tally(0).add("retries")  # before the clock, so nobody counts it

    @contextmanager
    @override
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        tally = self.context.tally(index)

        def ask(item: int) -> bytes:
            tally.add("retries", 2)
            tally.add("backoff seconds", 0.25)
            if self.act == "hang" and item == LAST:
                time.sleep(FOR_EVER)
            if self.act in WRITES:
                (self.store / f"{self.context.mark}.{item}").write_bytes(item.to_bytes(8))
                self.receipts.append(item)
            if self.act == "crash":
                os.abort()
            if self.act == "write-slowly":
                time.sleep(0.01)
            return item.to_bytes(8)

        yield (Step("ask", ask),)

    @override
    def check(self, item: int, result: bytes) -> str:
        return "" if int.from_bytes(result) == item else "other bytes"


class AuditedJob(StoredJob):
    """One that reads back what it wrote."""

    @override
    def audit(self, report: ReportProgress) -> Iterator[Fault]:
        if self.act == "hang-audit":
            report("hanging")
            time.sleep(FOR_EVER)
        for place, item in enumerate(self.receipts):
            report("reading back", place, len(self.receipts), "objects")
            path = self.store / f"{self.context.mark}.{item}"
            if place < self.context.parameters.lose:
                yield Fault("lost", path.name, wrong_data=place > 0)
            elif path.read_bytes() != item.to_bytes(8):
                yield Fault("other bytes", path.name)


class Stored(Workload[StoredParameters]):
    name = "stored"
    unit = "object"
    parameters = StoredParameters
    dataset_kinds = ("files",)
    lines = ("store",)

    @override
    def open(self, context: Context[StoredParameters]) -> Job[Any, Any]:
        if context.parameters.act == "refuse-login":
            raise SluiceError("the server refuses the login")
        return StoredJob(context)

    @override
    def files(self, parameters: StoredParameters, dataset: Dataset) -> Sequence[Path] | None:
        match parameters.store:
            case "files":
                return sorted(one for one in Path(parameters.address).iterdir() if one.is_file())
            case "data":
                return None
            case _:
                return ()

    @override
    def irrelevant(self, parameters: StoredParameters) -> frozenset[str]:
        return frozenset({"page_cache"}) if parameters.store == "server" else frozenset()

    @override
    def leaves(self, parameters: StoredParameters) -> bool:
        return parameters.act in WRITES

    @override
    def remove_leftovers(
        self, mark: str, parameters: StoredParameters, report: ReportProgress
    ) -> int:
        if parameters.act == "hang-removal":
            report("hanging")
            time.sleep(FOR_EVER)
        if parameters.act in ("refuse", "refuse-login"):
            raise ConnectionRefusedError("the server is down")
        found = sorted(Path(parameters.address).glob(f"{mark}.*"))
        for place, one in enumerate(found):
            report("removing", place, len(found))
            one.unlink()
        return len(found)

    @override
    def floor(self, parameters: StoredParameters) -> dict[str, object]:
        return {}


class Deep(Stored):
    """One whose objects are in folders below the store."""

    @override
    def files(self, parameters: StoredParameters, dataset: Dataset) -> Sequence[Path]:
        return sorted(regular_files(Path(parameters.address)))


class Single(Stored):
    """One that runs in one process only."""

    @override
    def irrelevant(self, parameters: StoredParameters) -> frozenset[str]:
        return frozenset({"processes"})


class Audited(Stored):
    """One that reads back what it wrote."""

    @override
    def open(self, context: Context[StoredParameters]) -> Job[Any, Any]:
        return AuditedJob(context)


class Placed(Stored):
    """One whose data is placed in the store first."""

    @override
    def place(self, dataset: Dataset, parameters: StoredParameters, report: ReportProgress) -> None:
        store = Path(parameters.address)
        (store / f"placed.{uuid.uuid4().hex}").touch()
        match parameters.placing:
            case "refused":
                raise PermissionError("nobody may write here")
            case "crash":
                os.abort()
            case "hang":
                report("hanging")
                time.sleep(FOR_EVER)
            case _:
                report("placing tiles", 1, 2, "tiles")
                (store / "objects").mkdir(exist_ok=True)
                (store / "objects" / "one").write_bytes(dataset.path.read_bytes())

    @override
    def files(self, parameters: StoredParameters, dataset: Dataset) -> Sequence[Path]:
        return [Path(parameters.address, "objects", "one")]

    @override
    def irrelevant(self, parameters: StoredParameters) -> frozenset[str]:
        return frozenset()
