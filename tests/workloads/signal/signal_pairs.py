"""Generated reads in both formats, as several tests want them in shapes of their own."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalog.dataset import Dataset
from core.catalog.generate import make_dataset
from workloads.signal.signal_shapes import SignalShape


def made_pair(
    factory: pytest.TempPathFactory, made: Callable[[str], Dataset], shape: SignalShape
) -> Path:
    """A folder with them, made with a cache of its own; skips where the drivers are missing."""
    made("signal")
    folder = factory.mktemp("pair")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLUICE_CACHE", str(folder / "cache"))
        return make_dataset("signal", shape, folder / "signal").path
