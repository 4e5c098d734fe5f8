"""A right figure is kept, whatever the machine is like that it was measured on."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import rigged_cpu
from one_trial import one_pass, one_trial

from core.measure import find_dataset, of_holes
from core.measure.machine import processor
from core.run import Session
from core.vocabulary import Completed, Trial, specify

BAD_COPIES = Path(__file__).parents[3] / "bad_copies"
GROUPS = Path("/sys/fs/cgroup")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "data.bin"
    file.write_bytes(random.Random(1).randbytes(8 << 20))
    return file


def measured(data: Path, *before: str, **environment: str) -> Sequence[Trial]:
    """Trials of `measure raw`, by a command line in another process."""
    session = data.with_suffix(".sluice")
    options = ("threads=1,16", "block_size=64KiB,1MiB", "--repeats", "1", "--duration", "0.4")
    command = [sys.executable, "-m", "core", "measure", "raw", *options, "--warm-up", "0.1"]
    subprocess.run(
        [*before, *command, "--dataset", str(data), "--session", str(session)],
        check=True,
        env=os.environ | environment,
    )
    with Session.read(session) as opened:
        return [trial for run in opened.runs() for trial in opened.trials(run.id)]


def lost(trials: Sequence[Trial]) -> list[str]:
    """What is said of those that have no throughput, or are doubted."""
    return [f"{one.outcome} {one.doubt}" for one in trials if one.doubt or not one.throughput]


def test_that_a_machine_that_copies_badly_keeps_what_it_reads(data: Path) -> None:
    trials = measured(data, PYTHONPATH=str(BAD_COPIES))
    assert len(trials) == 4
    assert lost(trials) == []


def test_that_cpu_seconds_are_held_against_cores_and_no_quota(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processor, "quota_cores", lambda root: 0.01)
    load = {"threads": 2, "duration": 0.2, "warm_up": 0.0, "block_size": 65_536}
    trial = one_trial(specify("raw", find_dataset("raw", data), load))
    assert processor.usable_cores() == 0.01 < trial.cores_in_windows
    assert trial.outcome == Completed()
    assert lost([trial]) == []


@pytest.fixture
def rationed() -> Iterator[Path]:
    """A control group of half a core, which is dealt out once a second."""
    folder = GROUPS / ("cpu" if (GROUPS / "cpu").is_dir() else "") / f"sluice-test-{os.getpid()}"
    try:
        folder.mkdir()
        if (folder / "cpu.max").exists():
            (folder / "cpu.max").write_text("500000 1000000")
        else:
            (folder / "cpu.cfs_period_us").write_text("1000000")
            (folder / "cpu.cfs_quota_us").write_text("500000")
    except OSError as error:
        pytest.skip(f"no control group can be made here: {error}")
    yield folder
    folder.rmdir()


def test_that_a_quota_of_long_periods_loses_nothing(rationed: Path, data: Path) -> None:
    join = f'echo $$ > {rationed / "cgroup.procs"} && exec "$@"'
    trials = measured(data, "sh", "-c", join, "sh")
    assert len(trials) == 4
    assert lost(trials) == []


@pytest.mark.parametrize(
    ("processes", "threads", "checking"),
    [(1, 1, "later"), (1, 1, "between"), (2, 1, "later"), (2, 1, "again"), (1, 4, "between")],
)
def test_that_cpu_time_is_that_of_the_operations_whoever_verifies_when(
    data: Path, processes: int, threads: int, checking: str
) -> None:
    """Also what threads of libraries take, and nothing of what verification does."""
    values = {"checking": checking, "processes": processes, "threads": threads}
    dataset = find_dataset("raw", data)
    trial = one_pass("rigged_cpu:Computing", dataset, **values)
    assert trial.outcome == Completed()
    assert trial.process_cpu is not None
    assert trial.cores_used is not None
    used, workers = trial.process_cpu, processes * threads
    takes = trial.operations * rigged_cpu.EACH / 1e9
    assert takes <= used <= 1.1 * takes + 0.02 * workers
    assert 0 < trial.cores_used <= processor.usable_cores() * 1.01
    assert (trial.cpu_seconds or 0.0) == pytest.approx(takes / 2, rel=0.1, abs=0.02 * workers)


@pytest.mark.parametrize(("processes", "threads"), [(1, 1), (1, 2), (2, 1)])
def test_that_cold_is_cold_to_the_end_as_nothing_is_read_twice(
    data: Path, processes: int, threads: int
) -> None:
    values = {"page_cache": "cold", "duration": 60.0, "block_size": 65_536, "warm_up": 0.0}
    workers = {"processes": processes, "threads": threads}
    trial = one_trial(specify("raw", find_dataset("raw", data), values | workers))
    assert trial.outcome == Completed()
    assert trial.total(lambda worker: worker.bytes) == data.stat().st_size
    assert trial.throughput


def test_that_a_cold_read_of_holes_is_doubted_and_said_before(
    tmp_path: Path,
) -> None:
    hole = tmp_path / "hole.bin"
    with hole.open("wb") as file:
        file.truncate(4 << 20)
    if hole.stat().st_blocks:
        pytest.skip("the file system stores holes")
    values = {"page_cache": "cold", "duration": 0.0, "warm_up": 0.0}
    specs = [specify("raw", find_dataset("raw", hole), values)]
    trial = one_trial(specs[0])
    assert trial.throughput
    assert "on no disk" in trial.doubt
    assert ["on no disk" in said for said in of_holes(specs)] == [True]
    assert of_holes([specify("raw", find_dataset("raw", hole), {})]) == ()
