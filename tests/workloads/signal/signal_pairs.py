"""Generated reads in both formats, as several tests want them in shapes of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from driving import performed

from core.catalog.dataset import Dataset
from core.catalog.local_datasets import make_dataset
from workloads.signal.signal_datasets import SignalShape
from workloads.signal.signal_parameters import ZSTD_DRIVER


def made_pair(
    factory: pytest.TempPathFactory, made: Callable[[str], Dataset], shape: SignalShape
) -> Path:
    """A folder with them, made with a cache of its own; skips where the drivers are missing."""
    made("signal")
    folder = factory.mktemp("pair")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLUICE_CACHE", str(folder / "cache"))
        return make_dataset("signal", shape, folder / "signal").path


def complaints_of(job: Any) -> list[str]:
    """What is wrong with every item of a job, which is closed."""
    complaints = []
    with job.worker(0) as steps:
        for item in job.items:
            value = item
            for step in steps:
                value = performed(step, value)
            complaints.append(job.check(item, value))
    job.close()
    return complaints


BY_ZSTD = ("blow5-zstd",) if ZSTD_DRIVER.installed else ()
