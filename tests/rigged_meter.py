"""A workload whose client has threads of its own, which count through a meter.

It is reached as `rigged_meter:Threaded`.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, override

from core import (
    Context,
    Dataset,
    Fault,
    Job,
    Meter,
    Remains,
    ReportProgress,
    SluiceError,
    Step,
    Workload,
    choice,
)

NAME = "rigged_meter:Threaded"
FILES, SIZE = 24, 1000
ACTS = ("nothing", "fail", "wrong", "hang", "raise", "die", "die-unseen", "swell")
SWOLLEN = 400 << 20
"""Bytes that `swell` takes."""


@dataclass(frozen=True, kw_only=True)
class ThreadedParameters:
    act: str = choice("nothing", options=dict.fromkeys(ACTS, "What goes wrong."), help="What.")


class ThreadedJob(Job[int, Sequence[int]]):
    """Passes over files, of which threads take one after the other."""

    items = range(2)
    workers = 1
    metered = True
    tallies = ("requests",)

    def __init__(self, context: Context[ThreadedParameters]) -> None:
        self.context = context
        self.act = context.parameters.act
        self.client_threads = context.load.threads
        self.arrived: list[int] = []
        self.swollen = b""

    @contextmanager
    @override
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        meter = self.context.meter(index)

        def transfer(number: int) -> Sequence[int]:
            with ThreadPoolExecutor(self.client_threads) as pool:
                return list(pool.map(lambda file: self.move(meter, number, file), range(FILES)))

        yield (Step("transfer", transfer),)

    def move(self, meter: Meter, number: int, file: int) -> int:
        begun = meter.begin()
        meter.count("requests", 2)
        if file == FILES - 1:
            self.end(meter)
        if self.act == "raise" and file == 0:
            raise ConnectionResetError("the client broke")
        if self.act == "fail" and file < 2:
            meter.failed(Fault("refused", f"file {file}", wrong_data=False))
            return -1
        for _ in range(10):
            meter.moved(SIZE // 10)
        meter.done(begun)
        self.arrived.append(file)
        return file

    def end(self, meter: Meter) -> None:
        """What happens in place of the last file."""
        if self.act == "swell":
            self.swollen = b"x" * SWOLLEN
        if self.act in ("hang", "swell"):
            while not meter.stopping:
                threading.Event().wait(0.01)
            raise InterruptedError("given up")
        if self.act.startswith("die"):
            while len(self.arrived) < FILES - 1:
                threading.Event().wait(0.01)
            os.kill(os.getpid(), signal.SIGKILL)

    @override
    def faults(self, item: int, result: Sequence[int]) -> Iterable[Fault]:
        bad = range(3) if self.act == "wrong" else ()
        return [Fault("other bytes", f"file {file}") for file in bad]

    @override
    def audit(self, report: ReportProgress) -> Iterable[Fault]:
        if self.act in ("hang", "swell"):
            report("looking at what arrived")
            yield Fault("only half of it", "file 0")

    @override
    def describe(self, item: int) -> str:
        return f"pass {item}"


class Threaded(Workload[ThreadedParameters]):
    name = "threaded"
    unit = "file"
    parameters = ThreadedParameters
    dataset_kinds = ("files",)
    turns = False

    @override
    def open(self, context: Context[ThreadedParameters]) -> Job[Any, Any]:
        return ThreadedJob(context)

    @override
    def remains(
        self, mark: str, dataset: Dataset, parameters: ThreadedParameters, report: ReportProgress
    ) -> Remains:
        if parameters.act == "die-unseen":
            raise SluiceError("the server is gone")
        report("looking at what arrived")
        return Remains(
            verified=FILES - 1,
            faults=[Fault("only half of it", f"{dataset.location}: {mark}: file 0")],
            counters={"files arrived": FILES - 2},
        )

    @override
    def files(self, parameters: ThreadedParameters, dataset: Dataset) -> Sequence[Any]:
        return ()
