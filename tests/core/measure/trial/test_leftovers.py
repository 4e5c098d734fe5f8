"""What a trial may leave outside this machine is written down so that it is found again."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import msgspec
import psutil
import pytest

from core.lab.lab_folder import LabFolder, LabState, ServerState
from core.measure import READY, Leftover, leftovers, state_folder
from core.measure.machine.lab_records import lab_site
from core.measure.trial.leftovers import LeftoverEntry

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


def test_that_what_is_left_on_a_server_of_the_lab_goes_with_that_server(tmp_path: Path) -> None:
    lab = LabFolder(tmp_path / "lab")

    def write(*servers: ServerState) -> None:
        lab.write_state(LabState(keeper=1, socket=str(tmp_path / "none" / "s"), servers=servers))

    s3, proxy = (
        ServerState(
            name=name, title="", state=READY, address=at, site=f"{lab.sites}/{name}-x", options=of
        )
        for name, at, of in (
            ("s3", "s3://b?endpoint=http://127.0.0.1:7", {}),
            ("proxy", "127.0.0.1:8", {"of": "s3"}),
        )
    )
    with lab.kept():
        write(s3, proxy)
        sites = [
            lab_site(["s3://b?endpoint=http://127.0.0.1:7", 3], lab.folder),
            lab_site(["s3://b?endpoint=http://127.0.0.1:8"], lab.folder),
        ]
        assert sites == [s3.site, s3.site]
        assert lab_site(["s3://b?endpoint=http://127.0.0.1:9", "b"], lab.folder) == ""
        lefts = [msgspec.structs.replace(LEFTOVER, mark="a", lab_site=s3.site), LEFTOVER]
        for one in lefts:
            LeftoverEntry(one).close()
        assert sorted(leftovers(), key=lambda one: one.mark) == lefts
        write(proxy, msgspec.structs.replace(s3, site=str(lab.sites / "s3-y")))  # started anew
        assert leftovers() == (LEFTOVER,)
        write(s3)
        assert leftovers() == (LEFTOVER,)  # nobody asks twice
        LeftoverEntry(lefts[0]).close()
        assert len(leftovers()) == 2
    assert leftovers() == (LEFTOVER,)  # its keeper is gone


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
