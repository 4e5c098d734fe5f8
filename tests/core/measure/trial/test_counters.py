"""The telemetry block and the cursors that hand out work."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.measure import Count, Queue, Share, SharedCounters
from core.measure.trial.counters import COUNTS, NOTE, SLOT, Head, WorkerNote
from core.vocabulary import BUCKETS

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[4]


@pytest.fixture
def block() -> Iterator[SharedCounters]:
    block = SharedCounters.create(3)
    yield block
    block.close()


def test_that_a_new_block_is_zero_throughout(block: SharedCounters) -> None:
    assert block.counts() == [[0] * COUNTS] * 3
    assert block.latencies().tolist() == [0] * BUCKETS


def test_that_slots_do_not_touch_each_other(block: SharedCounters) -> None:
    for index in range(3):
        slot = block.slot(index)
        assert len(slot) == SLOT
        slot[Count.OPERATIONS] = index + 1
        slot[COUNTS] = 10
        slot[COUNTS + BUCKETS - 1] = index
        WorkerNote(slot).write("at work")
        slot.release()
    assert [counts[Count.OPERATIONS] for counts in block.counts()] == [1, 2, 3]
    latencies = block.latencies()
    assert (latencies[0], latencies[BUCKETS - 1], latencies.sum()) == (30, 3, 33)
    assert block.words[Head.STOP] == block.words[Head.CURSOR] == 0


def test_that_a_note_is_read_as_it_was_written_until_it_is_cleared(block: SharedCounters) -> None:
    note = WorkerNote(block.slot(1))
    note.write("reads.blow5: read 7 \udcff")
    assert block.notes(range(3)) == ["reads.blow5: read 7 \\udcff"]
    note.write("é" * 1000)
    assert block.notes(range(1, 2)) == ["é" * (8 * (NOTE - 1) // 2)]
    note.write("short")
    assert block.notes(range(1, 2)) == ["short"]
    note.clear()
    assert block.notes(range(3)) == []
    assert not any(block.slot(1))


def test_that_the_block_has_no_name_that_could_be_left_behind(block: SharedCounters) -> None:
    assert os.fstat(block.fd).st_nlink == 0


def test_that_the_block_outlives_the_death_of_its_writer(block: SharedCounters) -> None:
    code = (
        "import os, sys; from core.measure.trial.counters import SharedCounters, Count;"
        "SharedCounters(int(sys.argv[1]), 3).slot(1)[Count.OPERATIONS] = 77; os.abort()"
    )
    subprocess.run(
        [sys.executable, "-c", code, str(block.fd)], cwd=ROOT, pass_fds=[block.fd], check=False
    )
    assert block.counts()[1][Count.OPERATIONS] == 77


def test_that_stop_is_seen_through_another_mapping(block: SharedCounters) -> None:
    other = SharedCounters(os.dup(block.fd), 3)
    block.stop()
    assert other.words[Head.STOP] == 1
    other.close()


def test_that_a_block_that_cannot_be_had_leaves_no_descriptor() -> None:
    before = os.listdir("/dev/fd")
    with pytest.raises((OSError, OverflowError, ValueError)):
        SharedCounters.create(2**45)
    assert os.listdir("/dev/fd") == before


def test_that_a_block_can_be_closed_while_a_slot_is_held() -> None:
    block = SharedCounters.create(1)
    slot = block.slot(0)
    block.close()
    slot[0] = 1


@given(
    workers=st.integers(1, 7),
    limit=st.integers(0, 500),
    chunk=st.lists(st.integers(1, 40), min_size=1),
)
def test_that_shares_cover_everything_once(workers: int, limit: int, chunk: list[int]) -> None:
    claimed: list[int] = []
    for first in range(workers):
        share = Share(first, workers, limit)
        for turn in range(limit + 1):
            part = share.claim(chunk[turn % len(chunk)])
            assert len(part) <= chunk[turn % len(chunk)]
            if not part:
                break
            claimed += part
        assert not share.claim(1)
    assert sorted(claimed) == list(range(limit))


@given(
    limit=st.integers(0, 500),
    chunks=st.lists(st.integers(1, 60), min_size=1),
    alone=st.booleans(),
)
def test_that_a_queue_hands_out_everything_once_in_order(
    limit: int, chunks: list[int], alone: bool
) -> None:
    block = SharedCounters.create(1)
    queue = Queue(block, limit, threading.Lock(), alone=alone)
    claimed: list[int] = []
    turn = 0
    while part := queue.claim(chunks[turn % len(chunks)]):
        claimed += part
        turn += 1
    assert claimed == list(range(limit))
    assert not queue.claim(5)
    block.close()


def test_that_threads_never_claim_the_same(block: SharedCounters) -> None:
    queue = Queue(block, 20_000, threading.Lock(), alone=True)
    claimed: list[list[int]] = [[] for _ in range(4)]

    def work(mine: list[int]) -> None:
        while part := queue.claim(3):
            mine += part

    threads = [threading.Thread(target=work, args=(mine,)) for mine in claimed]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(position for mine in claimed for position in mine) == list(range(20_000))


CLAIMER = """
import os, sys, threading
from core.measure.trial.counters import SharedCounters, Queue
queue = Queue(SharedCounters(int(sys.argv[1]), 3), 5000, threading.Lock(), alone=False)
while part := queue.claim(2):
    print(*part, sep="\\n")
"""


def test_that_processes_never_claim_the_same(block: SharedCounters) -> None:
    claimers = [
        subprocess.Popen(
            [sys.executable, "-c", CLAIMER, str(block.fd)],
            cwd=ROOT,
            pass_fds=[block.fd],
            stdout=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    claimed = [int(line) for claimer in claimers for line in claimer.communicate()[0].split()]
    assert sorted(claimed) == list(range(5000))


def test_that_a_claimer_that_dies_with_the_lock_does_not_block_the_others(
    block: SharedCounters,
) -> None:
    code = (
        "import fcntl, os, sys; fcntl.lockf(int(sys.argv[1]), fcntl.LOCK_EX);"
        "os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(block.fd)], pass_fds=[block.fd], check=False)
    assert Queue(block, 10, threading.Lock(), alone=False).claim(4) == range(4)
