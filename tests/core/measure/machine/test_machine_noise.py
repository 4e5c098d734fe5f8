"""What else a machine does is summed over the times in which a trial has the clock."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.measure.machine.machine_noise import MachineCounters, NoiseMeter, look_at_machine
from core.vocabulary import MachineNoise

pytestmark = pytest.mark.quick

STAT = """cpu  1000 200 300 9000 50 7 8 40 500 0
cpu0 500 100 150 4500 25 3 4 20 250 0
cpu1 500 100 150 4500 25 4 4 20 250 0
intr 12345 0 0
ctxt 99
"""


def planted(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_that_the_machine_s_time_is_that_of_processes_without_interrupts(tmp_path: Path) -> None:
    found = look_at_machine(planted(tmp_path, {"proc/stat": STAT}))
    assert (found.cores, found.busy, found.steal) == (2, 15.0, 0.4)
    assert found.throttles is found.throttled is None


def test_that_throttling_is_that_of_all_control_groups_around_the_process(tmp_path: Path) -> None:
    files = {
        "proc/stat": STAT,
        "proc/self/cgroup": "0::/user/job\n",
        "sys/fs/cgroup/user/job/cpu.stat": "nr_periods 9\nnr_throttled 2\nthrottled_usec 500000\n",
        "sys/fs/cgroup/user/cpu.stat": "nr_periods 9\nnr_throttled 1\nthrottled_usec 250000\n",
    }
    found = look_at_machine(planted(tmp_path, files))
    assert (found.throttles, found.throttled) == (3, 0.75)


def test_that_throttling_is_found_in_control_groups_of_version_1(tmp_path: Path) -> None:
    files = {
        "proc/stat": STAT,
        "proc/self/cgroup": "3:cpu,cpuacct:/job\n",
        "sys/fs/cgroup/cpu/job/cpu.stat": "nr_throttled 4\nthrottled_time 1500000000\n",
    }
    found = look_at_machine(planted(tmp_path, files))
    assert (found.throttles, found.throttled) == (4, 1.5)


def test_that_a_machine_without_proc_is_looked_at_otherwise(tmp_path: Path) -> None:
    found = look_at_machine(tmp_path)
    assert found.cores >= 1
    assert found.busy
    assert found.steal is None


def test_that_heat_is_counted_from_the_first_look_to_the_last(tmp_path: Path) -> None:
    name = "sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count"
    root = planted(tmp_path, {name: "5\n"})
    meter = NoiseMeter(lambda: MachineCounters(at=0.0, cores=1), root=root)
    meter.begin(0.0)
    planted(tmp_path, {name: "8\n"})
    meter.end(0.0)
    noise = meter.noise()
    assert noise is not None
    assert noise.overheated == 3


amounts = st.integers(0, 10**6).map(lambda thousandths: thousandths / 1000)


@given(st.lists(st.tuples(amounts, amounts, amounts, amounts, amounts), min_size=1, max_size=20))
def test_that_only_what_happens_in_its_turns_counts_and_not_its_own_work(
    turns: list[tuple[float, float, float, float, float]],
) -> None:
    """Between two turns the whole machine is busy with others, which does not count."""
    at = busy = own = sluice = stolen = 0.0
    meter = NoiseMeter(
        lambda: MachineCounters(at=at, cores=4, busy=busy, steal=stolen, throttles=0),
        lambda: sluice,
    )
    for seconds, others, mine, ours, steal in turns:
        meter.begin(own)
        at, own, sluice, stolen = at + seconds, own + mine, sluice + ours, stolen + steal
        busy += others + mine + ours
        meter.end(own)
        at, busy, stolen, sluice = at + 1000, busy + 4000, stolen + 5, sluice + 7
    noise = meter.noise()
    assert noise is not None
    seconds, others, _, _, steal = (sum(column) for column in zip(*turns, strict=True))
    assert noise.seconds == pytest.approx(seconds, abs=1e-6)
    assert noise.others == pytest.approx(others, abs=1e-6)
    assert noise.steal == pytest.approx(steal, abs=1e-6)
    assert noise.own == pytest.approx(sum(mine for _, _, mine, _, _ in turns), abs=1e-6)
    assert noise.throttles == 0
    assert noise.throttled is None
    share = noise.others_share
    assert (share is None) == (seconds == 0)
    assert share is None or 0 <= share <= 1


def test_that_a_turn_without_an_end_counts_as_if_it_had_not_been() -> None:
    moments: Iterator[float] = iter([0.0, 1.0, 5.0])
    meter = NoiseMeter(lambda: MachineCounters(at=next(moments), cores=1, busy=0.0), lambda: 0.0)
    assert meter.noise() is None
    meter.end(0.0)
    assert meter.noise() is None
    meter.begin(0.0)
    meter.end(0.0)
    meter.begin(0.0)
    noise = meter.noise()
    assert noise is not None
    assert noise.seconds == 1.0


@pytest.mark.parametrize("own", [None, -1.0])
def test_that_others_are_unknown_where_the_trial_s_own_time_is(own: float | None) -> None:
    meter = NoiseMeter(lambda: MachineCounters(at=0.0, cores=1, busy=1.0, steal=0.0), lambda: 0.0)
    meter.begin(0.0)
    meter.end(own)
    noise = meter.noise()
    assert noise is not None
    assert noise.others is None
    assert noise.others_share is None
    assert noise.steal == 0.0


def test_that_counters_that_begin_anew_count_nothing() -> None:
    """As where the controller of a control group is switched off meanwhile."""
    counters = [(105, 3.0), (5, 0.2)]
    looks = iter(
        MachineCounters(at=at, cores=2, busy=at, steal=0.0, throttles=throttles, throttled=seconds)
        for at, (throttles, seconds) in enumerate(counters)
    )
    meter = NoiseMeter(lambda: next(looks), lambda: 0.0)
    meter.begin(0.0)
    meter.end(0.5)
    noise = meter.noise()
    assert noise is not None
    assert (noise.throttles, noise.throttled) == (0, 0.0)
    assert msgspec.json.decode(msgspec.json.encode(noise), type=MachineNoise) == noise


@pytest.mark.parametrize("lost", [0, 50, 99])
@pytest.mark.parametrize("unknown", [None, -1.0])
def test_that_a_turn_in_which_a_process_of_the_trial_ends_counts_as_the_others(
    lost: int, unknown: float | None
) -> None:
    at = own = 0.0
    meter = NoiseMeter(
        lambda: MachineCounters(at=at, cores=2, busy=1.5 * at, steal=0.0), lambda: 0.0
    )
    for turn in range(100):
        meter.begin(own)
        at, own = at + 0.1, own + 0.09
        meter.end(unknown if turn == lost else own)
    noise = meter.noise()
    assert noise is not None
    assert noise.seconds == pytest.approx(10.0)
    assert noise.own == pytest.approx(9.0)
    assert noise.others == pytest.approx(6.0)
    assert noise.others_share == pytest.approx(0.3)


def test_that_shares_are_of_all_cores() -> None:
    noise = MachineNoise(seconds=2.0, cores=4, others=2.0, steal=0.4, throttled=0.8)
    assert noise.others_share == 0.25
    assert noise.steal_share == pytest.approx(0.05)
    assert noise.throttled_share == pytest.approx(0.1)
