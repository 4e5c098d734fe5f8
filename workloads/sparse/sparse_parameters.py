"""The parameters of calls on a sparse file."""

from __future__ import annotations

from dataclasses import dataclass

from core import Option, choice, flag, integer
from workloads.sparse.drivers import NATIVE, PYTHON

_MIB = 1 << 20
_SIZED = ("gap", "stride", "contiguous", "overwrite")


@dataclass(frozen=True, kw_only=True)
class SparseParameters:
    """Which calls, from which language, on which blocks."""

    operation: str = choice(
        "read",
        options={
            "read": "Read each block of a file that is filled before the clock starts.",
            "need": "Ask which parts of a range a file lacks; it is filled before the clock starts.",
            "write": "Write all blocks into an empty file; one such pass is timed as a whole.",
        },
        help="What is done with the sparse file.",
    )
    language: str = choice(
        "python",
        options={
            "python": Option(help="svfsc as Python programs use it.", driver=PYTHON),
            "cpp": Option(
                help="svfsc's C++ classes, called by a small program in runs of many calls.",
                driver=NATIVE,
            ),
        },
        help="Language that makes the calls.",
    )
    layout: str = choice(
        "gap",
        options={
            "gap": "Blocks with one byte between them, so that they never merge.",
            "stride": "Blocks that begin every 1024 bytes, or as much further as they are longer.",
            "contiguous": "Blocks without space between them, so that all merge into one.",
            "overwrite": "As contiguous, onto the same bytes that are there already.",
            "index": "The blocks of the dataset: a low-level index of an RP66V1 file.",
        },
        help="Where the blocks are.",
    )
    block_size: int = integer(
        512,
        low=1,
        high=_MIB,
        scale="log2",
        unit="bytes",
        only_when={"layout": _SIZED},
        help="Bytes in each block, and in each read or write.",
    )
    size: int = integer(
        _MIB,
        low=1,
        high=64 * _MIB,
        scale="log2",
        unit="bytes",
        only_when={"layout": _SIZED},
        help="Bytes in all blocks together.",
    )
    need_size: int = integer(
        1024,
        low=1,
        high=16 * _MIB,
        scale="log2",
        unit="bytes",
        only_when={"operation": ("need",)},
        help="Bytes that each need asks about.",
    )
    need_at: str = choice(
        "tiled",
        options={
            "tiled": "One range after the other over the whole file, or ten stretches of it where these are too many.",
            "start": "The file's first bytes, again and again.",
            "middle": "From 512 KiB on, again and again.",
        },
        only_when={"operation": ("need",)},
        help="Ranges that need asks about.",
    )
    greedy_length: int = integer(
        0,
        low=0,
        high=16 * _MIB,
        unit="bytes",
        only_when={"operation": ("need",)},
        help="Least bytes to fetch at once when some are missing. 0 = only what is missing.",
    )
    holder: str = choice(
        "file",
        options={
            "file": "One sparse file by itself.",
            "file-system": "A sparse file system, in which every call looks the file up by its name.",
        },
        help="What holds the blocks.",
    )
    sharing: str = choice(
        "whole",
        options={
            "whole": "Every thread writes the whole file: with more threads there is more to do.",
            "split": "Every thread writes its own part: together they write the file once.",
        },
        only_when={"operation": ("write",)},
        help="What each of several writing threads writes.",
    )
    mutex: bool = flag(
        False,
        only_when={"language": ("cpp",)},
        help="Lock a mutex in every call of the C++ classes. Several threads need it.",
    )
    compare: bool = flag(True, help="Have writes compare with the bytes that are there already.")
    calls: int = integer(
        10_000,
        low=1,
        high=_MIB,
        scale="log10",
        only_when={"language": ("cpp",), "operation": ("read", "need")},
        help="Most calls in a run, which is what the engine times.",
    )
