"""Processes are looked at from outside: what is seen, and what happens when they end."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.measure import GUARD, Sampler
from core.measure.machine.observed_process import open_linux_process, open_psutil_process
from core.measure.machine.readings import Process, ProcessSample, ProcessTotals
from core.measure.machine.sampler import CREDIT_SECONDS, OpenProcess, SamplingBudget
from core.vocabulary import Reading

if sys.platform == "linux":
    PLATFORMS = [open_linux_process, open_psutil_process]
else:
    PLATFORMS = [open_psutil_process]

# Each line is an expression; its value is printed when it has been computed.
OBEDIENT = """
import os, subprocess, sys, threading
kept = []
def last_grandchild():
    return next(value for value in reversed(kept) if hasattr(value, "communicate"))
def end(process):
    process.kill()
    process.communicate()
for line in sys.stdin:
    kept.append(eval(line))
    print(kept[-1], flush=True)
"""
START_GRANDCHILD = (
    "subprocess.Popen([sys.executable, '-c', 'import sys; sys.stdin.read()'],"
    " stdin=subprocess.PIPE)"
)


class Child:
    """A real process that does what it is told."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.pid = process.pid

    def do(self, expression: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(expression + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()

    def kill(self) -> None:
        self._process.kill()

    def wait(self) -> None:
        self._process.wait()


@pytest.fixture
def start() -> Iterator[Callable[[], Child]]:
    started: list[subprocess.Popen[str]] = []

    def start_child() -> Child:
        process = subprocess.Popen(
            [sys.executable, "-c", OBEDIENT],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        child = Child(process)
        child.do("None")
        return child

    yield start_child
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def child(start: Callable[[], Child]) -> Child:
    return start()


def read(sampler: Sampler, at: float = 0.0, *, complete: bool = True) -> Reading:
    reading = sampler.read(at, complete)
    assert reading is not None
    return reading


@pytest.mark.parametrize("open_process", PLATFORMS)
class TestOnEveryPlatform:
    def test_that_memory_a_child_fills_is_seen(
        self, child: Child, open_process: OpenProcess
    ) -> None:
        with Sampler([child.pid], [], open_process=open_process) as sampler:
            before = read(sampler)
            child.do("len(kept.append(bytearray(b'x') * 64_000_000) or kept)")
            assert read(sampler).rss - before.rss > 60_000_000

    def test_that_cpu_time_a_child_burns_is_seen(
        self, child: Child, open_process: OpenProcess
    ) -> None:
        with Sampler([child.pid], [], open_process=open_process) as sampler:
            before = read(sampler)
            burnt = float(child.do("sum(i * i for i in range(3_000_000)) and os.times().user"))
            after = read(sampler)
            assert before.cpu_user < after.cpu_user
            assert after.cpu_user == pytest.approx(burnt, abs=0.05)

    def test_that_open_files_in_the_dataset_are_told_from_others(
        self, child: Child, tmp_path: Path, open_process: OpenProcess
    ) -> None:
        dataset, other = tmp_path / "data", tmp_path / "data-of-another"
        for folder in (dataset, other):
            folder.mkdir()
            (folder / "file").write_bytes(b"x")
        with Sampler([child.pid], [dataset], open_process=open_process) as sampler:
            before = read(sampler)
            child.do(f"[open({str(dataset / 'file')!r}) for _ in range(5)]")
            child.do(f"[open({str(other / 'file')!r}) for _ in range(3)]")
            after = read(sampler)
        assert before.dataset_fds == 0
        assert after.dataset_fds == 5
        assert before.fds is not None
        assert after.fds == before.fds + 8

    def test_that_a_grandchild_is_counted_while_it_lives(
        self, child: Child, open_process: OpenProcess
    ) -> None:
        with Sampler([child.pid], [], open_process=open_process) as sampler:
            assert read(sampler).processes == 1
            child.do(START_GRANDCHILD)
            assert read(sampler).processes == 2
            child.do("end(last_grandchild())")
            assert read(sampler).processes == 1

    @pytest.mark.skipif(not hasattr(os, "waitid"), reason="cannot wait without collecting")
    def test_that_a_child_that_ended_and_waits_to_be_collected_is_gone(
        self, child: Child, open_process: OpenProcess
    ) -> None:
        with Sampler([child.pid], [], open_process=open_process) as sampler:
            read(sampler)
            child.kill()
            os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
            assert sampler.read(1.0, True) is None

    def test_that_a_child_that_was_collected_is_gone(
        self, child: Child, open_process: OpenProcess
    ) -> None:
        with Sampler([child.pid], [], open_process=open_process) as sampler:
            read(sampler)
            child.kill()
            child.wait()
            assert sampler.read(1.0, True) is None

    def test_that_threads_and_context_switches_are_counted(
        self, child: Child, open_process: OpenProcess
    ) -> None:
        with Sampler([child.pid], [], open_process=open_process) as sampler:
            before = read(sampler)
            child.do(
                "[threading.Thread(target=threading.Event().wait, daemon=True).start()"
                " for _ in range(3)]"
            )
            after = read(sampler)
        assert after.threads == before.threads + 3
        assert before.switches_voluntary is not None
        assert after.switches_voluntary is not None
        assert after.switches_voluntary > before.switches_voluntary


def test_that_two_children_are_summed(start: Callable[[], Child]) -> None:
    one, two = start(), start()
    with Sampler([one.pid, two.pid], []) as both, Sampler([one.pid], []) as single:
        assert read(both).processes == 2
        assert read(both).rss > 1.5 * read(single).rss


@pytest.mark.skipif(sys.platform != "linux", reason="only /proc tells the stamps of others")
def test_that_what_is_sluice_s_own_beside_a_child_is_none_of_it(child: Child) -> None:
    child.do(START_GRANDCHILD.removesuffix(")") + f", env={dict(GUARD)})")
    guard = int(child.do("last_grandchild().pid"))
    with Sampler([child.pid], []) as sampler:
        assert read(sampler).processes == 1
        assert sampler.cpu_of_guards().keys() == {guard}
    child.do("end(last_grandchild())")


def test_that_the_peak_of_an_ended_process_is_kept(start: Callable[[], Child]) -> None:
    one, two = start(), start()
    with Sampler([one.pid, two.pid], []) as sampler:
        both = read(sampler)
        two.kill()
        two.wait()
        left = read(sampler)
    assert left.processes == 1
    assert left.rss < both.rss
    assert left.peak_rss is None or (both.peak_rss or 0) <= left.peak_rss


def test_that_what_only_grows_is_looked_at_less_often_than_memory(child: Child) -> None:
    with Sampler([child.pid], []) as sampler:
        readings = [read(sampler, index / 10, complete=False) for index in range(20)]
        last = read(sampler, 1.9)
    assert all(reading.rss for reading in readings)
    known = {
        name: [getattr(reading, name) is not None for reading in (*readings, last)]
        for name in ("switches_voluntary", *(["read_calls"] if sys.platform == "linux" else []))
    }
    assert set(map(tuple, known.values())) == {(True, *[False] * 19, True)}


def rigged_process(peak: int, *resident: int | None, children: tuple[int, ...] = ()) -> Mock:
    """One of that peak, with so much in memory at each look; None once it has ended."""
    process = Mock(spec=Process)
    process.children.return_value = children
    process.count_fds.return_value = 3
    process.count_switches.return_value = None
    process.total.return_value = ProcessTotals(peak_rss=peak)
    process.sample.side_effect = [
        None if rss is None else ProcessSample(rss=rss, threads=1, cpu_user=0.0, cpu_system=0.0)
        for rss in resident
    ]
    return process


def test_that_the_peak_of_an_ended_process_is_kept_when_another_gets_its_pid() -> None:
    opened = {
        1: iter([rigged_process(10, 1, 1, 1, children=(7,))]),
        7: iter([rigged_process(5, 1, None), rigged_process(6, 1)]),
    }
    with Sampler([1], [], open_process=lambda pid: next(opened[pid])) as sampler:
        assert [read(sampler, at).peak_rss for at in (0.0, 0.1, 0.2)] == [15, 15, 21]


def test_that_memory_seen_between_two_looks_at_the_peaks_counts() -> None:
    process = rigged_process(5, 4, 7, 6)
    with Sampler([1], [], open_process=lambda _: process) as sampler:
        readings = [read(sampler, at, complete=False) for at in (0.0, 0.1, 0.2)]
    assert [reading.peak_rss for reading in readings] == [5, 7, 7]


def test_that_a_pid_that_never_was_gives_no_reading() -> None:
    with Sampler([2**22 + 1], []) as sampler:
        assert sampler.read(0.0) is None


def test_that_dying_at_any_moment_never_raises(start: Callable[[], Child]) -> None:
    for _ in range(10):
        child = start()
        with Sampler([child.pid], [Path.cwd()]) as sampler:
            read(sampler)
            child.do("[threading.Timer(0.002, os.kill, (os.getpid(), 9)).start()]")
            at = 0.0
            while sampler.read(at, True) is not None:
                sampler.proportional()
                at += 0.1
            assert not sampler.proportional()
        child.wait()


def test_that_every_child_killed_before_being_watched_is_skipped(child: Child) -> None:
    child.kill()
    child.wait()
    with Sampler([child.pid], []) as sampler:
        assert sampler.read(0.0, True) is None


def test_that_no_descriptor_is_left_open(child: Child) -> None:
    before = os.listdir("/proc/self/fd") if sys.platform == "linux" else []
    with Sampler([child.pid], [Path.cwd()]) as sampler:
        read(sampler)
    assert len(os.listdir("/proc/self/fd") if before else []) == len(before)


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
class TestLinux:
    def test_that_peak_memory_outlives_the_memory(self, child: Child) -> None:
        with Sampler([child.pid], []) as sampler:
            before = read(sampler)
            child.do("len(bytearray(b'x') * 64_000_000)")
            after = read(sampler)
        assert before.peak_rss is not None
        assert after.peak_rss is not None
        assert after.peak_rss - before.peak_rss > 60_000_000
        assert after.rss - before.rss < 10_000_000

    def test_that_of_one_process_its_share_in_memory_is_at_most_all_of_it(
        self, child: Child
    ) -> None:
        with Sampler([child.pid], []) as sampler:
            seen = read(sampler)
            share = sampler.proportional()
            assert share is not None
            assert (seen.rss_anonymous or 0) // 2 < share <= 2 * seen.rss
            child.kill()
            child.wait()
            assert sampler.proportional() == 0

    def test_that_memory_is_split_into_anonymous_and_file_backed(self, child: Child) -> None:
        with Sampler([child.pid], []) as sampler:
            reading = read(sampler)
        assert reading.rss_anonymous is not None
        assert reading.rss_file is not None
        assert 0 < reading.rss_anonymous + reading.rss_file <= reading.rss

    def test_that_read_calls_and_bytes_are_counted(self, child: Child, tmp_path: Path) -> None:
        file = tmp_path / "file"
        file.write_bytes(b"x" * 1_000_000)
        with Sampler([child.pid], []) as sampler:
            before = read(sampler)
            child.do(f"len(open({str(file)!r}, 'rb', 0).read(1_000_000))")
            after = read(sampler)
        assert before.read_chars is not None
        assert after.read_chars is not None
        assert after.read_chars - before.read_chars >= 1_000_000
        assert (after.read_calls or 0) > (before.read_calls or 0)

    def test_that_cpu_of_a_grandchild_that_ended_lives_on_in_its_parent(self, child: Child) -> None:
        burn = "import os\nwhile os.times().user < 0.05: pass"
        with Sampler([child.pid], []) as sampler:
            before = read(sampler)
            child.do(f"subprocess.run([sys.executable, '-c', {burn!r}]).returncode")
            after = read(sampler)
        assert after.processes == 1
        assert after.cpu_user - before.cpu_user >= 0.03

    def test_that_a_deleted_file_of_the_dataset_still_counts(
        self, child: Child, tmp_path: Path
    ) -> None:
        file = tmp_path / "file"
        file.write_bytes(b"x")
        child.do(f"open({str(file)!r})")
        file.unlink()
        for root in (tmp_path, file):
            with Sampler([child.pid], [root]) as sampler:
                assert read(sampler).dataset_fds == 1

    def test_that_a_dataset_reached_through_a_link_is_recognised(
        self, child: Child, tmp_path: Path
    ) -> None:
        real, link = tmp_path / "real", tmp_path / "link"
        real.mkdir()
        (real / "file").write_bytes(b"x")
        link.symlink_to(real)
        child.do(f"open({str(link / 'file')!r})")
        with Sampler([child.pid], [link]) as sampler:
            assert read(sampler).dataset_fds == 1

    def test_that_a_process_named_like_a_memory_figure_does_not_fool_it(self, child: Child) -> None:
        child.do("open('/proc/self/comm', 'w').write('VmRSS: 1 kB) Z 1')")
        with Sampler([child.pid], []) as sampler:
            assert read(sampler).rss > 1_000_000

    def test_that_both_ways_of_looking_agree(self, child: Child) -> None:
        with (
            Sampler([child.pid], [], open_process=open_linux_process) as one,
            Sampler([child.pid], [], open_process=open_psutil_process) as other,
        ):
            # A child that has only just said that it is there may still go to sleep in between.
            first, second, after = read(one), read(other), read(one)
            while (first.switches_voluntary, first.rss) != (after.switches_voluntary, after.rss):
                first, second, after = after, read(other), read(one)
        assert first.rss == second.rss
        assert first.threads == second.threads
        assert first.fds == second.fds
        assert first.read_calls == second.read_calls
        assert first.cpu_user == pytest.approx(second.cpu_user, abs=0.02)
        assert first.switches_voluntary == second.switches_voluntary

    def test_that_a_thousand_open_files_are_followed_in_the_first_reading(
        self, child: Child, tmp_path: Path
    ) -> None:
        (tmp_path / "file").write_bytes(b"x")
        child.do(f"[open({str(tmp_path / 'file')!r}) for _ in range(900)]")
        with Sampler([child.pid], [tmp_path]) as sampler:
            assert read(sampler, complete=False).dataset_fds == 900


class Clock:
    """Time that passes when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class TestAllowance:
    def test_that_the_first_look_is_due_at_once(self) -> None:
        assert SamplingBudget(0.001, Clock(), unit_cost=6e-6).is_due(5.0, 1000)

    def test_that_a_dear_first_look_is_saved_up_for(self) -> None:
        allowance = SamplingBudget(0.001, Clock(), unit_cost=6e-6)
        saved_up = (20_000 * 6e-6 - CREDIT_SECONDS) / 0.001
        assert not allowance.is_due(0.0, 20_000)
        assert not allowance.is_due(saved_up - 1, 20_000)
        assert allowance.is_due(saved_up + 1, 20_000)

    def test_that_looks_stay_apart_by_the_pause(self) -> None:
        allowance = SamplingBudget(0.001, Clock(), unit_cost=6e-6, pause=1.0)
        assert allowance.is_due(0.0, 1)
        with allowance.spend(0.0, 1):
            pass
        assert not allowance.is_due(0.9, 1)
        assert allowance.is_due(1.0, 1)

    @pytest.mark.parametrize("size", [0, 1, 4])
    def test_that_a_look_corrects_the_guess_of_its_cost(self, size: int) -> None:
        clock = Clock()
        allowance = SamplingBudget(0.001, clock, unit_cost=0.0)
        assert allowance.is_due(0.0, size)
        with allowance.spend(0.0, size):
            clock.now += 0.4
        expected = 8 * 0.4 / max(size, 1) / 2
        saved_up = (expected + 0.4 - CREDIT_SECONDS) / 0.001
        assert not allowance.is_due(saved_up - 1, 8)
        assert allowance.is_due(saved_up + 1, 8)

    @given(
        share=st.floats(1e-4, 0.1),
        costs=st.lists(st.floats(1e-6, 0.2), min_size=1, max_size=50),
        guess=st.floats(1e-7, 1e-2),
    )
    def test_that_the_share_holds_in_the_long_run_whatever_looks_cost(
        self, share: float, costs: list[float], guess: float
    ) -> None:
        clock = Clock()
        allowance = SamplingBudget(share, clock, unit_cost=guess)
        spent, readings = 0.0, 600
        for index in range(readings):
            at = index / 10
            if allowance.is_due(at, 10):
                with allowance.spend(at, 10):
                    clock.now += costs[index % len(costs)]
                spent += costs[index % len(costs)]
        # One look may be begun before its real cost is known.
        assert spent <= share * readings / 10 + CREDIT_SECONDS + 2 * max(costs)

    def test_that_a_long_cheap_stretch_does_not_pay_for_a_burst(self) -> None:
        clock = Clock()
        allowance = SamplingBudget(0.001, clock, unit_cost=6e-6)
        assert allowance.is_due(0.0, 10)
        due = 0
        for index in range(10):
            at = 3600 + index / 10
            if allowance.is_due(at, 20_000):
                due += 1
                with allowance.spend(at, 20_000):
                    clock.now += 20_000 * 6e-6
        assert due == 1


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
@pytest.mark.parametrize("error", [FileNotFoundError, ProcessLookupError])
@pytest.mark.parametrize("name", ["", "status", "stat", "statm", "io", "fd"])
def test_that_a_process_may_end_while_it_is_opened(
    monkeypatch: pytest.MonkeyPatch, name: str, error: type[OSError]
) -> None:
    open_file = os.open

    def open_late(path: str, flags: int, **rest: int) -> int:
        if path == (name or f"/proc/{os.getpid()}"):
            raise error(path)
        return open_file(path, flags, **rest)

    monkeypatch.setattr(os, "open", open_late)
    before = set(os.listdir("/proc/self/fd"))
    process = open_linux_process(os.getpid())
    if name in ("io", "fd") and error is FileNotFoundError:  # a kernel without that accounting
        assert process is not None
        process.close()
    else:
        assert process is None
    assert set(os.listdir("/proc/self/fd")) == before
