"""Runs a job as the engine would, without its processes; small shapes, and what needs a driver."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from core.catalog import registry
from core.catalog.declarations import build, declared
from core.catalog.load import Load
from core.catalog.parameters import Integer
from core.catalog.workload_job import Context, Job, Step
from core.host.folders import index_folder
from core.language.reporting import report_to_nobody
from core.trial.counters import HEADER, SLOT, Count, Share
from core.trial.worker import Worker


@dataclass
class Driven:
    """What came of driving a job over all its items once."""

    job: Job[Any, Any]
    results: list[tuple[Any, Any]] = field(default_factory=list)
    errors: list[Exception] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    steps: tuple[str, ...] = ()
    counters: Mapping[str, float] = field(default_factory=dict)

    @property
    def clean(self) -> bool:
        return bool(self.results) and not self.errors and not self.complaints


def open_job(name: str, path: Path, *, threads: int = 1, seed: int = 1, **parameters: Any) -> Any:
    workload = registry.load_workload(name)
    dataset = registry.open_dataset(path, workload.dataset_kinds)
    context = Context(
        dataset=dataset,
        parameters=build(workload.parameters, parameters),
        load=Load(threads=threads, seed=seed),
        process=0,
        run_id="test",
        mark="test-0-0000",
        cache=index_folder(dataset.fingerprint),
        report=report_to_nobody,
    )
    return workload.open(context)


def drive(
    name: str, path: Path, *, threads: int = 1, most: int = 10**9, **parameters: Any
) -> Driven:
    """Open, perform all items shared out over threads, check, count, close."""
    job = open_job(name, path, threads=threads, **parameters)
    driven = Driven(job)
    meeting = threading.Barrier(threads)

    def work(index: int) -> None:
        with job.worker(index) as steps:
            driven.steps = tuple(step.name for step in steps)
            meeting.wait()
            for place in range(index, min(len(job.items), most), threads):
                value = item = job.items[place]
                try:
                    for step in steps:
                        value = performed(step, value)
                except Exception as error:  # noqa: BLE001 - as the engine does
                    driven.errors.append(error)
                    continue
                driven.results.append((item, value))
                driven.complaints += [fault.text for fault in job.faults(item, value)]
            meeting.wait()
            driven.counters = dict(job.counters())
            meeting.wait()

    workers = [threading.Thread(target=work, args=(index,)) for index in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    job.close()
    return driven


def performed(step: Step, item: Any) -> Any:
    """What came of one item, by a call for several where there is one, as the engine has it."""
    if step.at_once is None:
        return step.perform(item)
    done = step.at_once([item], False)
    for _, error in done.failures:
        raise error
    return done.results[0]


def timed(name: str, path: Path, *, operations: int, **parameters: Any) -> int:
    """How many of so many items a worker of the engine has timed as single operations."""
    words, head = (memoryview(bytearray(8 * size)).cast("q") for size in (SLOT, HEADER))
    job = open_job(name, path, **parameters)
    with job.worker(0) as steps:
        worker = Worker(job, steps, words, head, 0)
        worker.run(Share(0, 1, operations))
        worker.verify()
    job.close()
    assert words[Count.ITEMS] == operations
    assert not words[Count.ERRORS]
    return words[Count.TIMED]


def small(shape: type) -> Any:
    """A shape of that kind with few and short things in it."""
    values = {
        kind.name: max(kind.low, min(kind.default, 20))
        for kind in declared(shape)
        if isinstance(kind, Integer) and kind.name != "seed"
    }
    return build(shape, values)


def need_drivers(name: str, **parameters: Any) -> None:
    """Skip where a driver is missing that not every machine can have, unless this is CI's."""
    workload = registry.load_workload(name)
    missing = [
        driver.distribution
        for driver in workload.drivers(build(workload.parameters, parameters))
        if not driver.installed
    ]
    if missing and os.environ.get("CI") != "true":
        pytest.skip(f"{' and '.join(missing)} cannot be used here")
