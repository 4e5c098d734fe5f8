"""Children that are forked: they are the engine's own, and as those of a fresh interpreter."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import psutil
import pytest
from patience import PATIENCE, until

from core.measure import Cancel, Supervisor, find_dataset, fork_servers, run_trial
from core.measure.trial.child_handle import ChildProcess
from core.measure.trial.counters import SharedCounters
from core.measure.trial.fork_server import ForkServers, Origin, origin_of
from core.vocabulary import Completed, Slot, TrialEnded, specify

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks for a parent")


@pytest.fixture
def slot(tmp_path: Path) -> Slot:
    path = tmp_path / "some.bin"
    path.write_bytes(bytes(4096))
    values = {"operations": 100, "duration": 0.0, "warm_up": 0.0}
    return Slot(0, 0, specify("raw", find_dataset("raw", path), values))


@pytest.fixture
def origin(slot: Slot) -> Iterator[Origin]:
    with fork_servers("a-run", 1):
        yield origin_of("a-run", slot)


def test_that_a_forked_child_is_as_a_fresh_one(origin: Origin) -> None:
    block = SharedCounters.create(1)
    with Supervisor("fresh") as fresh, Supervisor("forked") as forked:
        children = [
            ChildProcess.start(fresh, block.fd, Origin(origin.environment)),
            ChildProcess.start(forked, block.fd, origin),
        ]
        looks = [psutil.Process(child.child.pid) for child in children]
        # Both have come so far that they wait for their task.
        until(lambda: all(one.num_threads() > 1 for one in looks))
        for child, look in zip(children, looks, strict=True):
            assert look.ppid() == os.getpid()
            assert os.getpgid(look.pid) == look.pid
            assert os.getsid(look.pid) == os.getsid(0)
            stamp = look.environ()["SLUICE_OPERATION"]
            assert stamp.lstrip("/") == child.child.stamp.lstrip("/")
        first, second = ([*one.environ()] for one in looks)
        assert first == second
        assert looks[0].num_fds() == looks[1].num_fds()
        assert "--forked" in [one.strip() for one in looks[1].cmdline()]
        for child in children:
            child.close()
            assert child.child.wait(PATIENCE)
            assert child.child.code == -signal.SIGKILL
    block.close()


def test_that_children_share_what_all_of_their_run_import(slot: Slot) -> None:
    other = msgspec.structs.replace(slot.spec, workload="rigged_truths:SlowStart")
    with fork_servers("a-run", 1, [slot.spec, other]):
        mixed = origin_of("a-run", slot)
    assert (mixed.workload, mixed.imports) == ("", ())
    block = SharedCounters.create(1)
    with fork_servers("a-run", 1, [slot.spec]), Supervisor("forked") as supervisor:
        alike = origin_of("a-run", slot)
        assert (alike.workload, alike.imports) == ("raw", ("numpy",))
        child = ChildProcess.start(supervisor, block.fd, alike)
        look = psutil.Process(child.child.pid)
        until(lambda: look.num_threads() > 1)  # it waits for its task
        assert "--forked" in [one.strip() for one in look.cmdline()]
        assert any("numpy" in one.path for one in look.memory_maps())
        child.close()
        assert child.child.wait(PATIENCE)
    block.close()


def test_that_a_run_goes_on_where_its_server_has_died(slot: Slot) -> None:
    with fork_servers("a-run", 1):
        for _ in range(2):
            server = origin_of("a-run", slot).server
            assert server is not None
            (ended,) = (
                event
                for event in run_trial(slot, "a-run", Cancel())
                if isinstance(event, TrialEnded)
            )
            assert ended.trial.outcome == Completed()
            os.kill(server.pid, signal.SIGKILL)


def test_that_blocks_have_layouts_of_their_own_which_the_seed_repeats(
    slot: Slot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "other")
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    blocks = [Slot(0, block, slot.spec) for block in range(5)]
    drawn = [ForkServers(7).origin(one).environment for one in blocks]
    assert drawn == [ForkServers(7).origin(one).environment for one in blocks]
    for name in ("PYTHONHASHSEED", "SLUICE_LAYOUT"):
        assert len({one[name] for one in drawn}) == len(blocks)
    monkeypatch.setenv("PYTHONHASHSEED", "0")
    assert "PYTHONHASHSEED" not in ForkServers(7).origin(slot).environment
