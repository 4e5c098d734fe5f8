"""Batches of slow5lib's by the harness in C: one call for each, which is timed there."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import Structure, byref, c_int, c_int64, c_void_p

from workloads.signal import native_pool
from workloads.signal.native_pool import address
from workloads.signal.slow5lib import slow5

_CALLS = (
    *("slow5_init_batch", "slow5_init_mt", "slow5_free_mt"),
    *("slow5_get_next_batch", "slow5_get_batch"),
)


class _Library(Structure):
    _fields_ = tuple((name, c_void_p) for name in _CALLS)


class NativeBatch(Structure):
    """`struct wanted` of the harness: what is wanted, and what came of it."""

    _fields_ = (
        ("file", c_void_p),
        ("stream", c_void_p),
        ("first", c_int64),
        ("ids", c_void_p),
        ("threads", c_int),
        ("count", c_int),
        ("batch", c_void_p),
        ("got", c_int),
        ("took", c_int64),
    )


type Fetch = Callable[[NativeBatch], None]


def fetching() -> Fetch | None:
    """What fetches a batch; None where there is no C compiler, or one that cannot compile it."""
    harness = native_pool.library()
    if harness is None:
        return None
    library = _Library(**{name: address(getattr(slow5(), name)) for name in _CALLS})

    def fetch(batch: NativeBatch) -> None:
        harness.signal_batch(byref(library), byref(batch))

    return fetch
