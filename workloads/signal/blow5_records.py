"""BLOW5 in slow5lib's memory: records as they are in the file, and decoded.

Also what slow5lib needs beside a file: a link under the right name, an index of the reads' ids.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterator, Sequence
from ctypes import byref, c_size_t, c_uint64, c_void_p
from pathlib import Path
from typing import Any

from core import ReportProgress, file_state, report_to_nobody, written_once
from workloads.shared.datasets import linked
from workloads.signal import blow5, slow5_format
from workloads.signal.catalogue import Catalogue
from workloads.signal.reads import RUN, Read, channel_of, run_texts, sample_facts, scale_of
from workloads.signal.signal_jobs import ReadRequest
from workloads.signal.slow5_format import AUXILIARY
from workloads.signal.slow5lib import (
    Slow5Error,
    Slow5Handle,
    Slow5Record,
    aux_integer,
    libc,
    samples_at,
    slow5,
)

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
    plain = str(path).isprintable() and path.name.endswith(_suffix(path))
    return path if plain else linked_by_name(path, cache)


def _suffix(path: Path) -> str:
    return ".slow5" if blow5.read_header(path).text else ".blow5"


def linked_by_name(path: Path, cache: Path) -> Path:
    """A link to the file in the cache folder, beside which slow5lib's index may be.

    Its name ends as slow5lib expects for the content, with any ending of the file's own name, and
    begins with that, so that it is recognised in slow5lib's messages.
    """
    name = re.sub(r"[^\w.-]", "_", path.stem, flags=re.ASCII)[:_LONGEST_NAME]
    link = cache / "slow5" / file_state(path) / f"{name}{_suffix(path)}"
    link.parent.mkdir(parents=True, exist_ok=True)
    return linked(link, path)


class RecordSource:
    """An open file, where it stands, and which fields its records have."""

    def __init__(self, path: Path, cache: Path, index: Path | None) -> None:
        header = blow5.read_header(path)
        self.handle = Slow5Handle(opened_by_name(path, cache), path)
        self.kinds = {name: kind for name, kind in header.fields if name in AUXILIARY}
        self.at = -1
        self._runs: dict[int, tuple[str, str, str, str, str]] = {}
        if index is not None:
            self.handle.load_index(index)

    def run(self, group: int) -> tuple[str, str, str, str, str]:
        if group not in self._runs:
            self._runs[group] = run_texts({name: self.handle.text(name, group) for name in RUN})
        return self._runs[group]


class Records:
    """Decoded records in slow5lib's memory, freed when nobody uses them any more."""

    def __init__(
        self, source: RecordSource, count: int, size: int, free: Callable[[], object]
    ) -> None:
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
        record = Slow5Record.from_address(address)
        channel, number, mux, start = (self._field(address, name) for name in AUXILIARY)
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
        if kind != slow5_format.TEXT:
            return slow5_format.present(kind, aux_integer(kind)(address, name.encode(), None))
        length = c_uint64()
        text = slow5().slow5_aux_get_string(address, name.encode(), byref(length), None)
        return ctypes.string_at(text, length.value).decode("utf-8", "replace") if text else None

    def __del__(self) -> None:
        self.free()


class RawRecords:
    """Raw records in slow5lib's memory, freed when nobody uses them any more."""

    def __init__(self, source: RecordSource, wanted: ReadRequest, size: int) -> None:
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
