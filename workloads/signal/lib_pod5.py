"""lib_pod5's C functions through ctypes, on the library inside its wheel; the GIL is let go.

Whether a file is really mapped into this process is checked: the libraries fall back silently.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import POINTER, Structure, c_char_p, c_float, c_int, c_int64, c_size_t, c_void_p
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from core import SluiceError, Unavailable
from workloads.signal.signal_parameters import LIB_POD5_DRIVER
from workloads.signal.slow5lib import declare

_SERIES = "0.3."
ROW_VERSION = 3
"""Of the structure `Row`."""
_P = c_void_p
_SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "pod5_init": (c_int, ()),
    "pod5_get_error_string": (c_char_p, ()),
    "pod5_open_file_options": (_P, (c_char_p, _P)),
    "pod5_close_and_free_reader": (c_int, (_P,)),
    "pod5_get_read_batch_count": (c_int, (_P, _P)),
    "pod5_get_read_batch": (c_int, (_P, _P, c_size_t)),
    "pod5_free_read_batch": (c_int, (_P,)),
    "pod5_get_read_batch_row_info_data": (c_int, (_P, c_size_t, ctypes.c_uint16, _P, _P)),
    "pod5_get_run_info": (c_int, (_P, ctypes.c_int16, _P)),
    "pod5_free_run_info": (c_int, (_P,)),
    "pod5_get_read_complete_signal": (c_int, (_P, _P, c_size_t, c_size_t, _P)),
    "pod5_plan_traversal": (c_int, (_P, _P, c_size_t, _P, _P, _P)),
}


class ReadRow(Structure):
    """`struct ReadBatchRowInfoV3`."""

    _fields_ = (
        ("read_id", ctypes.c_uint8 * 16),
        ("read_number", ctypes.c_uint32),
        ("start_sample", ctypes.c_uint64),
        ("median_before", c_float),
        ("channel", ctypes.c_uint16),
        ("well", ctypes.c_uint8),
        ("pore_type", ctypes.c_int16),
        ("calibration_offset", c_float),
        ("calibration_scale", c_float),
        ("end_reason", ctypes.c_int16),
        ("end_reason_forced", ctypes.c_uint8),
        ("run_info", ctypes.c_int16),
        ("num_minknow_events", ctypes.c_uint64),
        ("tracked_scaling_scale", c_float),
        ("tracked_scaling_shift", c_float),
        ("predicted_scaling_scale", c_float),
        ("predicted_scaling_shift", c_float),
        ("num_reads_since_mux_change", ctypes.c_uint32),
        ("time_since_mux_change", c_float),
        ("signal_row_count", c_int64),
        ("num_samples", ctypes.c_uint64),
    )


class _Pairs(Structure):
    _fields_ = (("size", c_size_t), ("keys", _P), ("values", _P))


class RunInfo(Structure):
    _fields_ = (
        ("acquisition_id", c_char_p),
        ("acquisition_start_time_ms", c_int64),
        ("adc_max", ctypes.c_int16),
        ("adc_min", ctypes.c_int16),
        ("context_tags", _Pairs),
        ("experiment_name", c_char_p),
        ("flow_cell_id", c_char_p),
        ("flow_cell_product_code", c_char_p),
        ("protocol_name", c_char_p),
        ("protocol_run_id", c_char_p),
        ("protocol_start_time_ms", c_int64),
        ("sample_id", c_char_p),
        ("sample_rate", ctypes.c_uint16),
        ("sequencing_kit", c_char_p),
        ("sequencer_position", c_char_p),
    )


class _Options(Structure):
    _fields_ = (("force_disable_file_mapping", ctypes.c_char),)


class Pod5Error(SluiceError):
    """lib_pod5 returned an error."""


@lru_cache
def pod5() -> Any:
    """The library, its functions declared; raises Unavailable."""
    LIB_POD5_DRIVER.require()
    version = LIB_POD5_DRIVER.version
    if not version.startswith(_SERIES):
        raise Unavailable(
            f"unavailable: lib_pod5's structures are known for 0.3, this is {version}",
            f"install: {LIB_POD5_DRIVER.install}",
        )
    found = find_spec(LIB_POD5_DRIVER.module)
    folder = Path(found.origin).parent if found and found.origin else Path()
    libraries = sorted(folder.glob("pod5_format_pybind*.so"))
    if not libraries:
        raise Unavailable("unavailable: lib_pod5 has no shared library here")
    loaded = ctypes.CDLL(str(libraries[0]))
    declare(loaded, _SIGNATURES, "lib_pod5")
    loaded.pod5_init()
    return loaded


def require(code: int, doing: str) -> None:
    """Raise Pod5Error unless the code says that all is well."""
    if code:
        told = pod5().pod5_get_error_string()
        raise Pod5Error(f"lib_pod5 cannot {doing}: {(told or b'').decode('utf-8', 'replace')}")


class Pod5Handle:
    def __init__(self, path: Path, *, mapped: bool) -> None:
        self.pointer = 0
        library = pod5()
        options = _Options(b"\0" if mapped else b"\1")
        opened = library.pod5_open_file_options(str(path).encode(), ctypes.byref(options))
        if not opened:
            require(1, f"open {path}")
        self.pointer = opened
        count = c_size_t()
        require(library.pod5_get_read_batch_count(ctypes.byref(count), opened), "count batches")
        self.batches = count.value

    def batch(self, index: int) -> ReadBatch:
        return ReadBatch(self, index)

    def plan(self, ids: bytes) -> list[tuple[int, int]]:
        """Batch and row of reads by the 16 bytes of their ids, in the order of the file."""
        count = len(ids) // 16
        counts, rows = (ctypes.c_uint32 * self.batches)(), (ctypes.c_uint32 * count)()
        found = c_size_t()
        code = pod5().pod5_plan_traversal(
            self.pointer, ids, count, counts, rows, ctypes.byref(found)
        )
        require(code, "plan the reads")
        if found.value != count:
            raise Pod5Error(f"lib_pod5 finds {found.value:,} of {count:,} reads")
        every = iter(rows)
        return [(batch, next(every)) for batch, n in enumerate(counts) for _ in range(n)]

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        if self.pointer:
            pod5().pod5_close_and_free_reader(self.pointer)
            self.pointer = 0


class ReadBatch:
    """A batch of the table of reads; lives as long as somebody has it."""

    def __init__(self, handle: Pod5Handle, index: int) -> None:
        self.pointer = 0
        self.handle = handle  # must not be closed before
        self.index = index
        pointer = c_void_p()
        code = pod5().pod5_get_read_batch(ctypes.byref(pointer), handle.pointer, index)
        require(code, f"read batch {index} of the reads")
        self.pointer = pointer.value or 0

    def __del__(self) -> None:
        if self.pointer:
            pod5().pod5_free_read_batch(self.pointer)


def run_info_at(address: int) -> RunInfo:
    return ctypes.cast(address, POINTER(RunInfo)).contents


_MAPS = Path("/proc/self/maps")


def mapped_bytes(path: Path) -> int | None:
    """Bytes of a file that are mapped into this process; None where that is unknown."""
    try:
        lines = _MAPS.read_bytes().splitlines()
    except OSError:
        return None
    wanted = str(path.resolve()).encode("utf-8", "surrogateescape").replace(b"\n", b"\\012")
    total = 0
    for line in lines:
        parts = line.split(maxsplit=5)
        if len(parts) == 6 and parts[5] == wanted:
            first, last = parts[0].split(b"-")
            total += int(last, 16) - int(first, 16)
    return total


@contextmanager
def proved_mapping(path: Path, *, wanted: bool) -> Iterator[None]:
    """Raise SluiceError where the opened files are mapped but should not be, or the reverse."""
    before = mapped_bytes(path)
    yield
    after = mapped_bytes(path)
    if before is None or after is None:
        return
    if wanted and after <= before:
        raise SluiceError(
            f"{path} was not mapped: the library fell back to plain reads",
            "choose the reader with plain reads",
        )
    if after > before and not wanted:
        raise SluiceError(f"{path} was mapped though plain reads were asked for")
