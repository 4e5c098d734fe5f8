"""Threads over many items, and what is counted in each."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context


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
            # In the caller's context, so that errors are in the caller's language.
            waiting.append(pool.submit(copy_context().run, work, item))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)  # after a failure the others wait for nothing


class ThreadTallies:
    """Counts what a client tells for the worker in whose thread it happens."""

    def __init__(self, of_worker: Callable[[int], Callable[[str, float], None]]) -> None:
        self._of_worker = of_worker
        self._here = threading.local()

    def enter(self, index: int) -> None:
        """This thread is the worker of that index from now on."""
        self._here.count = self._of_worker(index)

    def count(self, name: str, by: float) -> None:
        """Count for this thread's worker; for the first in threads of the client's own."""
        count: Callable[[str, float], None] = getattr(self._here, "count", None) or self._of_worker(
            0
        )
        count(name, by)
