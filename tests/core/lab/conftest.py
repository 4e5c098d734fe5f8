"""A lab of the test's own, of which nothing is left behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from patience import PATIENCE
from rigged_servers import HERE, rigged_processes

from core.lab.lab_client import Lab, throw_away_lab
from core.language import sanitise


@pytest.fixture(autouse=True)
def forgotten_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """What these tests reveal, later ones do not know."""
    monkeypatch.setattr(sanitise, "_REMEMBERED", {})


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    """A lab that knows the rigged servers."""
    monkeypatch.syspath_prepend(HERE)
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SLUICE_LAB", str(tmp_path / "lab"))
    with throw_away_lab(tmp_path / "lab") as lab:
        yield lab
    psutil.wait_procs(rigged_processes(), timeout=PATIENCE)
    assert rigged_processes() == []
