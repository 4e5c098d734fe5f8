"""Twelve bottlenecks that are made on purpose, measured by the real engine, and named."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import building
import msgspec
import pytest
import rigged_bottlenecks
from one_trial import one_trial

from core.judge import diagnose, doubts_within
from core.measure import Cancel, describe_environment
from core.run.engine import run
from core.vocabulary import (
    Cause,
    Confidence,
    Dataset,
    Diagnosis,
    Load,
    Plan,
    Result,
    RunSpec,
    TrialEnded,
    Value,
    collect,
    open_dataset,
)

pytestmark = pytest.mark.slow

THREADS = 4
LOADS = ((THREADS, 1), (1, 1), (1, THREADS))
"""The pair of threads and processes, and one thread: what `--why` measures; the first is named."""


@dataclass(frozen=True, kw_only=True)
class Rig:
    """What is measured, and what the diagnosis may call it, the right name first."""

    workload: str
    right: tuple[Cause, ...]
    parameters: Mapping[str, Value]
    load: Mapping[str, Any]


def rigged(workload: str, *right: Cause, **load: Any) -> Rig:
    return Rig(
        workload=f"rigged_bottlenecks:{workload}", right=right, parameters={"note": ""}, load=load
    )


def plain(block: int, *right: Cause, access: str = "random", **load: Any) -> Rig:
    parameters: dict[str, Value] = {"access": access, "block_size": block}
    return Rig(workload="raw", right=right, parameters=parameters, load=load)


RIGS = {
    "a lock that is held while waiting": rigged("LockedSleep", Cause.LOCK),
    "a lock that is held while computing": rigged("LockedHash", Cause.LOCK),
    "decoding in Python": rigged("PythonDecode", Cause.GIL),
    "a device that answers late": rigged("SleepingDevice", Cause.DEVICE),
    "no descriptor left": rigged("ManyFiles", Cause.DESCRIPTORS),
    "pinned to one core": rigged("PinnedHash", Cause.CPU),
    "a cold cache": plain(16_384, Cause.DEVICE, page_cache="cold", warm_up=0.0, duration=0.4),
    "tiny operations": rigged("TinyOperations", Cause.HARNESS),
    "a slow server": rigged("SlowServer", Cause.NETWORK),
    "a busy server": rigged("BusyServer", Cause.BACKPRESSURE),
    "decompression": rigged("Inflate", Cause.DECOMPRESSION),
    "copies out of the page cache": plain(1 << 20, Cause.PAGE_CACHE, page_cache="warm"),
    "nothing but computing": rigged("FreeHash", Cause.CPU, Cause.UNKNOWN),
}
SERVERS = {"a slow server": {"delay": 0.02}, "a busy server": {"delay": 0.001, "admitted": 3}}
ATTEMPTS = 3
"""On a busy machine one thread that is kept from its core for half a second looks like anything."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    file = tmp_path_factory.mktemp("rigged") / "data.bin"
    file.write_bytes(random.Random(1).randbytes(1 << 20) * 192)
    return open_dataset(file)


def measured(rig: Rig, dataset: Dataset) -> list[Result]:
    specs = [
        RunSpec(
            workload=rig.workload,
            version=1,
            parameters=dict(rig.parameters),
            load=Load(
                **{"duration": 0.6, "warm_up": 0.1, **rig.load},
                threads=threads,
                processes=processes,
            ),
            dataset=dataset,
        )
        for threads, processes in LOADS
    ]
    events = run(Plan(title="rigged", specs=tuple(specs)), Cancel())
    trials = [event.trial for event in events if isinstance(event, TrialEnded)]
    return collect(specs, trials, describe_environment(), {})


@dataclass
class Attempts:
    """As many measurements as it takes to name it rightly, or all of them."""

    results: list[Result]
    """Of the last one."""
    diagnoses: list[Diagnosis]

    @classmethod
    def at(cls, rig: Rig, dataset: Dataset) -> Attempts:
        made = cls([], [])
        while len(made.diagnoses) < ATTEMPTS:
            made.results = measured(rig, dataset)
            made.diagnoses.append(diagnose(made.results[0], made.results))
            if made.diagnoses[-1].cause in rig.right:
                break
        return made


@pytest.fixture(scope="module")
def attempts(data: Dataset) -> Callable[[str], Attempts]:
    """The attempts at the rig of a name, measured where it is asked for first."""

    @cache
    def of(name: str) -> Attempts:
        if name not in SERVERS:
            return Attempts.at(RIGS[name], data)
        with rigged_bottlenecks.serving(**SERVERS[name]) as url:
            place = Dataset(kind="files", location=url, fingerprint="00" * 16)
            return Attempts.at(RIGS[name], place)

    return of


@pytest.mark.parametrize("name", RIGS)
def test_that_no_bottleneck_is_named_wrongly_with_confidence_again_and_again(
    name: str, attempts: Callable[[str], Attempts]
) -> None:
    found = attempts(name).diagnoses
    sure = [one for one in found if one.confidence is Confidence.SURE]
    wrong = [one for one in sure if one.cause not in RIGS[name].right]
    assert len(wrong) < ATTEMPTS, wrong
    assert all(one.evidence for one in found)


def test_that_all_but_one_are_named_rightly(attempts: Callable[[str], Attempts]) -> None:
    last = {name: attempts(name).diagnoses[-1] for name in RIGS}
    wrong = {name: found for name, found in last.items() if found.cause not in RIGS[name].right}
    assert len(wrong) <= 1, wrong


@pytest.mark.parametrize("name", RIGS)
def test_that_the_path_of_a_dataset_is_no_evidence(
    name: str, attempts: Callable[[str], Attempts]
) -> None:
    found = attempts(name)
    moved = [at_a_misleading_path(result) for result in found.results]
    assert diagnose(moved[0], moved) == found.diagnoses[-1]


def at_a_misleading_path(result: Result) -> Result:
    place = result.spec.dataset
    path = msgspec.structs.replace(place, location=f"{place.location}/zstd-503-EMFILE")
    return msgspec.structs.replace(result, spec=msgspec.structs.replace(result.spec, dataset=path))


def test_that_a_reader_that_keeps_its_files_open_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(b"some data")
    spec = RunSpec(
        workload="rigged_bottlenecks:LeakingReader",
        version=1,
        parameters={"note": ""},
        load=Load(duration=3.0, warm_up=0.1),
        dataset=open_dataset(tmp_path / "data"),
    )
    doubt, *_ = doubts_within(building.result(spec, [one_trial(spec)]))
    assert re.search(r"Open files grow by \d+ a second", doubt.text)
