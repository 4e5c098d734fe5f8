"""The samples that a reader has handed over, wherever they are."""

import ctypes
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray


def handed_over(result: Any) -> Iterator[NDArray[np.int16]]:
    """The samples of each read where they are, so that a test can change them."""
    if hasattr(result, "pointers"):
        from workloads.signal.slow5lib import Record

        for address in result.pointers:
            record = Record.from_address(address)
            yield _in_memory(record.raw_signal, record.len_raw_signal)
    elif hasattr(result, "signals"):
        for address, row in zip(result.signals, result.rows, strict=True):
            yield _in_memory(address, row.num_samples)
    else:
        for one in result.found:
            yield one["signal"] if isinstance(one, dict) else one[1]


def _in_memory(address: int | None, count: int) -> NDArray[np.int16]:
    if not count:
        return np.empty(0, np.int16)
    return np.frombuffer((ctypes.c_int16 * count).from_address(address or 0), np.int16)
