"""A pool of threads for one task per read, joined after every batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Semaphore, Thread

type Task = Callable[[int], None]


class Pool:
    """That many threads, one of which is the caller's."""

    def __init__(self, threads: int) -> None:
        self._waiting: SimpleQueue[tuple[Task, Iterator[int]] | None] = SimpleQueue()
        self._done = Semaphore(0)
        self._raised: list[BaseException] = []
        self._helpers = [
            Thread(target=self._help, name=f"pool {number}", daemon=True)
            for number in range(1, threads)
        ]
        for helper in self._helpers:
            helper.start()

    def run(self, task: Task, count: int) -> None:
        """Perform the task for 0…count-1, each once; raises the first of what tasks raise."""
        numbers = iter(range(count))  # one step of it is one step of the interpreter's
        for _ in self._helpers:
            self._waiting.put((task, numbers))
        self._perform(task, numbers)
        for _ in self._helpers:
            self._done.acquire()
        if self._raised:
            first = self._raised[0]
            self._raised.clear()
            raise first

    def _perform(self, task: Task, numbers: Iterator[int]) -> None:
        try:
            for number in numbers:
                task(number)
        except Exception as error:  # noqa: BLE001 -- a reader may raise anything: raised again by `run`
            self._raised.append(error)

    def _help(self) -> None:
        while (waiting := self._waiting.get()) is not None:
            self._perform(*waiting)
            self._done.release()

    def close(self) -> None:
        """Let the threads end, and wait for them."""
        for _ in self._helpers:
            self._waiting.put(None)
        for helper in self._helpers:
            helper.join()
        self._helpers.clear()
