"""By which variables a program's number of threads can be limited, as far as it can be seen."""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

_BY_LIBRARY = (
    (re.compile(rb"/lib(gomp|omp|iomp5)[-.]"), "OMP_NUM_THREADS"),
    (re.compile(rb"/lib\w*openblas"), "OPENBLAS_NUM_THREADS"),
    (re.compile(rb"/libmkl_"), "MKL_NUM_THREADS"),
    (re.compile(rb"/libjvm\."), "JAVA_TOOL_OPTIONS"),
)
_BY_NAME = ("RAYON_NUM_THREADS", "GOMAXPROCS", "OMP_NUM_THREADS")
"""Runtimes that are linked into programs have the names of their variables in them."""
_SEARCHED = 64 << 20
"""Bytes of a program in which they are looked for: some 10 ms, once for each program."""


def thread_limits(pids: Iterable[int]) -> frozenset[str]:
    """The variables that the thread libraries of these processes heed; empty where none is known.

    Takes 0.1 ms for a process, and the first time that a program is met up to 20 ms.
    """
    return frozenset(one for pid in pids for one in _limits_of(pid))


def _limits_of(pid: int) -> Iterator[str]:
    with suppress(OSError):
        maps = Path(f"/proc/{pid}/maps").read_bytes()
        yield from (variable for library, variable in _BY_LIBRARY if library.search(maps))
        program = f"/proc/{pid}/exe"
        state = os.stat(program)
        yield from _named_in(program, (state.st_dev, state.st_ino, state.st_mtime_ns))


_PROGRAMS: dict[object, tuple[str, ...]] = {}


def _named_in(program: str, state: tuple[int, ...]) -> tuple[str, ...]:
    if state not in _PROGRAMS:
        with open(program, "rb") as opened:  # noqa: PTH123 -- as above
            size = min(os.fstat(opened.fileno()).st_size, _SEARCHED)
            with mmap.mmap(opened.fileno(), size, access=mmap.ACCESS_READ) as content:
                found = (name for name in _BY_NAME if content.find(name.encode()) >= 0)
                _PROGRAMS[state] = tuple(found)
    return _PROGRAMS[state]
