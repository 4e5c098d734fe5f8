"""The kinds of dataset that hold signals: BLOW5, POD5, and folders with both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from core import (
    Dataset,
    DatasetError,
    DatasetKind,
    Tell,
    index_folder,
    regular_files,
    tell_nobody,
    tr,
)
from workloads.signal import blow5
from workloads.signal.catalogue import Catalogue, catalogue
from workloads.signal.signal_shapes import SignalShape
from workloads.signal.signal_sniffing import (
    BLOW5,
    POD5,
    format_of,
    formats,
    press_of,
    require_whole,
    signal_files,
)

EVERY = 10**12
_ORDER = ("zstd", "zlib", "none", "text")
"""Compressions of BLOW5 by preference, for a folder with several and no chosen one."""


class _SignalKind(DatasetKind):
    """Common base of the kinds: files of these formats, beside any other files."""

    formats: ClassVar[frozenset[str]]

    def recognises(self, path: Path) -> bool:
        """True where the first files are of these formats and of no other."""
        return formats(path) == self.formats

    def files(self, path: Path) -> Sequence[Path]:
        """The signal files."""
        return signal_files(path)

    def open(self, path: Path) -> Dataset:
        """The dataset; raises DatasetError for a file that was cut off."""
        for file in self.files(path):
            require_whole(file)
        return super().open(path)

    def explain(self, path: Path) -> DatasetError | None:
        """What a signal file is instead of whole."""
        if path.is_file() and format_of(path) in self.formats:
            try:
                require_whole(path)
            except DatasetError as refusal:
                return refusal
        return None

    def convert(self, path: Path, to: str, folder: Path, tell: Tell) -> None:
        """By blue-crab, into pairs of the same reads: the converted files beside links to these."""
        from workloads.signal.convert import convert

        convert(self.files(path), to, folder, tell)

    def facts(self, path: Path) -> Mapping[str, int | str]:
        """Files, reads, samples, compression."""
        files = self.files(path)
        found = _catalogues(self.open(path), files)
        told: dict[str, int | str] = {"files": len(files)}
        for name in sorted(self.formats):
            group = [one for one in found if format_of(one.path) == name]
            told[f"{name} reads"] = sum(one.total for one in group)
            told[f"{name} samples"] = sum(read.length for one in group for read in one.reads)
        if BLOW5 in self.formats:
            presses = {blow5.read_header(file).press for file in files if format_of(file) == BLOW5}
            told["compression"] = ", ".join(sorted(presses))
        return told


class Signal(_SignalKind):
    """A folder with both formats, possibly of the same reads."""

    name = "signal"
    title = "folder with BLOW5 and POD5"
    shape = SignalShape
    formats = frozenset({BLOW5, POD5})

    def facts(self, path: Path) -> Mapping[str, int | str]:
        """As for each format, and whether they hold the same reads."""
        return {**super().facts(path), "same reads": "yes" if same_reads(self.open(path)) else "no"}

    def make(self, shape: Any, folder: Path, tell: Tell) -> Path:
        """Files of the same noisy steps in each format and compression."""
        from workloads.signal.make_signal import make_folder

        make_folder(shape, folder, tell)
        return folder


class Blow5(_SignalKind):
    """BLOW5 or SLOW5: a file, or a folder of them."""

    name = BLOW5
    title = "BLOW5 or SLOW5"
    formats = frozenset({BLOW5})
    conversions = (POD5,)


class Pod5(_SignalKind):
    """POD5: a file, or a folder of them."""

    name = POD5
    title = "POD5"
    formats = frozenset({POD5})
    conversions = (BLOW5, "blow5-zlib", "blow5-none")


def files_of(path: Path, wanted: str, press: str) -> list[Path]:
    """The files of one format that a run reads, each read once.

    Where a folder has BLOW5 in several compressions, they are assumed to hold the same reads, and
    one is used: the wanted, or the first of zstd, zlib, none, text.  Raises DatasetError.
    """
    files = signal_files(path, wanted)
    if wanted == BLOW5:
        by_press: dict[str, list[Path]] = {}
        for file in files:
            by_press.setdefault(press_of(file), []).append(file)
        chosen = press if press != "any" else next((p for p in _ORDER if p in by_press), "")
        files = by_press.get(chosen, [])
    if not files:
        for file in regular_files(path):
            format_of(file)  # raises what keeps it from being recognised
        what = f"{wanted} with {press}" if press != "any" else wanted
        raise DatasetError(
            tr("{path} holds no {what}", path=path, what=what),
            tr("choose another reader or compression"),
        )
    return files


def same_reads(dataset: Dataset) -> bool:
    """Whether both formats of a folder hold the same reads: ids, lengths and samples."""
    found = {
        name: _catalogues(dataset, files_of(dataset.path, name, "any")) for name in (BLOW5, POD5)
    }
    ours, theirs = (
        sorted((read.read_id, read.length, read.crc) for one in group for read in one.reads)
        for group in found.values()
    )
    return ours == theirs


def _catalogues(dataset: Dataset, files: Sequence[Path]) -> list[Catalogue]:
    cache = index_folder(dataset.fingerprint)
    return [catalogue(file, EVERY, cache, tell_nobody) for file in files]
