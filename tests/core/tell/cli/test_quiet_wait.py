"""Before measuring: what other programs take is said, or waited for."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from patience import PATIENCE

from core.desk import MachineState
from core.measure import LAB_KEEPER, OtherPrograms, WatchOthers, until_quiet
from core.measure.machine.busy_programs import _name, _processes
from core.tell.cli import main

LOOP = "print('.', flush=True)\nwhile True: pass"
SHORT_RUN = (
    "measure",
    "raw",
    "--duration",
    "0.05s",
    "--warm-up",
    "0s",
    "--repeats",
    "1",
    "--no-floor",
)


@contextmanager
def busy_loops() -> Iterator[None]:
    """As many as there are cores, from when all of them compute."""
    loops = [
        subprocess.Popen([sys.executable, "-c", LOOP], stdout=subprocess.PIPE)
        for _ in range(os.cpu_count() or 1)
    ]
    try:
        for loop in loops:
            assert loop.stdout is not None
            loop.stdout.readline()
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.communicate()


class Machine:
    """Looks of half a second each at a machine on which others take these shares in turn."""

    def __init__(self, *shares: float) -> None:
        self.now = 0.0
        self.said: list[tuple[float, float, float]] = []
        self._shares = list(shares)

    def look(self) -> OtherPrograms:
        self.now += 0.5
        share = self._shares.pop(0) if len(self._shares) > 1 else self._shares[0]
        return OtherPrograms(share=share, programs=(("gzip", share),))

    def wait(self, longest: float) -> OtherPrograms | None:
        return until_quiet(longest, self.say, self.look, lambda: self.now)

    def say(self, seen: OtherPrograms, waited: float, quiet: float) -> None:
        self.said.append((seen.share, waited, quiet))


@pytest.mark.quick
def test_that_a_quiet_machine_is_watched_for_three_seconds() -> None:
    machine = Machine(0.02)
    assert machine.wait(300.0) is None
    assert machine.now == 3.0


@pytest.mark.quick
def test_that_it_waits_until_others_are_quiet_and_stay_so() -> None:
    machine = Machine(0.9, 0.9, 0.05, 0.05, 0.5, 0.05)
    assert machine.wait(300.0) is None
    assert machine.now == 2.5 + 3.0
    assert machine.said[:4] == [
        (0.9, 0.5, 0.0), (0.9, 1.0, 0.0), (0.05, 1.5, 0.5), (0.05, 2.0, 1.0)
    ]  # fmt: skip


@pytest.mark.quick
def test_that_the_wait_ends_after_its_time_with_what_is_still_taken() -> None:
    machine = Machine(0.9)
    seen = machine.wait(20.0)
    assert seen is not None
    assert seen.share == 0.9
    assert machine.now == 20.0


@pytest.mark.quick
def test_that_a_machine_that_tells_nothing_is_not_waited_for() -> None:
    assert until_quiet(300.0, Machine(0.0).say, lambda: None) is None


def test_that_the_window_says_who_holds_it_up_and_when_it_begins_anyway() -> None:
    said: list[str] = []
    MachineState.until_quiet(lambda text, *_: said.append(text), longest=1.2)
    assert said
    for taken, waiting, quiet in (one.splitlines() for one in said):
        assert "In 0:0" in taken
        assert taken.endswith("it measures beside them.")
        assert waiting.startswith("waiting for 0:0")
        assert quiet.startswith("quiet for ")


HEED = """
from core.tell.cli.terminal_run import heed_others
from core.measure.machine.busy_programs import WatchOthers
assert WatchOthers().seen().busy
heed_others(WatchOthers(), 0.0)
heed_others(WatchOthers(), 0.5)
"""


def test_that_the_command_line_says_before_it_measures_that_others_want_the_cores() -> None:
    with busy_loops():  # which the program that heeds them has not started
        command = [sys.executable, "-c", HEED]
        heeding = subprocess.run(command, capture_output=True, text=True, check=True)
    before, waiting, still = heeding.stderr.splitlines()
    assert before.startswith("Other programs take ")
    assert "% of the cores: wait until quiet, or measure anyway. Most take: python" in before
    assert waiting == "waiting until other programs take less than 10 % of the cores …"
    assert "after 500 ms, most of it python" in still
    assert still.endswith("measuring anyway.")


def test_that_what_sluice_itself_has_started_is_no_other_program(tmp_path: Path) -> None:
    named = tmp_path / "own-loop"
    named.symlink_to("/bin/sh")
    watched = WatchOthers()
    loop = "echo; while :; do :; done"
    command = [named, "-c", f"({loop}); :"]  # its own child computes
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as started:
        assert started.stdout is not None
        started.stdout.readline()
        seen = watched.seen(0.3)
        os.killpg(started.pid, signal.SIGKILL)
    assert seen is not None
    assert "own-loop" not in seen.names


def test_that_servers_of_a_lab_are_named_as_such_whoever_started_it() -> None:
    keeper = ["sh", "-c", "sleep 60 & echo $!; wait", LAB_KEEPER]
    with subprocess.Popen(keeper, stdout=subprocess.PIPE, start_new_session=True) as started:
        assert started.stdout is not None
        server = int(started.stdout.readline())
        processes = dict(_processes())
        names = [_name(pid, processes) for pid in (server, started.pid, os.getppid())]
        os.killpg(started.pid, signal.SIGKILL)
    assert names[:2] == ["Sluice's lab servers"] * 2
    assert names[2] == processes[os.getppid()].name


def test_that_ctrl_c_while_it_waits_ends_with_130_and_leaves_nothing(tmp_path: Path) -> None:
    session = tmp_path / "a.sluice"
    run = [*SHORT_RUN, "--session", str(session), "--wait-quiet", "5min"]
    command = [sys.executable, "-m", "core", *run]
    with busy_loops():
        waiting = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert waiting.stderr is not None
        said = next((line for line in waiting.stderr if line.startswith("waiting until")), "")
        waiting.send_signal(signal.SIGINT)
        rest = waiting.communicate(timeout=PATIENCE)[1]
    assert said
    assert waiting.returncode == 130
    assert "Traceback" not in rest
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["measure raw", "study seqrepo-fd-cache", "resume"])
def test_that_the_commands_that_measure_can_wait(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command.split(), "--help"]) == 0
    assert "--wait-quiet TIME" in capsys.readouterr().out


def test_that_a_time_that_is_none_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SHORT_RUN, "--wait-quiet", "soon"]) == 2
    assert "--wait-quiet" in capsys.readouterr().err


def test_that_a_wait_on_this_machine_is_refused_where_a_cluster_measures(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([*SHORT_RUN, "--cluster", "spark://a:7077", "--wait-quiet", "1s"]) == 2
    assert "the nodes of the cluster do the measuring" in capsys.readouterr().err
