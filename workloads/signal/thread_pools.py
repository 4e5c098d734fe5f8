"""Pools of threads for one task per record: a harness in C, and Python's where there is none.

The harness is compiled when it is first needed and called by ctypes; without a C compiler there is
none, and the pool of Python's threads does the same.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping
from ctypes import POINTER, Structure, c_int, c_uint, c_uint64, c_void_p
from functools import lru_cache
from pathlib import Path
from queue import SimpleQueue
from threading import Semaphore, Thread
from typing import Any, Final

from core import SluiceError
from workloads.shared.native import loaded

_SOURCES = tuple(Path(__file__).parent / "native" / name for name in ("pool.c", "batches.c"))
_FLAGS = ("-O2", "-std=c11")

GET, DECODE, DECOMPRESS, PARSE, UNPACK_AND_PARSE, READ_POD5 = range(6)
"""The tasks, as the harness numbers them."""
NOT_UNPACKED = "zstd cannot decompress it"
_OUR_MEANINGS: Final = {1000: "there is no memory", 1001: NOT_UNPACKED}


class TaskBatch(Structure):
    """`struct batch` of the harness: the records of one call."""

    _fields_ = (
        ("call", c_void_p),
        ("count", c_uint64),
        ("failed", c_uint64),
        ("code", ctypes.c_int64),
        ("told", ctypes.c_char * 256),
        ("memory", c_void_p),
        ("sizes", c_void_p),
        ("records", c_void_p),
        ("ids", c_void_p),
        ("file", c_void_p),
        ("fields", c_void_p),
        ("form", c_int),
        ("record_method", c_int),
        ("signal_method", c_int),
        ("reader", c_void_p),
        ("tables", c_void_p),
        ("places", c_void_p),
        ("rows", c_void_p),
        ("row_size", c_uint64),
        ("run_at", c_uint64),
        ("samples_at", c_uint64),
        ("infos", c_void_p),
        ("signals", c_void_p),
        ("row_version", ctypes.c_uint16),
    )


class _Calls(Structure):
    _fields_ = tuple(
        (name, c_void_p)
        for name in (
            *("next_bytes", "get_mem", "decode", "depress", "parse", "error_at"),
            *("row_info", "run_info", "signal", "words"),
            *("new_unpacker", "free_unpacker", "unpack", "unpacked_size", "is_error"),
        )
    )


class RecordFailed(Exception):
    """A record of a batch could not be had: its place, and what the library says."""

    def __init__(self, doing: str, number: int, why: str) -> None:
        super().__init__(doing, number, why)
        self.doing, self.number, self.why = doing, number, why


@lru_cache
def library() -> Any:
    """The harness; None where there is no C compiler, or one that cannot compile it."""
    harness = loaded("signal", _FLAGS, *_SOURCES)
    if harness is None:
        return None
    signatures: dict[str, tuple[Any, tuple[Any, ...]]] = {
        "open": (c_void_p, (c_uint, c_void_p)),
        "close": (None, (c_void_p,)),
        "run": (c_int, (c_void_p, c_uint, POINTER(TaskBatch))),
        "next": (c_int, (c_void_p, POINTER(TaskBatch))),
        "free": (None, (c_void_p, c_uint64, c_void_p)),
        "batch": (None, (c_void_p, c_void_p)),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(harness, f"signal_{name}")
        function.restype, function.argtypes = result, arguments
    return harness


def address(function: Any) -> int:
    """Where a function of a library is, for those that call it from C."""
    return ctypes.cast(function, c_void_p).value or 0


class NativePool:
    """That many threads, one of which is the caller's."""

    def __init__(self, threads: int, calls: Mapping[str, Any]) -> None:
        """`calls`: by their names in the harness, the libraries' functions that tasks need."""
        self._pool = 0
        self._library = library()
        functions = _Calls(**{name: address(function) for name, function in calls.items()})
        self._pool = self._library.signal_open(threads, ctypes.byref(functions)) or 0
        if not self._pool:
            raise SluiceError(f"there are no {threads} threads to be had")

    def run(self, task: int, batch: TaskBatch, doing: str, meanings: Mapping[int, str]) -> None:
        """Do one task for each record; raises RecordFailed for the first that failed."""
        if self._library.signal_run(self._pool, task, batch):
            raise self._failure(batch, doing, meanings)

    def next(self, batch: TaskBatch, meanings: Mapping[int, str]) -> None:
        """Fetch the next raw records of a file in order, by the caller alone."""
        if self._library.signal_next(self._pool, batch):
            raise self._failure(batch, "fetch", meanings)

    @staticmethod
    def _failure(batch: TaskBatch, doing: str, meanings: Mapping[int, str]) -> RecordFailed:
        code = int(batch.code)
        why = batch.told.decode("utf-8", "replace") or meanings.get(code) or _OUR_MEANINGS.get(code)
        return RecordFailed(doing, int(batch.failed), why or f"error {code}")

    def close(self) -> None:
        if self._pool:
            self._library.signal_close(self._pool)
            self._pool = 0


def freeing_each(give_back: Any) -> Callable[[Any], None]:
    """A function that gives back what an array of pointers names, by that function of a library.

    A finalizer may call it, on any thread and in the middle of anything.  So the harness is looked
    for here and not there: compiling it takes a lock, which that very thread may hold.
    """
    harness = library()
    if harness is not None:
        function = address(give_back)
        return lambda memory: harness.signal_free(ctypes.addressof(memory), len(memory), function)

    def free_one_by_one(memory: Any) -> None:
        for number, pointer in enumerate(memory):
            if pointer:
                give_back(pointer)
                memory[number] = None

    return free_one_by_one


type PoolTask = Callable[[int], None]


class PythonPool:
    """That many threads, one of which is the caller's."""

    def __init__(self, threads: int) -> None:
        self._waiting: SimpleQueue[tuple[PoolTask, Iterator[int]] | None] = SimpleQueue()
        self._done = Semaphore(0)
        self._raised: list[BaseException] = []
        names = [f"pool {number}" for number in range(1, threads)]
        self._helpers = [Thread(target=self._help, name=name, daemon=True) for name in names]
        for helper in self._helpers:
            helper.start()

    def run(self, task: PoolTask, count: int) -> None:
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

    def _perform(self, task: PoolTask, numbers: Iterator[int]) -> None:
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
        for _ in self._helpers:
            self._waiting.put(None)
        for helper in self._helpers:
            helper.join()
        self._helpers.clear()
