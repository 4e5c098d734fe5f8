"""A separate process for files that can end it: the answer of the oracle, a decoder or a reader.

Reads lines `WHAT<tab>PATH` and answers each with a line of JSON.  WHAT is `oracle`, the name of a
decoder in `signal_decoding`, or a reader's and how it is to read: `blow5-c random`.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import shutil
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import signal_decoding as decoding
from driving import drive
from numpy.typing import NDArray

from core.language import DatasetError, SluiceError, report_to_nobody
from core.measure import find_dataset
from workloads.signal.catalogue import catalogue
from workloads.signal.reads import Read


def _cache() -> Path:
    return Path(os.environ["SLUICE_CACHE"])


def answered(what: str, path: Path) -> dict[str, Any]:
    """What came of it."""
    shutil.rmtree(_cache(), ignore_errors=True)
    if what == "oracle":
        return by_oracle(path)
    decode = getattr(decoding, what, None)
    if decode is None:
        return by_reader(*what.split(), path=path)
    try:
        return {"reads": decode(path)}
    except decoding.Refused as refusal:
        return {"refused": str(refusal)}


def by_oracle(path: Path) -> dict[str, Any]:
    """The oracle's reads, without the digest of samples that only an independent decoder has."""
    try:
        find_dataset("signal", path)
        reads = catalogue(path, 10**6, _cache(), report_to_nobody).reads
    except DatasetError as refusal:
        return {"refused": str(refusal)}
    return {"reads": [plain(read) for read in reads]}


def plain(read: Read) -> list[Any]:
    """A read as the oracle or a reader gives it."""
    calibration = (read.scale, read.offset, read.sampling_rate)
    return [
        read.read_id,
        *(value.hex() if value == value else "nan" for value in map(float, calibration)),
        read.length,
        read.crc,
        *(read.channel, read.read_number, read.mux, read.start),
        read.run_id,
    ]


def by_reader(reader: str, access: str, path: Path) -> dict[str, Any]:
    """A pass of a reader as the engine would make it, with digests of what it hands over."""
    try:
        driven = drive("signal", path, reader=reader, access=access, batch_size=5)
    except DatasetError as refusal:
        return {"refused": str(refusal)}
    except (SluiceError, RuntimeError, OSError) as error:
        return {"unopened": f"{type(error).__name__}: {error}"}
    return {
        "complaints": driven.complaints,
        "errors": [f"{type(error).__name__}: {error}" for error in driven.errors],
        "items": [driven.job.describe(item) for item in driven.job.items],
        "reads": [
            decoding.told(
                read.read_id,
                (read.scale, read.offset, read.sampling_rate),
                samples,
                (read.channel, read.read_number, read.mux, read.start),
                read.run_id,
            )
            for _, result in driven.results
            for read, samples in zip(result, handed_over(result), strict=True)
        ],
    }


def handed_over(result: Any) -> Iterator[NDArray[np.int16]]:
    """The samples of each read where they are, so that a test can change them."""
    if hasattr(result, "pointers"):
        from workloads.signal.slow5lib import Slow5Record

        for address in result.pointers:
            record = Slow5Record.from_address(address)
            yield _in_memory(record.raw_signal, record.len_raw_signal)
    elif hasattr(result, "signals"):
        for address, row in zip(result.signals, result.rows, strict=True):
            yield _in_memory(address, row.num_samples)
    else:
        for one in result.records:
            yield one["signal"] if isinstance(one, dict) else one[1]


def _in_memory(address: int | None, count: int) -> NDArray[np.int16]:
    if not count:
        return np.empty(0, np.int16)
    return np.frombuffer((ctypes.c_int16 * count).from_address(address or 0), np.int16)


def main() -> None:
    """Answer until nobody asks any more."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print must not get among the answers
    for line in sys.stdin:
        what, _, path = line.rstrip("\n").partition("\t")
        gc.collect()  # what the one before has mapped must be gone
        try:
            found = answered(what, Path(path))
        except Exception:  # noqa: BLE001 -- a fault of what is tested, which is told
            found = {"raised": traceback.format_exc()}
        answers.write(json.dumps(found) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
