"""The kinds of dataset that hold signals: BLOW5, POD5, and folders with both.

A file is recognised by its content; its name does not matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from core import (
    Dataset,
    DatasetError,
    DatasetKind,
    ReportProgress,
    index_folder,
    regular_files,
    report_to_nobody,
    tr,
)
from workloads.shared.datasets import (
    MOST_LISTED,
    LeftOut,
    left_out_count,
    left_out_facts,
    refusal_of,
)
from workloads.signal import pod5_oracle, slow5_records_oracle
from workloads.signal.catalogue import BLOW5, EVERY, POD5, RUN_FROM, Catalogue, catalogue, format_of
from workloads.signal.make_signal import SignalShape, convert, make_folder

_MOST_FILES = 1000
"""Number of files of a folder that are read to recognise it."""


def require_whole(path: Path) -> None:
    """Raise DatasetError for a file that was cut off or cannot be read for another plain reason."""
    if format_of(path) == POD5:
        pod5_oracle.require_end(path)
    elif not slow5_records_oracle.read_header(path).text:
        slow5_records_oracle.require_end(path)


def signal_files(path: Path, wanted: str = "") -> list[Path]:
    """The files of a format, or of both, at or below a path; others are passed over.

    In a folder, those that are not whole are passed over too, unless none is.
    """
    files = _examined(path, wanted)
    return [file for file, fault in files.items() if not fault] or list(files)


def cut_off(path: Path) -> list[DatasetError]:
    """Why signal files of a folder are not read that are not whole."""
    return [fault for fault in _examined(path, "").values() if fault]


def _examined(path: Path, wanted: str) -> dict[Path, DatasetError | None]:
    """The files of a format, or of both, in order; those of a folder with what is wrong."""
    forms = {file: _format(file) for file in sorted(regular_files(path))}
    files = [file for file, form in forms.items() if form and wanted in ("", form)]
    if not path.is_dir():
        return dict.fromkeys(files)
    return {file: refusal_of(partial(require_whole, file)) for file in files}


def formats(path: Path) -> set[str]:
    """The formats at or below a path, as far as its first files show."""
    return set(map(_format, islice(regular_files(path), _MOST_FILES))) - {""}


def press_of(path: Path) -> str:
    """How a BLOW5 file's records are compressed: `zstd`, `zlib`, `none`; `text` for SLOW5."""
    header = slow5_records_oracle.read_header(path)
    return "text" if header.text else header.record_press


def _format(path: Path) -> str:
    try:
        return format_of(path)
    except DatasetError:
        return ""


_ORDER = ("zstd", "zlib", "none", "text")
"""Compressions of BLOW5 by preference, for a folder with several and no chosen one."""


class _SignalKind(DatasetKind):
    """Common base of the kinds: files of these formats, beside any other files."""

    formats: ClassVar[frozenset[str]]

    def recognises(self, path: Path) -> bool:
        """True where the first files are of these formats and of no other."""
        return formats(path) == self.formats

    def files(self, path: Path) -> Sequence[Path]:
        return signal_files(path)

    def open(self, path: Path) -> Dataset:
        if files := self.files(path):
            require_whole(files[0])
        return super().open(path)

    def explain(self, path: Path) -> DatasetError | None:
        if path.is_file() and format_of(path) in self.formats:
            return refusal_of(lambda: require_whole(path))
        return None

    def convert(self, path: Path, to: str, folder: Path, report: ReportProgress) -> None:
        """By blue-crab, into pairs of the same reads: the converted files beside links to these."""
        convert(self.files(path), to, folder, report)

    def facts(self, path: Path) -> Mapping[str, int | str]:
        """Files, reads, samples, compression; what is left out, and what has a wrong name."""
        files = self.files(path)
        cache = index_folder(self.open(path).fingerprint)
        catalogues, odd = readable(files, cache, EVERY, report_to_nobody)
        odd = [*cut_off(path), *odd]
        facts: dict[str, int | str] = {"files": len(catalogues)}
        for name in sorted(self.formats):
            group = [one for one in catalogues if format_of(one.path) == name]
            facts[f"{name} reads"] = sum(one.total for one in group)
            facts[f"{name} samples"] = sum(read.length for one in group for read in one.reads)
        codecs, groups, misnamed = set[str](), 0, list[str]()
        for one in catalogues:
            if format_of(one.path) == BLOW5:
                header = slow5_records_oracle.read_header(one.path)
                codecs.add(header.press)
                groups = max(groups, len(header.groups))
                if one.path.suffix == (".blow5" if header.text else ".slow5"):
                    form = "SLOW5" if header.text else "BLOW5"
                    misnamed.append(
                        tr(
                            "{path} is {form}: rename it, as slow5lib goes by names",
                            path=one.path,
                            form=form,
                        )
                    )
            else:
                codecs.add(pod5_oracle.codec(one.path))
                groups = max(groups, len({read[RUN_FROM:] for read in one.reads}))
        facts |= {"compression": ", ".join(sorted(codecs)), "read groups": groups}
        facts |= left_out_facts(odd)
        return facts | {f"misnamed {n}": text for n, text in enumerate(misnamed[:MOST_LISTED], 1)}

    def in_short(self, facts: Mapping[str, int | str]) -> Sequence[str]:
        reads, samples = (
            max(int(facts.get(f"{name} {what}", 0)) for name in self.formats)
            for what in ("reads", "samples")
        )
        groups = int(facts.get("read groups", 0))
        return (
            tr("1 read", "{count:,} reads", count=reads),
            tr("1 sample", "{count:,} samples", count=samples),
            str(facts.get("compression", "")),
            tr("1 read group", "{count:,} read groups", count=groups),
            left_out_count(facts),
        )


class Signal(_SignalKind):
    """A folder with both formats, possibly of the same reads."""

    name = "signal"
    title = "folder with BLOW5 and POD5"
    shape = SignalShape
    formats = frozenset({BLOW5, POD5})

    def facts(self, path: Path) -> Mapping[str, int | str]:
        return {**super().facts(path), "same reads": "yes" if same_reads(self.open(path)) else "no"}

    def make(self, shape: Any, folder: Path, report: ReportProgress) -> Path:
        make_folder(shape, folder, report)
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
    cache, facts = index_folder(dataset.fingerprint), []
    for name in (BLOW5, POD5):
        files = files_of(dataset.path, name, "any")
        catalogues, _ = readable(files, cache, EVERY, report_to_nobody)
        reads = (read for one in catalogues for read in one.reads)
        facts.append(sorted((read.read_id, read.length, read.crc) for read in reads))
    return facts[0] == facts[1]


def readable(
    files: Sequence[Path], cache: Path, most: int, report: ReportProgress
) -> tuple[list[Catalogue], list[DatasetError]]:
    """The catalogues of files, and why others have none; raises DatasetError where none has one."""
    catalogues, left_out = list[Catalogue](), LeftOut()
    for file in files:
        with left_out.unless_usable():
            catalogues.append(catalogue(file, most, cache, report))
    left_out.require_rest(catalogues)
    return catalogues, left_out.reasons
