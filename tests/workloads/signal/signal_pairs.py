"""What several tests of signals share: reads in both formats, a look at all of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from driving import performed

from core.measure import find_dataset, make_dataset
from core.vocabulary import Dataset
from workloads.signal import pod5_oracle, slow5_records_oracle
from workloads.signal.catalogue import format_of
from workloads.signal.make_signal import SignalShape
from workloads.signal.reads import Read, Sums
from workloads.signal.signal_parameters import ZSTD_DRIVER


class Reads(list[Read]):
    """A batch's result that a test makes up."""

    def reads(self, _sums: Sums) -> Iterator[Read]:
        return iter(self)


def made_pair(
    factory: pytest.TempPathFactory, made: Callable[[str], Dataset], shape: SignalShape
) -> Path:
    """A folder with them, made with a cache of its own; skips where the drivers are missing."""
    made("signal")
    folder = factory.mktemp("pair")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLUICE_CACHE", str(folder / "cache"))
        return make_dataset("signal", shape, folder / "signal").path


def look_through(path: Path) -> None:
    """Recognise it, then look at every record."""
    find_dataset("signal", path)
    if format_of(path) == "blow5":
        list(slow5_records_oracle.records(path, 10**6))
    else:
        list(pod5_oracle.reads(path, 10**6))


def complaints_of(job: Any) -> list[str]:
    """What is wrong with every item of a job, which is closed."""
    with job.worker(0) as steps:
        complaints = [job.check(item, performed(steps, item)) for item in job.items]
    job.close()
    return complaints


BY_ZSTD = ("blow5-zstd",) if ZSTD_DRIVER.installed else ()
