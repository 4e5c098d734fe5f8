"""One positioned read, as fast as Python can do it; each choice was measured against fio's psync.

Small blocks are read by `os.pread`, which fills a new bytes object: that costs less than managing
buffers, while malloc keeps the memory of freed objects.  If it went back to the system after each
batch, page faults would take two thirds of the speed.  From 128 KiB on, copying dominates and is
fastest into a few page-aligned buffers that stay in the processor's cache, so these are used in
turn.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable
from itertools import cycle

from workloads.shared.freed_memory import keep_freed_memory

_LARGE = 128 * 1024
_SMALL_ALIVE = 256 * 1024
_LARGE_ALIVE = 1 << 20
_MOST_BUFFERS = 4

type Read = bytes | memoryview
type ReadAt = Callable[[int, int, int], Read]
"""(descriptor, bytes wanted, offset) → what was there."""


def most_alive(block: int) -> int:
    """How many results of one worker can be alive at once."""
    if block < _LARGE:
        return max(1, _SMALL_ALIVE // block)
    return min(_MOST_BUFFERS, max(1, _LARGE_ALIVE // block))


def read_at(block: int) -> ReadAt:
    """A function that reads up to a block, for one worker.

    For large blocks only the last `most_alive` results are valid: their buffers are used again.
    """
    if block < _LARGE:
        keep_freed_memory(_LARGE)
        return os.pread
    preadv = os.preadv
    size = block * most_alive(block)
    memory = memoryview(mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
    buffers = [[memory[start : start + block]] for start in range(0, len(memory), block)]
    next_buffer = cycle(buffers).__next__

    def read_into_buffer(descriptor: int, length: int, offset: int) -> Read:
        buffer = next_buffer()
        read = preadv(descriptor, buffer, offset)
        return buffer[0] if read == block else buffer[0][: min(read, length)]

    return read_into_buffer
