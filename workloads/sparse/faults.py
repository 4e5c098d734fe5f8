"""Faults of svfsc 0.4.1 that programs need to know, and how to avoid the first.

A write that begins after an earlier block's end and touches the next block is not merged with
it.  The bytes are there, but no read reaches from one block into the other, and `has_data`
denies them:

    write(32, 9 bytes); write(68, 19 bytes); write(60, 8 bytes)
    blocks() == ((32, 9), (60, 8), (68, 19)); has_data(60, 16) is False; read(60, 16) raises

Such writes arise naturally from need → fetch → write.  Fetching whole pages and reading page by
page avoids the fault, because a page never lies in two blocks.

The second fault: a write that compares with the existing bytes refuses other bytes only where the
first one differs.  `write(0, b"abcd"); write(0, b"abXd")` neither raises nor changes anything.
"""

from __future__ import annotations

PAGE = 4096


def coalescing_fault() -> bool:
    """Whether the installed svfsc has the fault: its minimal case."""
    import svfsc

    svf = svfsc.cSVF("minimal case")
    for position, length in ((32, 9), (68, 19), (60, 8)):
        svf.write(position, bytes(length))
    return not svf.has_data(60, 16)


def pages(position: int, length: int, end: int) -> list[tuple[int, int]]:
    """The pages of a file of `end` bytes that hold a range; the file's last may be short."""
    first = position - position % PAGE
    return [(start, min(PAGE, end - start)) for start in range(first, position + length, PAGE)]
