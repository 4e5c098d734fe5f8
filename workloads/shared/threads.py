"""Threads over many items."""

from __future__ import annotations

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
