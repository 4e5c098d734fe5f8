"""Operations whose parts are performed in other processes: counted, verified, timed apart."""

from __future__ import annotations

import pickle
import platform
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from patience import PATIENCE

from core.measure import Count, DistributedOperations, OperationPart, Share, WholeOperation, Worker
from core.measure.trial.counters import HEADER, SLOT
from core.vocabulary import Fault, Job, Step, Weight

pytestmark = pytest.mark.quick


class Halving(Job[int, float]):
    """Halves numbers in two steps; some raise, of some the result is wrong."""

    def __init__(
        self,
        items: Sequence[int],
        checking: Literal["later", "between"],
        raising: frozenset[int] = frozenset(),
        wrong: frozenset[int] = frozenset(),
    ) -> None:
        self.items = items
        self.checking = checking
        self._raising, self._wrong = raising, wrong
        self.entered: set[int] = set()

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        self.entered.add(threading.get_ident())
        yield Step("look", self._look), Step("halve", lambda item: item / 2)

    def _look(self, item: int) -> int:
        if item in self._raising:
            raise OSError("no such number")
        return item + 1 if item in self._wrong else item

    def faults(self, item: int, result: float) -> Iterator[Fault]:
        if 2 * result != item:
            yield Fault("not a half")

    def weigh(self, results: Sequence[float]) -> Weight:
        return Weight(len(results), 10 * len(results))


@given(
    size=st.integers(0, 300),
    threads=st.integers(1, 9),
    checking=st.sampled_from(("later", "between")),
    bad=st.sets(st.integers(0, 299), max_size=6),
)
@settings(max_examples=30, deadline=None)
def test_that_every_item_of_a_part_is_performed_and_verified_once(
    size: int, threads: int, checking: Literal["later", "between"], bad: set[int]
) -> None:
    raising, wrong = (frozenset(item for item in bad if item % 2 == odd) for odd in (0, 1))
    part = OperationPart.performed(Halving(range(size), checking, raising, wrong), threads)
    lost = sum(item < size for item in raising)
    assert part.operations == size - lost == part.latencies.total
    assert part.bytes == 10 * (size - lost)
    told = {(one.text, one.wrong_data): one.count for one in part.complaints}
    expected = {
        ("OSError: no such number", False): lost,
        ("not a half", True): sum(item < size for item in wrong),
    }
    assert told == {case: count for case, count in expected.items() if count}


def test_that_a_part_uses_all_its_threads_and_can_be_sent() -> None:
    job = Halving(range(1000), "later")
    part = OperationPart.performed(job, 5)
    assert len(job.entered) == 5
    assert pickle.loads(pickle.dumps(part)) == part
    assert 0 < part.active <= part.ended - part.begun


def test_that_parts_leave_no_descriptor_open() -> None:
    before = psutil.Process().num_fds()
    for _ in range(3):
        OperationPart.performed(Halving(range(50), "between"), 4)
    assert psutil.Process().num_fds() <= before


def test_that_a_thread_that_cannot_begin_ends_the_part_with_its_own_error() -> None:
    class Locked(Halving):
        @contextmanager
        def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
            if index == 2:
                raise PermissionError("no third handle")
            with super().worker(index) as steps:
                yield steps

    with pytest.raises(PermissionError, match="no third handle"):
        OperationPart.performed(Locked(range(10), "later"), 4)


@pytest.mark.parametrize("checking", ["between", "later"])
def test_that_a_check_that_breaks_ends_the_part_with_its_own_error(
    checking: Literal["between", "later"],
) -> None:
    """The other threads wait for the end of all."""

    class Broken(Halving):
        def faults(self, item: int, result: float) -> Iterator[Fault]:
            if item == 7:
                raise LookupError("no such answer")
            yield from super().faults(item, result)

    with pytest.raises(LookupError, match="no such answer"):
        OperationPart.performed(Broken(range(10), checking), 4)


def test_that_what_breaks_during_the_work_ends_the_part_with_its_own_error() -> None:
    """The other threads have done theirs, and wait for the one that will not come."""
    all_at_work = threading.Barrier(4, timeout=PATIENCE)

    class Weightless(Halving):
        def _look(self, item: int) -> int:
            all_at_work.wait()
            return super()._look(item)

        def weigh(self, results: Sequence[float]) -> Weight:
            if 1.5 in results:
                raise LookupError("no such weight")
            return super().weigh(results)

    with pytest.raises(LookupError, match="no such weight"):
        OperationPart.performed(Weightless(range(4), "later"), 4)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells one start from another")
def test_that_machines_of_one_name_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their clocks differ: joined, an operation of 1 s had verified for longer than it took."""
    monkeypatch.setattr(platform, "node", lambda: "localhost")
    assert OperationPart.performed(Halving(range(4), "later"), 1).machine != "localhost"


def part(machine: str, begun: int, ended: int, active: int) -> OperationPart:
    return OperationPart(
        machine=machine,
        begun=begun,
        ended=ended,
        active=active,
        operations=1,
        bytes=1,
        buckets=(5,),
        counts=(1,),
        complaints=(),
    )


@pytest.mark.parametrize(
    ("parts", "inside", "verifying"),
    [
        ([], 0, 0),
        ([("a", 10, 30, 20)], 20, 0),
        ([("a", 10, 30, 15)], 20, 5),
        ([("a", 10, 30, 20), ("a", 20, 45, 20)], 35, 5),  # both at once
        ([("a", 10, 30, 20), ("a", 40, 45, 5)], 25, 0),  # one after the other
        ([("a", 10, 30, 12), ("a", 0, 40, 40)], 40, 0),  # the other one ends last
        ([("a", 10, 30, 20), ("b", 900, 930, 25)], 30, 5),  # whose clock is another
    ],
)
def test_that_the_time_of_parts_is_that_in_which_any_is_at_work(
    parts: list[tuple[str, int, int, int]], inside: int, verifying: int
) -> None:
    whole = WholeOperation([part(*one) for one in parts], 1000)
    assert (whole.inside, whole.verifying) == (inside, verifying)


def test_that_operations_and_their_parts_add_up_until_a_rewind() -> None:
    operations = DistributedOperations()
    second = 10**9
    for _ in range(2):
        whole = operations.perform(lambda: [part("a", 0, 3 * second, second)])
    assert operations.inside == 2
    assert operations.verifying == 4
    assert operations.seconds == pytest.approx(2 * (whole.took / 1e9 - 2), abs=1)
    assert operations.latency(50) == 5e-9
    operations.rewind()
    assert operations.seconds == operations.inside == operations.verifying == 0
    assert operations.latency(50) is None


class Paused(Halving):
    """Says that so many ns of each batch were no work."""

    pause = 0

    def weigh(self, results: Sequence[Any]) -> Weight:
        return Weight(len(results), 0, self.pause)


def test_that_verification_elsewhere_is_taken_off_the_workers_clock() -> None:
    job = Paused(range(40), "between")
    words, head = (memoryview(bytearray(8 * size)).cast("q") for size in (SLOT, HEADER))
    with job.worker(0) as steps:
        worker = Worker(job, steps[:1], words, head, 0)
        worker.run(Share(0, 1, 40), 2**62)
    before = words[Count.PAUSED]
    with job.worker(0) as steps:
        worker = Worker(job, steps[:1], words, head, 0)
        job.pause = 10**15
        worker.run(Share(0, 1, 1), 2**62)
    assert words[Count.PAUSED] - before >= 10**15
    assert words[Count.BOOKKEEPING] < 10**12  # as much time was taken off the work
