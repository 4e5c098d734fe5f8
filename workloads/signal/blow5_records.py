"""Records of BLOW5 in slow5lib's memory, as they are in the file and decoded."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from ctypes import byref, c_size_t, c_uint64, c_void_p
from pathlib import Path
from typing import Any

from workloads.signal import blow5, slow5types
from workloads.signal.jobs import Wanted
from workloads.signal.reads import RUN, Read, channel_of, run_texts, sample_facts, scale_of
from workloads.signal.slow5header import WANTED
from workloads.signal.slow5lib import (
    Handle,
    Record,
    Slow5Error,
    aux_integer,
    libc,
    samples_at,
    slow5,
)
from workloads.signal.slow5links import opened_by_name


class Source:
    """An open file, where it stands, and which fields its records have."""

    def __init__(self, path: Path, cache: Path, index: Path | None) -> None:
        header = blow5.read_header(path)
        self.handle = Handle(opened_by_name(path, cache), path)
        self.kinds = {name: kind for name, kind in header.fields if name in WANTED}
        self.at = -1
        self._runs: dict[int, tuple[str, str, str, str, str]] = {}
        if index is not None:
            self.handle.load_index(index)

    def run(self, group: int) -> tuple[str, str, str, str, str]:
        """The texts of a read group."""
        if group not in self._runs:
            self._runs[group] = run_texts({name: self.handle.text(name, group) for name in RUN})
        return self._runs[group]


class Records:
    """Decoded records in slow5lib's memory, freed when nobody uses them any more."""

    def __init__(self, source: Source, count: int, size: int, free: Callable[[], object]) -> None:
        self.bytes = size
        self.pointers = (c_void_p * count)()
        self._source = source
        self.free = free

    def __len__(self) -> int:
        return len(self.pointers)

    def __iter__(self) -> Iterator[Read]:
        return map(self._read, self.pointers)

    def _read(self, address: int | None) -> Read:
        if not address:
            raise Slow5Error("slow5lib left a record out")
        record = Record.from_address(address)
        channel, number, mux, start = (self._field(address, name) for name in WANTED)
        return Read(
            record.read_id.decode("utf-8", "replace"),
            scale_of(record.range, record.digitisation),
            record.offset,
            record.sampling_rate,
            *sample_facts(samples_at(record.raw_signal, record.len_raw_signal)),
            channel_of(channel),
            number,
            mux,
            start,
            *self._source.run(record.read_group),
        )

    def _field(self, address: int, name: str) -> Any:
        """An auxiliary field by its type in the file; None for a missing one."""
        kind = self._source.kinds.get(name)
        if kind is None:
            return None
        if kind != slow5types.TEXT:
            return slow5types.present(kind, aux_integer(kind)(address, name.encode(), None))
        length = c_uint64()
        text = slow5().slow5_aux_get_string(address, name.encode(), byref(length), None)
        return ctypes.string_at(text, length.value).decode("utf-8", "replace") if text else None

    def __del__(self) -> None:
        self.free()


class RawRecords:
    """Raw records in slow5lib's memory, freed when nobody uses them any more."""

    def __init__(self, source: Source, wanted: Wanted, size: int) -> None:
        count = len(wanted.numbers)
        self.source, self.wanted = source, wanted
        self.bytes = size
        self.memory = (c_void_p * count)()
        self.sizes = (c_size_t * count)()

    @property
    def addresses(self) -> tuple[int, int]:
        """Where the pointers and the sizes are."""
        return ctypes.addressof(self.memory), ctypes.addressof(self.sizes)

    def __len__(self) -> int:
        return len(self.memory)

    def __iter__(self) -> Iterator[bytes]:
        for address, size in zip(self.memory, self.sizes, strict=True):
            yield ctypes.string_at(address, size) if address else b""

    def __del__(self) -> None:
        free = libc().free
        for address in self.memory:
            if address:
                free(address)
