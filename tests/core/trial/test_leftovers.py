"""What a trial may leave outside this machine is written down so that it is found again."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import msgspec
import psutil
import pytest

from core.host.folders import state_folder
from core.trial.leftovers import Leftover, LeftoverEntry, leftovers

pytestmark = pytest.mark.quick

LEFTOVER = Leftover(
    mark="sluice-0-0",
    workload="raw",
    parameters={"address": "s3://bucket"},
    address="s3://bucket",
    started=1.0,
)


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path))
    return state_folder()


def test_that_an_entry_is_found_once_its_trial_is_over_and_gone_once_all_is_removed() -> None:
    entry = LeftoverEntry(LEFTOVER)
    assert leftovers() == ()  # it is that of a trial that runs
    entry.close()
    assert leftovers() == (LEFTOVER,)
    entry.remove()
    entry.remove()
    assert leftovers() == ()


def test_that_an_entry_and_then_its_name_are_on_the_disk_before_a_trial_begins(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power failure takes what the disk was not told to keep."""
    folder = state / "leftovers"
    kept: list[tuple[bool, str, bytes]] = []
    fsync = os.fsync

    def noted(descriptor: int) -> None:
        fsync(descriptor)
        (file,) = folder.iterdir()
        of_folder = os.path.samestat(os.fstat(descriptor), folder.stat())
        kept.append((of_folder, file.name, file.read_bytes()))

    monkeypatch.setattr(os, "fsync", noted)
    LeftoverEntry(LEFTOVER).close()
    (content, _, text), (names, name, _) = kept
    assert (content, msgspec.json.decode(text, type=Leftover)) == (False, LEFTOVER)
    assert (names, name) == (True, "sluice-0-0.json")


def test_that_an_entry_that_the_disk_refuses_leaves_nothing(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(descriptor: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", refuse)
    before = psutil.Process().num_fds()
    with pytest.raises(OSError, match="Input/output error"):
        LeftoverEntry(LEFTOVER)
    assert list((state / "leftovers").iterdir()) == []
    assert psutil.Process().num_fds() == before
