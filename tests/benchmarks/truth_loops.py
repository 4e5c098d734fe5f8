"""The loops that `make truth` holds Sluice against.  They verify nothing and know nothing of it.

    python truth_loops.py '{"loop": "known", "threads": 4, "processes": 1, "seconds": 1.0,
        "warm_up": 0.3, "arguments": {"kind": "locked", "parts": [["locked", 200, 1]]}}'

Threads in processes start together and perform the same operation over and over.  What counts is
what ended within the window, and by its share what only partly lay in it, per second of the window
on the wall.  The clock is looked at once in about a millisecond.  Prints operations per second.

Nothing is imported from the project: only the operations of known length, which both sides perform,
are taken from here.
"""

from __future__ import annotations

import json
import multiprocessing
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from threading import Barrier, Lock, Thread
from typing import Any
from zlib import crc32

from truth_readers import READERS, Perform, Start

BATCH = 1_000_000  # ns
_LEAD = 0.05  # s from the moment that all are ready to their start

# Operations of known length

_LISTED = 1000
RARE, LONGER = 10, 10  # of `uneven` operations one in so many takes so many times as long


def outside(item: tuple[bytes, int]) -> int:
    """Computes without Python's lock."""
    data, times = item
    for _ in range(times):
        found = crc32(data)
    return found


def locked(count: int) -> int:
    """Computes under Python's lock."""
    total = 0
    for number in range(count):
        total += number
    return total


def sleeping(seconds: float) -> int:
    """Waits for something that needs no core."""
    time.sleep(seconds)
    return 0


def performing(kind: str, size: int, times: int) -> tuple[Perform, Sequence[Any]]:
    """An operation and its items.

    `size`: bytes to compute over, so many times; rounds of a loop under Python's lock; nanoseconds
    of sleep.
    """
    match kind:
        case "locked":
            return locked, [size] * _LISTED
        case "sleeping":
            return sleeping, [size / 1e9] * _LISTED
        case "outside" if times == 1:
            return crc32, [bytes(size)] * _LISTED
        case "outside":
            return outside, [(bytes(size), times)] * _LISTED
        case "mutex":
            return _behind(Lock(), outside), [(bytes(size), times)] * _LISTED
        case "uneven":
            data = bytes(size)
            usual = [(data, times)] * (_LISTED - _LISTED // RARE)
            items = usual + [(data, times * LONGER)] * (_LISTED // RARE)
            random.Random(1).shuffle(items)
            return outside, items
    raise ValueError(kind)


def mixture(parts: Sequence[tuple[Perform, Any]]) -> tuple[Perform, Sequence[Any]]:
    """One operation that does all of them in turn."""

    def perform(_: Any) -> int:
        for part, item in parts:
            part(item)
        return 0

    return perform, [0] * _LISTED


def _behind(mutex: Lock, perform: Perform) -> Perform:
    def alone(item: Any) -> Any:
        with mutex:
            return perform(item)

    return alone


def known(*, kind: str, parts: Sequence[tuple[str, int, int]]) -> tuple[Perform, Sequence[Any]]:
    """The operation of that kind; `mixed` is made of its parts, any other is its only one."""
    if kind != "mixed":
        ((_, size, times),) = parts
        return performing(kind, size, times)
    made = [performing(*part) for part in parts]
    return mixture([(perform, items[0]) for perform, items in made])


def _known(**arguments: Any) -> Start:
    both = known(**arguments)
    return lambda thread: both


LOOPS: dict[str, Callable[..., Start]] = {"known": _known, **READERS}

# The loop


class Looping(Thread):
    """One thread, which notes when each of its batches began and ended."""

    def __init__(self, start: Start, number: int, end: int, ready: Callable[[], int]) -> None:
        super().__init__(daemon=True)
        self._make, self._number, self._end, self._ready = start, number, end, ready
        self.batches: list[tuple[int, int, int]] = []

    def run(self) -> None:
        perform, items = self._make(self._number)
        clock, note, count = time.monotonic_ns, self.batches.append, 1
        place = self._number * len(items) // 64 % len(items)  # threads do not march in step
        begun = self._ready()
        end = begun + self._end
        while begun < end:
            batch = items[place : place + count]
            for item in batch:
                perform(item)
            ended = clock()
            note((begun, ended, len(batch)))
            place = (place + len(batch)) % len(items)
            # It only grows: a batch that took long may just have waited for a core.
            if ended - begun < BATCH // 2:
                count = min(2 * count, len(items))
            begun = clock()


def inside(batches: Sequence[tuple[int, int, int]], since: int, until: int) -> float:
    """Operations within a window; of what lies across its ends, the share that is inside."""
    total = 0.0
    for begun, ended, count in batches:
        shared = min(ended, until) - max(begun, since)
        if shared > 0 or since <= ended <= until:
            total += count * (shared / (ended - begun) if ended > begun else 1.0)
    return total


def in_process(asked: Mapping[str, Any], number: int, barrier: Any, begin: Any, out: Any) -> None:
    """The threads of one process; puts how many operations they did in the window."""
    start = LOOPS[asked["loop"]](**asked["arguments"])
    threads, warm_up = asked["threads"], round(1e9 * asked["warm_up"])
    length = round(1e9 * asked["seconds"])

    def ready() -> int:
        if barrier.wait() == 0:  # one of all sets the moment for all
            begin.value = time.monotonic_ns() + round(1e9 * _LEAD)
        barrier.wait()
        time.sleep(max(0.0, (begin.value - time.monotonic_ns()) / 1e9))
        return time.monotonic_ns()

    # A thread goes on a little beyond the window, so that none runs without the others in it.
    beyond = warm_up + length + round(1e9 * _LEAD)
    first = number * threads
    loops = [Looping(start, first + one, beyond, ready) for one in range(threads)]
    for loop in loops:
        loop.start()
    for loop in loops:
        loop.join()
    since = begin.value + warm_up
    out.put(sum(inside(loop.batches, since, since + length) for loop in loops))


def rate(asked: Mapping[str, Any]) -> float:
    """Operations per second of all processes together."""
    context = multiprocessing.get_context("spawn")
    processes = asked["processes"]
    barrier = context.Barrier(processes * asked["threads"])
    begin, out = context.Value("q", 0, lock=False), context.Queue()
    children = [
        context.Process(target=in_process, args=(asked, number, barrier, begin, out))
        for number in range(processes)
    ]
    for child in children:
        child.start()
    total = 0.0
    for _ in children:
        total += out.get(timeout=asked["seconds"] + 120)
    for child in children:
        child.join()
    return total / asked["seconds"]


# The loop in slices, which take turns with those of somebody else


def in_slices(asked: Mapping[str, Any]) -> None:
    """Loops for as many seconds as each line of stdin says, in threads that wait in between.

    Prints for each line the operations, the CPU ns of this process, and operations per second.
    """
    start = LOOPS[asked["loop"]](**asked["arguments"])
    begin, end = Barrier(asked["threads"] + 1), Barrier(asked["threads"] + 1)
    until = 0
    done: list[tuple[int, float]] = []

    def live(thread: int) -> None:
        perform, items = start(thread)
        place, clock = thread * len(items) // asked["threads"], time.monotonic_ns
        count = 1
        while True:
            begin.wait()
            since, number = clock(), 0
            now = since
            while now < until:
                batch = items[place : place + count]
                for item in batch:
                    perform(item)
                place = (place + len(batch)) % len(items)
                number, before, now = number + len(batch), now, clock()
                if now - before < BATCH // 2:
                    count = min(2 * count, len(items))
            done.append((number, number / max(now - since, 1)))
            end.wait()

    for thread in range(asked["threads"]):
        Thread(target=live, args=(thread,), daemon=True).start()
    for line in sys.stdin:
        done.clear()
        until, cpu = time.monotonic_ns() + round(1e9 * float(line)), time.process_time_ns()
        begin.wait()
        end.wait()
        numbers, rates = zip(*done, strict=True)
        print(sum(numbers), time.process_time_ns() - cpu, 1e9 * sum(rates), flush=True)


def main() -> None:
    asked = json.loads(sys.argv[1])
    if "seconds" in asked:
        print(rate(asked))
    else:
        in_slices(asked)


if __name__ == "__main__":
    main()
