"""How children start: tied to the engine, light, and in a time that is no part of the trial's."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from one_trial import one_trial
from patience import PATIENCE

from core.measure import Cancel, Supervisor, find_dataset, run_trial
from core.measure.trial.child_handle import ChildProcess
from core.vocabulary import METRICS, PhaseChanged, ReadingTaken, Slot, Trial, TrialEnded, specify


def started(path: Path, opening: float, **load: object) -> tuple[Trial, float]:
    """A trial, and how long all of it took."""
    path.write_bytes(b"x" * 4096)
    chosen = {"opening": opening, "duration": 0.0, "warm_up": 0.0, **load}
    spec = specify("rigged_truths:SlowStart", find_dataset("raw", path), chosen)
    began = time.monotonic()
    trial = one_trial(spec)
    return trial, time.monotonic() - began


def test_that_what_a_workload_prepares_is_start_up_and_not_measured(tmp_path: Path) -> None:
    trial, whole = started(tmp_path / "some.bin", 1.5)
    assert 1.5 <= trial.start_up <= whole
    assert trial.start_up == METRICS["start_up"].of(trial)
    assert trial.elapsed is not None
    assert trial.elapsed + trial.start_up <= whole


def test_that_the_last_of_several_processes_counts(tmp_path: Path) -> None:
    trial, whole = started(tmp_path / "some.bin", 0.5, processes=2)
    assert 0.5 <= trial.start_up <= whole


def test_that_a_trial_that_never_began_has_no_start_up(tmp_path: Path) -> None:
    trial, _ = started(tmp_path / "some.bin", 60.0, deadline=1.0)
    assert not trial.operations
    assert trial.start_up == 0
    assert METRICS["start_up"].of(trial) is None


def test_that_what_its_processes_use_is_seen_from_their_start(tmp_path: Path) -> None:
    path = tmp_path / "some.bin"
    path.write_bytes(b"x" * 4096)
    chosen = {"opening": 0.5, "duration": 0.3, "warm_up": 0.0}
    spec = specify("rigged_truths:SlowStart", find_dataset("raw", path), chosen)
    events = list(run_trial(Slot(0, 0, spec), "a-run", Cancel()))
    phases = [event.phase if isinstance(event, PhaseChanged) else "" for event in events]
    measuring = phases.index("measuring")
    readings = [event.reading for event in events if isinstance(event, ReadingTaken)]
    assert not any(isinstance(event, ReadingTaken) for event in events[measuring:])
    assert len(readings) > 1
    assert readings[0].at < readings[-1].at
    assert all(one.rss > 0 for one in readings)
    assert readings[-1].cpu_user + readings[-1].cpu_system > 0
    (trial,) = (event.trial for event in events if isinstance(event, TrialEnded))
    assert trial.first is not None
    assert trial.first.at == 0
    assert all(one.operations for one in trial.moments), "they are no part of what was measured"


LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux sends the signal")
TIED = """
import os, signal, sys
from core.measure.machine.end_signals import tie
tie(os.getpgrp(), int(sys.argv[1]))
print("tied", flush=True)
signal.pause()
"""

LARGE = (
    "argparse",
    "asyncio",
    "click",
    "email",
    "hashlib",
    "importlib.metadata",
    "logging",
    "lzma",
    "multiprocessing",
    "numpy",
    "pkgutil",
    "psutil",
    "rich",
    "scipy",
    "sqlite3",
    "subprocess",
)
"""What every trial would wait for."""


@LINUX
def test_that_a_child_is_killed_once_the_engine_s_end_of_the_pipe_closes() -> None:
    life, ours_alone = os.pipe()
    command = [sys.executable, "-c", TIED, str(life)]
    with subprocess.Popen(
        command, pass_fds=(life,), stdout=subprocess.PIPE, start_new_session=True
    ) as child:
        os.close(life)
        assert child.stdout is not None
        assert child.stdout.readline() == b"tied\n"
        os.close(ours_alone)
        assert child.wait(PATIENCE) == -signal.SIGKILL


@LINUX
def test_that_a_child_that_starts_after_the_engine_s_death_does_nothing() -> None:
    life, ours_alone = os.pipe()
    os.close(ours_alone)
    # It would say what is wrong with its other descriptors if it came to look at them.
    command = [
        sys.executable,
        "-P",
        "-m",
        "core.measure.trial.bootstrap",
        f"--life={life}",
        "--hear=-1",
    ]
    done = subprocess.run(
        command, pass_fds=(life,), stderr=subprocess.PIPE, check=False, start_new_session=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    os.close(life)
    assert (done.returncode, done.stderr) == (-signal.SIGKILL, b"")


def test_that_a_child_imports_nothing_large_before_it_knows_its_work() -> None:
    looks = (
        f"import core.measure.trial.child_main, sys; print(*({{*sys.modules}} & {{*{LARGE!r}}}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", looks], capture_output=True, text=True, check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert not done.stdout.split()


def test_that_a_child_imports_no_folder_of_another_workload() -> None:
    looks = (
        "import sys; from core.vocabulary.registry import load_workload; load_workload('raw');"
        "print(*{name.split('.')[1] for name in sys.modules if name.startswith('workloads.')})"
    )
    done = subprocess.run(
        [sys.executable, "-c", looks], capture_output=True, text=True, check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert {*done.stdout.split()} == {"raw", "shared"}


def test_that_a_child_searches_where_its_parent_does_and_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path)
    for entry in ("__editable__.some.finder.__path_hook__", "/not/there", "there", ""):
        monkeypatch.setattr(sys, "path", [entry, *sys.path])
    started = []
    supervisor = Supervisor()

    def start(command: list[str], env: dict[str, str], **_: object) -> subprocess.Popen[bytes]:
        started.append(env["PYTHONPATH"].split(os.pathsep))
        raise OSError("not now")

    monkeypatch.setattr(subprocess, "Popen", start)
    with pytest.raises(OSError, match="not now"):
        ChildProcess.start(supervisor, 0)
    supervisor.close()
    (searched,) = started
    assert searched[:2] == [str(tmp_path), "there"]
    assert all(Path(entry).exists() for entry in searched)
