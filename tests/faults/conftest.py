"""Where rigged trials run."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from leftovers import nothing_left_of_it
from running import Rig, carried_out

from core.vocabulary import AnyFiles, Dataset


@pytest.fixture(scope="session", autouse=True)
def program() -> Iterator[None]:
    """Have the packaged Sluice that SLUICE_PROGRAM names be what starts runs and their children."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "executable", os.environ.get("SLUICE_PROGRAM", sys.executable))
        yield


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    path = tmp_path_factory.mktemp("data") / "some.bin"
    path.write_bytes(bytes(range(256)) * 256)
    return AnyFiles().open(path)


@pytest.fixture(scope="session")
def pace(data: Dataset, program: None, tmp_path_factory: pytest.TempPathFactory) -> float:
    """Seconds that a trial takes here; where limits begin."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLUICE_CACHE", str(tmp_path_factory.mktemp("cache")))
        begun = time.monotonic()
        carried_out(Rig(data).slot())
        return time.monotonic() - begun


@pytest.fixture
def rig(data: Dataset, pace: float, tmp_path: Path) -> Iterator[Rig]:
    """Makes and runs rigged trials; afterwards nothing of them may be left."""
    with nothing_left_of_it(tmp_path):
        yield Rig(data, pace)
