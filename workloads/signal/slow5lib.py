"""slow5lib through ctypes, on the library inside pyslow5's wheel.

The wheel's extension module exports slow5lib's C functions.  ctypes lets go of the GIL while one
of them runs, and they return an error where pyslow5 would end the process.

Beside a file slow5lib needs a name that tells its content, and an index of the reads' ids.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Sequence
from ctypes import POINTER, Structure, c_char_p, c_double, c_int, c_size_t, c_void_p
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core import (
    Driver,
    ReportProgress,
    SluiceError,
    Unavailable,
    file_state,
    report_to_nobody,
    written_once,
)
from workloads.shared.datasets import linked
from workloads.signal import slow5_records_oracle
from workloads.signal.catalogue import Catalogue
from workloads.signal.signal_parameters import PYSLOW5_DRIVER
from workloads.signal.slow5_fields_oracle import INTEGERS, greatest_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ERRORS_ALONE = 1
MEANINGS = {
    0: "it gives no reason",
    -1: "end of the file",
    -2: "an argument is missing",
    -3: "the file is cut off",
    -4: "a record cannot be parsed",
    -5: "the file cannot be read",
    -6: "there is no index",
    -7: "the read is not in the index",
    -10: "there is no memory",
    -13: "the data cannot be decompressed",
    -14: "this is not BLOW5",
    -15: "the version is not known",
    -16: "the header cannot be parsed",
}
_P = c_void_p
_SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "slow5_open": (_P, (c_char_p, c_char_p)),
    "slow5_close": (c_int, (_P,)),
    "slow5_get_next_bytes": (c_int, (_P, _P, _P)),
    "slow5_decode": (c_int, (_P, _P, _P, _P)),
    "slow5_ptr_depress_solo": (_P, (c_int, _P, c_size_t, _P)),
    "slow5_rec_parse": (c_int, (_P, c_size_t, _P, _P, c_int, _P, c_int)),
    "slow5_get_mem": (_P, (c_char_p, _P, _P)),
    "slow5_rec_free": (None, (_P,)),
    "slow5_hdr_get": (c_char_p, (c_char_p, ctypes.c_uint32, _P)),
    **{
        f"slow5_aux_get_{kind}": (getattr(ctypes, f"c_{kind}"), (_P, c_char_p, _P))
        for kind in (name.removesuffix("_t") for name in INTEGERS)
    },
    "slow5_aux_get_string": (_P, (_P, c_char_p, _P, _P)),
    "slow5_idx_to": (c_int, (_P, c_char_p)),
    "slow5_idx_load_with": (c_int, (_P, c_char_p)),
    "slow5_idx_unload": (None, (_P,)),
    "slow5_init_mt": (_P, (c_int, _P)),
    "slow5_free_mt": (None, (_P,)),
    "slow5_init_batch": (_P, (c_int,)),
    "slow5_free_batch": (None, (_P,)),
    "slow5_get_next_batch": (c_int, (_P, _P, c_int)),
    "slow5_get_batch": (c_int, (_P, _P, _P, c_int)),
    "slow5_errno_location": (POINTER(c_int), ()),
    "slow5_set_log_level": (None, (c_int,)),
    "slow5_set_exit_condition": (None, (c_int,)),
}


class Slow5Record(Structure):
    _fields_ = (
        ("read_id_len", ctypes.c_uint16),
        ("read_id", c_char_p),
        ("read_group", ctypes.c_uint32),
        ("digitisation", c_double),
        ("offset", c_double),
        ("range", c_double),
        ("sampling_rate", c_double),
        ("len_raw_signal", ctypes.c_uint64),
        ("raw_signal", c_void_p),
        ("aux_map", c_void_p),
    )


class File(Structure):
    """`struct slow5_file`, as far as it is needed."""

    _fields_ = (("fp", c_void_p), ("format", c_int), ("compress", c_void_p), ("header", c_void_p))


class _Header(Structure):
    _fields_ = (
        ("version", ctypes.c_uint8 * 3),
        ("num_read_groups", ctypes.c_uint32),
        ("num_attrs", ctypes.c_uint32),
        ("attrs", c_void_p),
        ("maps_used", c_size_t),
        ("maps_room", c_size_t),
        ("maps", c_void_p),
        ("aux_meta", c_void_p),
    )


class _Press(Structure):
    _fields_ = (("record", POINTER(c_int)), ("signal", POINTER(c_int)))


class Slow5Batch(Structure):
    _fields_ = (
        ("n_rec", ctypes.c_int32),
        ("capacity_rec", ctypes.c_int32),
        ("mem_records", c_void_p),
        ("mem_bytes", c_void_p),
        ("slow5_rec", c_void_p),
        ("rid", c_void_p),
    )


class Slow5Error(SluiceError):
    """slow5lib returned an error."""


@lru_cache
def slow5() -> Any:
    """The library, its functions declared; raises Unavailable."""
    require_series(PYSLOW5_DRIVER, "1.")
    module = find_spec(PYSLOW5_DRIVER.module)
    loaded = ctypes.CDLL(str(module.origin if module else ""))
    declare(loaded, _SIGNATURES, "pyslow5")
    # What it returns is said here; where it leaves on its own, what it wrote is all that is known.
    loaded.slow5_set_log_level(_ERRORS_ALONE)
    loaded.slow5_set_exit_condition(0)  # return errors, do not leave
    return loaded


def require_series(driver: Driver, series: str) -> None:
    """Raise Unavailable unless a library is there whose structures are as declared here."""
    driver.require()
    if not driver.version.startswith(series):
        raise Unavailable(
            f"unavailable: the structures of {driver.distribution} are known for {series}x,"
            f" this is {driver.version}",
            f"install: {driver.install}",
        )


def aux_integer(kind: str, name: str) -> Callable[[int], int | None]:
    """The function that gives an auxiliary field of an integer type; None for a missing one."""
    get: Callable[[int, bytes, None], int]
    get = getattr(slow5(), f"slow5_aux_get_{kind.removesuffix('_t')}")
    encoded, greatest = name.encode(), greatest_of(kind)

    def value(record: int) -> int | None:
        return None if (value := get(record, encoded, None)) == greatest else value

    return value


def declare(loaded: Any, signatures: Any, name: str) -> None:
    """Tell ctypes the types of functions; raises Unavailable where one is missing."""
    for function, (result, arguments) in signatures.items():
        try:
            callee = getattr(loaded, function)
        except AttributeError:
            raise Unavailable(
                f"unavailable: this {name} does not export {function}",
                "install: a wheel that does, or choose another reader",
            ) from None
        callee.restype, callee.argtypes = result, arguments


@lru_cache
def libc() -> Any:
    """The C library's functions that are needed beside."""
    loaded = ctypes.CDLL(None)
    loaded.free.restype, loaded.free.argtypes = None, (c_void_p,)
    loaded.malloc.restype, loaded.malloc.argtypes = c_void_p, (c_size_t,)
    loaded.fseeko.restype, loaded.fseeko.argtypes = c_int, (c_void_p, ctypes.c_long, c_int)
    return loaded


def failure() -> str:
    """Why the last call of this thread failed."""
    code = slow5().slow5_errno_location().contents.value
    return MEANINGS.get(code, f"slow5lib's error {code}")


class Slow5Handle:
    """An open file of slow5lib's: a link to `of`, which messages name."""

    def __init__(self, path: Path, of: Path) -> None:
        self.pointer = 0
        self._of = of
        self._library = slow5()
        self.pointer = self._library.slow5_open(str(path).encode(), b"r") or 0
        if not self.pointer:
            raise Slow5Error(f"slow5lib cannot open {of}: {failure()}")
        self._file = File.from_address(self.pointer)
        self.header: int = self._file.header
        self.form: int = self._file.format
        """Text or binary, as slow5lib numbers them."""
        self._indexed = False

    @property
    def methods(self) -> tuple[int, int]:
        """How records and signals are compressed, as slow5lib numbers it; 0 = not."""
        if not self._file.compress:
            return 0, 0
        press = _Press.from_address(self._file.compress)
        return press.record.contents.value, press.signal.contents.value

    @property
    def aux_meta(self) -> int | None:
        """What the header says of auxiliary fields."""
        address: int | None = _Header.from_address(self.header).aux_meta
        return address

    @property
    def stream(self) -> int:
        return int(self._file.fp)

    def seek(self, offset: int) -> None:
        if libc().fseeko(self.stream, offset, 0):
            raise self.seek_error(offset)

    def seek_error(self, offset: int) -> Slow5Error:
        return Slow5Error(f"slow5lib cannot go to byte {offset:,} of {self._of}")

    def write_index(self, path: Path) -> None:
        if self._library.slow5_idx_to(self.pointer, str(path).encode()):
            raise Slow5Error(
                f"slow5lib cannot build an index of {self._of}: {failure()}",
                "read it in order, if it has an id more than once",
            )

    def load_index(self, path: Path) -> None:
        if self._library.slow5_idx_load_with(self.pointer, str(path).encode()):
            raise Slow5Error(f"slow5lib cannot load its index of {self._of}: {failure()}")
        self._indexed = True

    def text(self, name: str, group: int) -> str | None:
        text = self._library.slow5_hdr_get(name.encode(), group, self.header)
        return None if text is None else text.decode("utf-8", "replace")

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Close it; records that were read stay valid, their header's texts do not."""
        if self.pointer:
            if self._indexed:
                self._library.slow5_idx_unload(self.pointer)
            self._library.slow5_close(self.pointer)
            self.pointer = 0


_READABLE = 0x100
_memory_at = ctypes.pythonapi.PyMemoryView_FromMemory
_memory_at.argtypes, _memory_at.restype = (c_void_p, ctypes.c_ssize_t, c_int), ctypes.py_object


def samples_at(address: int, count: int) -> NDArray[np.int16]:
    """A view of 16-bit samples in memory that belongs to somebody else."""
    import numpy as np

    if not count:
        return np.empty(0, np.int16)
    # A type of ctypes for each length takes longer to make than the samples to add up.
    return np.frombuffer(_memory_at(address, 2 * count, _READABLE), np.int16)


_LONGEST_NAME = 100


def indexes_of(
    catalogues: Sequence[Catalogue], cache: Path, report: ReportProgress = report_to_nobody
) -> list[Path]:
    """slow5lib's index of every file, built in the cache folder where it is missing."""
    return [_index(one.path, cache, report) for one in catalogues]


def _index(path: Path, cache: Path, report: ReportProgress) -> Path:
    report(f"indexing {path.name}")
    link = linked_by_name(path, cache)
    index = link.with_name(link.name + ".idx")

    def build(unfinished: Path) -> None:
        handle = Slow5Handle(opened_by_name(path, cache), path)
        try:
            handle.write_index(unfinished)
        finally:
            handle.close()

    return written_once(index, build, report)


def opened_by_name(path: Path, cache: Path) -> Path:
    """What slow5lib is to open, which it names in its messages: the file itself.

    A link to it where its name is none that slow5lib takes for the content.
    """
    plain = str(path).isprintable() and path.name.endswith(slow5_records_oracle.suffix_of(path))
    return path if plain else linked_by_name(path, cache)


def linked_by_name(path: Path, cache: Path) -> Path:
    """A link to the file in the cache folder, beside which slow5lib's index may be.

    Its name ends as slow5lib expects for the content, with any ending of the file's own name, and
    begins with that, so that it is recognised in slow5lib's messages.
    """
    name = re.sub(r"[^\w.-]", "_", path.stem, flags=re.ASCII)[:_LONGEST_NAME]
    link = cache / "slow5" / file_state(path) / f"{name}{slow5_records_oracle.suffix_of(path)}"
    link.parent.mkdir(parents=True, exist_ok=True)
    return linked(link, path)
