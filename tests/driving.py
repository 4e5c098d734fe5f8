"""Runs a job as the engine would, without its processes, and code that an answer is copied as.

Also small shapes, and what needs a driver.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from core.language import Unavailable, report_to_nobody
from core.measure import Count, Share, Worker, index_folder
from core.measure.trial.counters import HEADER, SLOT
from core.vocabulary import Context, Dataset, Integer, Job, Load, Step, build, declared, registry


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
                item = job.items[place]
                try:
                    value = performed(steps, item)
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


_BEFORE = """
import sys
from pathlib import Path
from driving import drive
path = Path(sys.argv[1])
"""


def run_elsewhere(code: str, path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """What becomes of code that has `drive` and `path`, in a process of its own."""
    folder = Path(__file__).parent
    return subprocess.run(
        [sys.executable, "-c", _BEFORE + code, str(path)],
        env=os.environ | {"PYTHONPATH": f"{folder}:{folder.parent}"} | environment,
        check=False,
        capture_output=True,
        text=True,
    )


def performed(steps: Iterable[Step], item: Any) -> Any:
    """What came of one item, by calls for several where there are such, as the engine has it."""
    value = item
    for step in steps:
        if step.at_once is None:
            value = step.perform(value)
        else:
            done = step.at_once([value], False)
            for _, error in done.failures:
                raise error
            (value,) = done.results
    return value


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


@contextmanager
def skipped_where_unavailable() -> Iterator[None]:
    """Skip a test where a driver is missing, unless this is CI's machine."""
    try:
        yield
    except Unavailable as missing:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(missing))


COPIED_BYTES = 3 * 1000 + 1  # no multiple of a block of 100 bytes
SPARSE_CALLS: list[tuple[dict[str, Any], str]] = [
    ({"layout": "gap"}, "3001 bytes"),
    ({"layout": "stride", "holder": "file-system", "compare": False}, "3001 bytes"),
    ({"operation": "need", "layout": "contiguous"}, "1 ranges"),
    ({"operation": "need", "need_at": "start", "greedy_length": 64, "need_size": 8}, "0 ranges"),
    ({"operation": "write", "sharing": "split"}, "3001 bytes"),
    ({"operation": "write", "sharing": "whole", "layout": "overwrite"}, "9003 bytes"),
]
"""Parameters of calls on a sparse file, and what three threads have done then."""


def copied(workload: str, dataset: Dataset, *, threads: int = 3, **values: Any) -> dict[str, str]:
    """What is copied out of an answer, by language or tool."""
    loaded = registry.load_workload(workload)
    parameters = build(loaded.parameters, values)
    return dict(loaded.in_code(parameters, Load(threads=threads), dataset))


def printed_by(
    code: str,
    environment: Mapping[str, str] | None = None,
    *arguments: str,
    folder: Path | None = None,
) -> str:
    """What such code in Python prints; `folder`: where it runs, and is made for it."""
    if folder is not None:
        folder.mkdir()
    # A reader that was measured in this process has set how SeqRepo keeps what it looks up.
    own = {name: value for name, value in os.environ.items() if not name.startswith("SEQREPO_")}
    ran = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        env={**own, **(environment or {})},
        check=False,
    )
    assert not ran.returncode, f"{code}\n{ran.stderr}"
    return ran.stdout.strip()


def in_shell(line: str, folder: Path, **variables: str) -> str:
    """What a line prints in a shell that stands in that folder."""
    folder.mkdir(exist_ok=True)
    programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    ran = subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=folder,
        env={"PATH": programs, "HOME": str(folder), **variables},
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert not ran.returncode, f"{line}\n{ran.stdout}{ran.stderr}"
    return ran.stdout.strip()
