"""The counters of several nodes lie side by side, and show one time."""

from __future__ import annotations

import asyncio
import gc
import zlib
from typing import Any

import building
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENCE

from core.measure import Count, SharedCounters
from core.measure.cluster.connection import PlacedAgent
from core.measure.cluster.merged_trial import Node, _residency, notes_on_clocks
from core.measure.cluster.node_counters import (
    ClockOffset,
    Images,
    NodeCounters,
    Trip,
    is_too_uncertain,
    offset_of,
)
from core.measure.cluster.node_messages import EventLoop
from core.measure.trial.counters import COUNTS, TALLIED, TALLIES, State, doubles
from core.vocabulary import Problem, Residency, WorkerTotals

AHEAD = 500
"""Ns by which the clock of the second node is ahead."""


@pytest.fixture
def blocks() -> list[SharedCounters]:
    """Of two nodes with two workers each."""
    return [SharedCounters.unshared(2) for _ in range(2)]


def mirrored(blocks: list[SharedCounters]) -> NodeCounters:
    mirror = NodeCounters(len(blocks), blocks[0].slots)
    mirror.synchronise(1, ClockOffset(ahead=AHEAD, uncertainty=3))
    for number, block in enumerate(blocks):
        mirror.add(number, Images(block).next())
    return mirror


def column(mirror: NodeCounters, word: Count) -> list[int]:
    return [counts[word] for counts in mirror.counts()]


@pytest.mark.quick
@pytest.mark.parametrize(("alike", "told"), [(True, "and 239,980 more"), (False, "and 2,081 more")])
def test_that_files_that_no_node_may_look_at_are_few_problems(alike: bool, told: str) -> None:
    def seen_by(node: int) -> Residency:
        names = [f"{'' if alike else node}/{number}" for number in range(20)]
        problems = (Problem(name, "is not yours") for name in names)
        return msgspec.structs.replace(
            building.residency(), problems=(*problems, Problem("…", "and 239,980 more"))
        )

    whole = _residency([seen_by(node) for node in range(105)])
    assert whole is not None
    assert len(whole.problems) == 21
    assert whole.problems[20].text == told


@pytest.mark.quick
@pytest.mark.parametrize("many", [0.25, 1e14])  # TB are moved within days
def test_that_images_add_up_to_what_the_blocks_hold(
    blocks: list[SharedCounters], many: float
) -> None:
    mirror, images = NodeCounters(2, 2), [Images(block) for block in blocks]
    for _ in range(3):
        for number, block in enumerate(blocks):
            for place in range(2):
                slot = block.slot(place)
                slot[Count.OPERATIONS] += 10 + 100 * number + place
                slot[Count.TIMED_SQUARES] += 2
                doubles(slot)[TALLIES + 1] += TALLIED * many
                slot[COUNTS + 7 + number] += 1
            mirror.add(number, images[number].next())
    assert mirror.counts() == [counts for block in blocks for counts in block.counts()]
    assert mirror.of(1).counts() == blocks[1].counts()
    both = sum(block.latencies() for block in blocks)
    assert mirror.latencies().tolist() == both.tolist()
    assert mirror.latencies_of(1).tolist() == blocks[1].latencies().tolist()
    assert mirror.tallies(["503", "retries"]) == {"503": 0, "retries": 12 * many}
    assert mirror.squares() == 24


@pytest.mark.quick
def test_that_times_of_a_node_are_shown_on_our_clock(blocks: list[SharedCounters]) -> None:
    for block in blocks:
        for place, started in enumerate((3000, 2000)):
            block.slot(place)[Count.STARTED] = started
    blocks[1].slot(0)[Count.ENDED] = 7000
    blocks[1].slot(1)[Count.OWN] = 4000
    mirror = mirrored(blocks)
    assert column(mirror, Count.STARTED) == [3000, 2000, 3000 - AHEAD, 2000 - AHEAD]
    assert column(mirror, Count.ENDED) == [0, 0, 7000 - AHEAD, 0]
    assert column(mirror, Count.OWN) == [0, 0, 0, 4000 - AHEAD]
    assert (mirror.first_start(0), mirror.first_start(1)) == (2000, 2000 - AHEAD)
    assert column(mirror.of(1), Count.STARTED) == [3000 - AHEAD, 2000 - AHEAD]


@pytest.mark.quick
def test_that_a_node_that_has_not_begun_has_no_start(blocks: list[SharedCounters]) -> None:
    blocks[1].slot(1)[Count.STARTED] = 2000  # the other one has not
    mirror = mirrored(blocks)
    assert (mirror.first_start(0), mirror.first_start(1)) == (None, 2000 - AHEAD)


@pytest.mark.quick
def test_that_workers_of_a_lost_node_count_until_its_clock_was_seen(
    blocks: list[SharedCounters],
) -> None:
    for block in blocks:
        block.slot(0)[Count.STARTED] = 1000
        block.slot(0)[Count.STATE] = State.RUNNING
    mirror = mirrored(blocks)
    mirror.lose(1, 9000)
    assert column(mirror, Count.ENDED) == [0, 0, 9000 - AHEAD, 0]
    assert column(mirror, Count.STATE) == [State.RUNNING, State.IDLE, State.DONE, State.DONE]


@pytest.mark.quick
@pytest.mark.parametrize("image", [b"", b"no image", zlib.compress(b""), zlib.compress(bytes(80))])
def test_that_what_is_no_image_of_a_node_is_refused(image: bytes) -> None:
    mirror = NodeCounters(1, 2)
    with pytest.raises((ValueError, zlib.error)):
        mirror.add(0, image)
    assert not any(map(any, mirror.counts()))


trips = st.tuples(st.integers(0, 10**12), st.integers(0, 10**9), st.integers(0, 10**9))


@pytest.mark.quick
@given(ahead=st.integers(-(10**12), 10**12), held_up=st.lists(trips, min_size=1, max_size=9))
def test_that_a_clock_is_as_far_ahead_as_it_is_said_to_be_give_or_take_what_is_said(
    ahead: int, held_up: list[tuple[int, int, int]]
) -> None:
    found = offset_of(
        Trip(left, left + there + ahead, left + there + back) for left, there, back in held_up
    )
    assert abs(found.ahead - ahead) <= found.uncertainty
    assert found.uncertainty <= min(there + back for _, there, back in held_up) // 2 + 1
    assert abs(found.theirs(7) - (7 + ahead)) <= found.uncertainty


@pytest.mark.quick
@pytest.mark.parametrize(
    ("count", "took", "known"),
    [
        (15, 10, False),  # the shortest may be still to come
        (16, 10, True),
        (16, 10**9, False),
        (49, 10**9, False),
        (50, 10**9, True),  # it will not get better
    ],
)
def test_that_a_clock_is_asked_until_it_is_known_sharply_or_often_enough(
    count: int, took: int, known: bool
) -> None:
    node = Node(0, PlacedAgent("tcp://node:1", None), trips=[Trip(0, took, took)] * count)
    assert node.clock_known is known


@pytest.mark.quick
def test_that_nothing_is_known_of_a_clock_without_a_trip() -> None:
    with pytest.raises(ValueError, match="empty"):
        offset_of([])


@pytest.mark.quick
@pytest.mark.parametrize(
    ("uncertainty", "length", "matters"),
    [(0.049, 1.0, False), (0.05, 1.0, True), (0.4, 10.0, False), (100.0, 0.0, False)],
)
def test_that_a_clock_need_be_known_to_a_twentieth_of_a_trial(
    uncertainty: float, length: float, matters: bool
) -> None:
    assert is_too_uncertain(uncertainty, length) is matters


@pytest.mark.quick
@pytest.mark.parametrize(
    ("uncertainty", "window", "told"),
    [
        (14, 250, ""),
        (20, 250, "± 20.0 ms, and the trial took 300 ms; for as long it may have worked without"),
        (20, 0, "± 20.0 ms, and the trial took 300 ms; by as much the time is uncertain that its"),
    ],
)
def test_that_a_clock_known_too_roughly_for_its_trial_is_told_and_what_that_means(
    uncertainty: int, window: int, told: str
) -> None:
    nodes = [
        Node(number, PlacedAgent(f"tcp://node:{number}", None), offset=ClockOffset(0, ns))
        for number, ns in enumerate((3, uncertainty * 10**6))
    ]
    one = totals_of(started=1, ended=1 + 3 * 10**8, window=window * 10**6)
    notes = list(notes_on_clocks(nodes, [one, totals_of(started=1, ended=2)]))
    assert len(notes) == bool(told)
    assert all("node 2 of 2 (tcp://node:1): its clock is known to " in note for note in notes)
    assert told in "".join(notes)


def totals_of(*, started: int, ended: int, window: int = 0) -> WorkerTotals:
    nothing: dict[str, Any] = {**dict.fromkeys(WorkerTotals.__struct_fields__, 0), "phases": ()}
    return WorkerTotals(**nothing | {"started": started, "ended": ended, "window": window})


async def unheeded() -> asyncio.Future[None]:
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    future.set_exception(TimeoutError("rigged"))
    return future


def test_that_what_is_left_in_a_loop_is_not_told_after_its_end(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with EventLoop() as loop:
        left = [loop.run(unheeded(), PATIENCE)]
    left.clear()
    gc.collect()
    assert not caplog.records
