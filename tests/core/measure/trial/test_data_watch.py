"""Data that changes while it is measured is no result, and what changed is said."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from patience import PATIENCE

from core.measure import Cancel, run_trial
from core.measure.plain_reads import forget_files
from core.measure.trial import data_watch
from core.measure.trial.data_watch import DataWatch
from core.vocabulary import (
    Completed,
    Failed,
    PhaseChanged,
    Slot,
    Trial,
    TrialEnded,
    registry,
    specify,
)

SIZE = 4096

type Act = Callable[[Path], object]


def append(file: Path) -> None:
    with file.open("ab") as opened:
        opened.write(bytes(SIZE))


def replace(file: Path) -> None:
    other = file.with_suffix(".new")
    other.write_bytes(bytes(SIZE + 1))
    other.replace(file)


def rewrite(file: Path) -> None:
    """The same size, and another time, however coarse the clock of the file system is."""
    file.write_bytes(bytes(SIZE))
    later(file)


def later(file: Path) -> None:
    status = file.stat()
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns + 5 * 10**9))


def copy_over(file: Path) -> None:
    """What `rsync -t` does: another inode with the same data and the same time."""
    other = file.with_suffix(".new")
    shutil.copy2(file, other)
    other.replace(file)


def replace_unseen(file: Path) -> None:
    other, status = file.with_suffix(".new"), file.stat()
    other.write_bytes(b"x" * SIZE)
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.replace(file)


def retarget(file: Path) -> None:
    link = file.with_name("b.bin")
    link.unlink()
    link.symlink_to(file.with_name("c.bin"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "a.bin").write_bytes(os.fsencode("a") * SIZE)
    (folder / "c.bin").write_bytes(bytes(2 * SIZE))
    (folder / "b.bin").symlink_to(folder / "a.bin")
    (folder / "a.bin.fai").write_bytes(b"index")
    return folder


def watch_of(path: Path, run_id: str) -> DataWatch:
    watch = DataWatch(specify("raw", registry.open_dataset(path), {}), run_id)
    watch.begin(placed=True)
    return watch


@pytest.mark.quick
@pytest.mark.parametrize(
    ("act", "said"),
    [
        (append, "was appended to while it was measured: 4,096 B before, 8,192 B after"),
        (lambda file: os.truncate(file, 100), "was cut short while it was measured: 4,096 B before, 100 B after"),
        (Path.unlink, "was deleted while it was measured"),
        (replace, "was replaced while it was measured: 4,096 B before, 4,097 B after"),
        (replace_unseen, "was replaced while it was measured: 4,096 B before, 4,096 B after"),
        (rewrite, "was written to while it was measured; its size is still 4,096 B"),
    ],
    ids=["append", "truncate", "delete", "replace", "replace unseen", "rewrite"],
)  # fmt: skip
def test_that_it_is_said_which_file_changed_and_how(folder: Path, act: Act, said: str) -> None:
    watch = watch_of(folder / "a.bin", str(folder))
    act(folder / "a.bin")
    assert watch.change() == f"a.bin {said} (measure a copy that nobody writes to)"


@pytest.mark.quick
def test_that_several_files_are_counted_and_a_link_is_what_it_leads_to(folder: Path) -> None:
    watch = watch_of(folder, str(folder))
    append(folder / "a.bin")
    assert "a.bin was appended to" in watch.change()
    assert "; 1 more file changed" in watch.change()
    link = watch_of(folder, f"{folder} again")
    retarget(folder / "a.bin")
    assert "b.bin was replaced while it was measured: 8,192 B" in link.change()


@pytest.mark.quick
@pytest.mark.parametrize(
    "act",
    [
        Path.read_bytes,
        lambda file: file.chmod(0o600),
        copy_over,
        lambda file: file.with_name("a.bin.gzi").write_bytes(b"x"),
        lambda file: file.with_name("a.bin.fai").write_bytes(b"another index"),
        lambda file: file.with_name("a.bin.fai").unlink(),
    ],
    ids=["read", "chmod", "same data", "new index", "index anew", "index gone"],
)
def test_that_what_leaves_the_data_as_it_is_is_no_change(folder: Path, act: Act) -> None:
    watch = watch_of(folder, str(folder))
    act(folder / "a.bin")
    assert watch.change() == ""


@pytest.mark.quick
def test_that_a_change_between_two_trials_of_a_run_counts_and_one_between_runs_does_not(
    folder: Path,
) -> None:
    watch_of(folder, str(folder))
    append(folder / "c.bin")
    assert "c.bin was appended to" in watch_of(folder, str(folder)).change()
    assert watch_of(folder, f"{folder} again").change() == ""


@pytest.mark.quick
def test_that_of_very_many_files_a_part_is_looked_at_and_the_next_trial_goes_on_from_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_watch, "_LEAST", 0.0)
    monkeypatch.setattr(data_watch, "_SHARE", 0.0)
    monkeypatch.setattr(data_watch, "_BETWEEN_CLOCKS", 2)
    forget_files()
    watch = watch_of(folder, str(folder))
    append(folder / "c.bin")
    assert watch.change() == ""
    assert watch.partial
    assert "c.bin was appended to" in watch_of(folder, str(folder)).change()


def measured(path: Path, act: Act, workload: str = "raw") -> Trial:
    """What became of a trial whose data is changed as soon as its clock runs."""
    load = {"duration": 0.2, "warm_up": 0.0, "stall": PATIENCE, "deadline": 2 * PATIENCE}
    slot = Slot(0, 0, specify(workload, registry.open_dataset(path), load))
    for event in run_trial(slot, str(path), Cancel()):
        if isinstance(event, PhaseChanged) and event.phase == "measuring":
            act(path)
        if isinstance(event, TrialEnded):
            return event.trial
    raise AssertionError


@pytest.mark.parametrize("act", [append, Path.unlink], ids=["append", "delete"])
def test_that_a_trial_whose_data_changed_is_no_result_and_keeps_its_figures(
    tmp_path: Path, act: Act
) -> None:
    file = tmp_path / "reads.bin"
    file.write_bytes(bytes(1 << 20))
    trial = measured(file, act)
    assert isinstance(trial.outcome, Failed)
    assert "reads.bin was" in trial.outcome.message
    assert trial.throughput is None
    assert trial.operations > 0


def test_that_a_trial_whose_data_is_only_read_is_a_result(tmp_path: Path) -> None:
    file = tmp_path / "reads.bin"
    file.write_bytes(bytes(1 << 20))
    trial = measured(file, lambda path: path.chmod(0o600))
    assert (trial.outcome, trial.valid) == (Completed(), True)
