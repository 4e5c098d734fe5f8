"""BLOW5 by pyslow5: `blow5-python`."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from core import SluiceError, Step
from workloads.signal import blow5, slow5types
from workloads.signal.blow5_records import indexes_of, linked_by_name, opened_by_name
from workloads.signal.catalogue import Catalogue
from workloads.signal.jobs import OpenFiles, ReadRequest, SignalJob
from workloads.signal.reads import RUN, Read, channel_of, run_texts, sample_facts, scale_of
from workloads.signal.slow5header import AUXILIARY


class _Records:
    """Records as pyslow5 gives them: a dictionary each."""

    def __init__(self, found: list[dict[str, Any]], file: _Opened, size: int) -> None:
        self.found, self.bytes = found, size
        self._file = file

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[Read]:
        for record in self.found:
            signal = record["signal"]
            channel, number, mux, start = (self._field(record, name) for name in AUXILIARY)
            yield Read(
                record["read_id"],
                scale_of(record["range"], record["digitisation"]),
                record["offset"],
                record["sampling_rate"],
                *sample_facts(signal),
                channel_of(channel),
                number,
                mux,
                start,
                *self._file.runs[record["read_group"]],
            )

    def _field(self, record: Mapping[str, Any], name: str) -> Any:
        """An auxiliary field; None for a missing one."""
        value, kind = record.get(name), self._file.kinds.get(name)
        if value is None or kind is None or kind == slow5types.TEXT:
            return value
        return slow5types.present(kind, int(value))


class _Opened:
    """A file of pyslow5's: which read comes next, and the texts of its read groups."""

    def __init__(self, path: Path) -> None:
        import pyslow5

        self.file = pyslow5.Open(str(path), "r")
        logger = logging.getLogger("pyslow5")
        logger.handlers.clear()  # each file adds one
        header = blow5.read_header(path)
        self.runs = [
            run_texts(
                {
                    # pyslow5 ends the process when it is asked for one that is not there.
                    name: self.file.get_header_value(name, read_group=number)
                    for name in RUN
                    if name in group
                }
            )
            for number, group in enumerate(header.groups)
        ]
        self.kinds = dict(header.fields)
        self.coming: Iterator[dict[str, Any]] = iter(())
        self.next = -1


class PythonBlow5Job(SignalJob):
    """pyslow5's calls for all reads in order, for many at once, and for a list of them.

    It cannot start within a file: where several processes share the reads, each gets its own by
    their ids, in the order of the file.
    """

    def __init__(
        self,
        catalogues: Sequence[Catalogue],
        items: Sequence[ReadRequest],
        threads: int,
        cache: Path,
        *,
        by_id: bool,
    ) -> None:
        super().__init__(catalogues, items)
        self._threads, self._by_id = threads, by_id
        if by_id:
            indexes_of(catalogues, cache)  # where pyslow5 looks: beside the link
        self._files = OpenFiles(lambda number: _Opened(self._name_of(number, cache)))
        self._files[0]

    def _name_of(self, number: int, cache: Path) -> Path:
        path = self.catalogues[number].path
        return linked_by_name(path, cache) if self._by_id else opened_by_name(path, cache)

    def steps(self) -> tuple[Step, ...]:
        """One: pyslow5 does not tell its phases apart."""
        return (Step("read", self._listed if self._by_id else self._next),)

    def _next(self, wanted: ReadRequest) -> _Records:
        opened, first = self._files[wanted.file], wanted.numbers[0]
        if opened.next != first:
            self._restart(wanted.file)
            opened = self._files[wanted.file]
            for _ in islice(opened.coming, first):
                pass
        found = list(islice(opened.coming, len(wanted.numbers)))
        opened.next = first + len(found)
        return _Records(found, opened, self.stored(wanted))

    def _restart(self, number: int) -> None:
        opened = self._files[number]
        if opened.next >= 0:  # pyslow5 cannot go back
            opened = self._files.again(number)
        if self._threads == 1:
            opened.coming = opened.file.seq_reads(aux="all")
        else:
            batch = len(self.items[0].numbers)
            opened.coming = opened.file.seq_reads_multi(
                threads=self._threads, batchsize=batch, aux="all"
            )

    def _listed(self, wanted: ReadRequest) -> _Records:
        opened, reads = self._files[wanted.file], self.catalogues[wanted.file].reads
        ids = [reads[number].read_id for number in wanted.numbers]
        got = opened.file.get_read_list_multi(
            ids, threads=self._threads, batchsize=len(ids), aux="all"
        )
        found = list(got)
        missing = next((place for place, record in enumerate(found) if record is None), None)
        if missing is not None:
            what = f"{self.read_of(wanted, missing)} of {self.file_of(wanted)}"
            raise SluiceError(f"pyslow5 left {what} out")
        return _Records(found, opened, self.stored(wanted))

    def close(self) -> None:
        """Let go of the files."""
        self._files.clear()
