"""The lab's servers that a trial asks are part of what is measured, and no disturbance."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from patience import PATIENCE

from core.measure.machine.lab_records import ServersClock
from core.measure.machine.machine_noise import MachineCounters, NoiseMeter

KEEPER = "import subprocess, sys; subprocess.run(sys.argv[1:])"


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Path]:
    """The folder of a lab whose keeper has one busy child."""
    keeper = subprocess.Popen(
        [sys.executable, "-c", KEEPER, sys.executable, "-c", "while True: pass"],
        start_new_session=True,
    )
    servers = [
        {"name": "s3", "address": "s3://bucket?endpoint=http://127.0.0.1:4242"},
        {"name": "hdfs", "address": "hdfs://127.0.0.1:4343/sluice"},
        {"name": "spark", "address": ""},
    ]
    state = {"keeper": keeper.pid, "servers": servers}
    (tmp_path / "state.json").write_text(json.dumps(state))
    try:
        yield tmp_path
    finally:
        # Its whole group: a child that it starts at this moment would stay, busy, for ever.
        os.killpg(keeper.pid, signal.SIGKILL)
        keeper.wait()


def until_busy(folder: Path, *values: object) -> ServersClock:
    """A clock that has seen the child."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        clock = ServersClock(values, folder)
        if len(clock()) == 2:
            return clock
    raise AssertionError("the keeper has no child")


@pytest.mark.parametrize(
    "address",
    ["s3://other/prefix?endpoint=http://127.0.0.1:4242", "hdfs://127.0.0.1:4343/elsewhere"],
)
def test_that_the_time_of_servers_and_what_they_start_is_told_where_one_is_asked(
    lab: Path, address: str
) -> None:
    clock = until_busy(lab, 7, "word", address)
    before = sum(clock().values())
    until = time.monotonic() + PATIENCE
    while sum(clock().values()) < before + 0.05:
        assert time.monotonic() < until


@pytest.mark.parametrize(
    "values", [(), ("s3://bucket",), ("hdfs://127.0.0.1:4344/sluice", True), ("http://[", "")]
)
def test_that_servers_that_are_not_asked_are_others(lab: Path, values: tuple[object, ...]) -> None:
    assert not ServersClock(values, lab)


@pytest.mark.parametrize("state", [None, "{", "{}", '{"keeper": "x", "servers": []}'])
def test_that_a_lab_that_cannot_be_read_has_no_servers(tmp_path: Path, state: str | None) -> None:
    if state is not None:
        (tmp_path / "state.json").write_text(state)
    assert not ServersClock(["hdfs://127.0.0.1:4343/x"], tmp_path)


def test_that_a_server_s_time_is_not_that_of_others_but_part_of_what_was_wanted() -> None:
    looks = count()

    def machine() -> MachineCounters:
        at = next(looks)
        return MachineCounters(at=float(at), cores=2, busy=10.0 * at, steal=2.5 * at)

    served = iter([{1: 1.0, 2: 5.0}, {1: 4.0}])  # the second has died
    meter = NoiseMeter(machine, sluice=lambda: 0.0, servers=lambda: next(served))
    meter.begin(0.0)
    assert meter.end(4.0).stolen == 2.5 / 12.5
    noise = meter.noise()
    assert noise is not None
    assert (noise.own, noise.servers, noise.others) == (4.0, 3.0, 3.0)
    assert noise.stolen_share == 2.5 / 12.5
