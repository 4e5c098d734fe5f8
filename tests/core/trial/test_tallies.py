"""What a workload counts live: only while the clock runs, and nothing lost between threads."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from core.trial.counters import MOST_TALLIES, TALLIES, SharedCounters
from core.trial.meters import Tallies
from core.trial.observer import Observer

pytestmark = pytest.mark.quick

NAMES = ("503", "retries", "backoff seconds")


@pytest.fixture
def block() -> Iterator[SharedCounters]:
    made = SharedCounters.create(3)
    yield made
    made.close()


def tallies(block: SharedCounters, first: int = 0, workers: int = 2) -> Tallies:
    made = Tallies(block, first, workers)
    made.declare(NAMES)
    made.counting = True
    return made


def test_that_workers_and_processes_are_summed_by_name(block: SharedCounters) -> None:
    one, two = tallies(block), tallies(block, first=2, workers=1)
    one.of(0).add("503")
    one.of(1).add("retries", 3)
    two.of(0).add("retries")
    two.of(0).add("backoff seconds", 0.125)
    two.of(0).add("backoff seconds", 0.25)
    assert block.tallies(NAMES) == {"503": 1, "retries": 4, "backoff seconds": 0.375}
    assert list(block.tallies(NAMES)) == list(NAMES)
    assert block.tallies(()) == {}


def test_that_nothing_is_counted_while_the_clock_stands(block: SharedCounters) -> None:
    made = Tallies(block, 0, 1)
    made.of(0).add("before the job has names")
    made.declare(NAMES)
    made.of(0).add("503")
    made.counting = True
    made.of(0).add("503")
    made.counting = False
    made.of(0).add("503")
    assert block.tallies(NAMES)["503"] == 1


def test_that_threads_of_one_client_lose_no_count(block: SharedCounters) -> None:
    tally = tallies(block).of(1)

    def add() -> None:
        for _ in range(2000):
            tally.add("retries")

    threads = [threading.Thread(target=add) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert block.tallies(NAMES)["retries"] == 16_000


def test_that_a_name_that_was_not_declared_is_a_mistake_of_the_workload(
    block: SharedCounters,
) -> None:
    with pytest.raises(TypeError, match="'429' is not among the tallies"):
        tallies(block).of(0).add("429")


@pytest.mark.parametrize("names", [("a", "a"), tuple(map(str, range(MOST_TALLIES + 1)))])
def test_that_too_many_or_repeated_names_are_refused(
    block: SharedCounters, names: tuple[str, ...]
) -> None:
    with pytest.raises(TypeError, match="at most 8 tallies"):
        Tallies(block, 0, 1).declare(names)


def test_that_who_counts_a_retry_has_moved(block: SharedCounters) -> None:
    observer = Observer(block)
    before = observer.movement()
    tallies(block).of(1).add("503")
    assert observer.movement() != before


def test_that_the_words_of_tallies_lie_between_phases_and_latencies(block: SharedCounters) -> None:
    tallies(block).of(0).add("503")
    assert [place for place, word in enumerate(block.slot(0)) if word] == [TALLIES]
