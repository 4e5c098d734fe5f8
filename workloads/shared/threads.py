"""Threads over many items: in the code that *Copy for my code* offers, and our own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

from core import Load


def in_threads(
    amount: str, item: str, items: str, load: Load, ending: str = 'print({}, "bytes")'
) -> str:
    """Threads that take items from one queue, as they did while measured, and sum an amount.

    A future for each item would cost more than a short call does.
    """
    threads = load.threads
    each = f"  # in each of {load.processes} processes" if load.processes > 1 else ""
    return f"""\
queue = iter({items})  # all threads take from it

def work(thread):
    return sum({amount} for {item} in queue)

with ThreadPoolExecutor({threads}) as pool:{each}
    {ending.format(f"sum(pool.map(work, range({threads})))")}
"""


def mapped[Item, Result](
    threads: int, name: str, work: Callable[[Item], Result], items: Iterable[Item]
) -> Iterator[Result]:
    """The results in the order of the items, of which few are in memory at once.

    `name`: that of the threads, which work on a little more than what is taken.
    """
    pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
    waiting: deque[Future[Result]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)  # after a failure the others wait for nothing
