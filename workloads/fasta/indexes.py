"""What each FASTA file holds, and where its indexes are: beside it, or in the cache folder.

The libraries under test silently build missing indexes beside the data.  So they are built here
first, in the cache folder, and the libraries get their paths.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from core import DatasetError, ReportProgress, file_state, report_to_nobody, tr, written_once
from workloads.fasta.bgzf import BgzfContent, FileContent, begins_empty, gzi
from workloads.fasta.fai import FaiRecord, fai, misfit, misfit_of_blocks, read_fai, unfit
from workloads.fasta.fasta_sniffing import FastaForm
from workloads.fasta.scanning import scan
from workloads.shared.datasets import LeftOut


class _Kept(msgspec.Struct, frozen=True):
    checksum: bytes
    packed: msgspec.Raw


_KEPT = msgspec.msgpack.Decoder(_Kept)
"""Made once, while one thread imports: two that have msgspec learn a type at once may crash."""


def kept[Value](
    path: Path,
    kind: type[Value],
    compute: Callable[[], Value],
    report: ReportProgress = report_to_nobody,
    *,
    anew: bool = False,
) -> Value:
    """The value kept in a file, computed where it is missing or damaged or wanted `anew`.

    Raises DatasetError where it cannot be stored.
    """

    def write(unfinished: Path) -> None:
        packed = msgspec.msgpack.encode(compute())
        unfinished.write_bytes(
            msgspec.msgpack.encode(_Kept(_checksum(packed), msgspec.Raw(packed)))
        )

    if anew:
        path.unlink(missing_ok=True)
    found = _read(written_once(path, write, report), kind)
    if found is None:
        path.unlink(missing_ok=True)
        found = _read(written_once(path, write, report), kind)
    if found is None:
        raise DatasetError(f"{path} cannot be kept", "make room in the cache folder")
    return found


def _checksum(packed: bytes) -> bytes:
    return hashlib.blake2b(packed, digest_size=16).digest()


def _read[Value](path: Path, kind: type[Value]) -> Value | None:
    try:
        found = _KEPT.decode(path.read_bytes())
        if _checksum(bytes(found.packed)) != found.checksum:
            return None
        return msgspec.msgpack.decode(found.packed, type=kind)
    except (OSError, msgspec.DecodeError):
        return None


_SCANNER = 2
"""Increased when the same file gives other records than before."""
_REPORT_EVERY = 64  # pieces, which is often enough not to be taken for stalled


@dataclass(frozen=True, kw_only=True)
class IndexedFile:
    """A FASTA file and its index files, as a reader needs them."""

    path: Path
    form: FastaForm
    fai: Path
    gzi: Path | None
    cache: Path

    @property
    def indexes(self) -> tuple[Path, ...]:
        return (self.fai,) if self.gzi is None else (self.fai, self.gzi)

    def listed(self) -> list[FaiRecord]:
        """The sequences that its index lists; raises DatasetError."""
        return read_fai(self.fai)

    def records(
        self, report: ReportProgress = report_to_nobody, *, anew: bool = False
    ) -> list[FaiRecord]:
        """The sequences that the file holds; raises DatasetError."""
        return records_of(self.path, self.form, self.cache, report, anew=anew)

    def require_fit(self, records: Sequence[FaiRecord]) -> None:
        """Raise DatasetError unless its indexes are right about a file that holds these records.

        Those that we keep ourselves are made again first.
        """
        try:
            self._require_fit(records)
        except DatasetError:
            own = [index for index in self.indexes if index.parent != self.path.parent]
            if not own:
                raise
            for index in own:
                index.unlink(missing_ok=True)
            source(self.path, self.form, self.cache)
            self._require_fit(records)

    def _require_fit(self, records: Sequence[FaiRecord]) -> None:
        if why := misfit(self.listed(), records):
            raise self._unfit(self.fai, why)
        self.require_blocks()

    def require_blocks(self) -> None:
        """Raise DatasetError unless its index of blocks is right."""
        if self.gzi is not None:
            with BgzfContent(self.path) as content:
                why = misfit_of_blocks(self.gzi, content.chain)
            if why:
                raise self._unfit(self.gzi, why)

    def _unfit(self, index: Path, why: str) -> DatasetError:
        name = self.path.name
        return unfit(
            index, tr("{index} does not fit {name}: {why}", index=index, name=name, why=why)
        )


def sources(
    files: Mapping[str, Path],
    form_of: Callable[[Path], FastaForm],
    cache: Path,
    report: ReportProgress,
    left_out: LeftOut,
) -> dict[str, IndexedFile]:
    """The sources by the same names, with missing indexes built into the cache folder."""
    found: dict[str, IndexedFile] = {}
    for done, (name, path) in enumerate(files.items()):
        with left_out.unless_usable():
            form = form_of(path)
            if missing(path, form):
                report("indexing", done, len(files), "file")
            found[name] = source(path, form, cache, counting(report, done, len(files)))
    left_out.require_rest(found)
    return found


def counting(report: ReportProgress, done: int, total: int) -> ReportProgress:
    """Reports the progress of one file as part of all files."""
    return lambda doing, *_, **__: report(doing, done, total, "file")


def source(
    path: Path, form: FastaForm, cache: Path, report: ReportProgress = report_to_nobody
) -> IndexedFile:
    """A file with its indexes; missing ones are built in the cache.  Raises DatasetError."""
    lacking = missing(path, form)
    own = cache / "fai" / file_state(path)

    def index(suffix: str, build: Callable[[], bytes]) -> Path:
        if suffix not in lacking:
            return beside(path, suffix)
        built = own.with_name(own.name + suffix)
        return written_once(built, lambda unfinished: _write(unfinished, build()), report)

    return IndexedFile(
        path=path,
        form=form,
        fai=index(".fai", lambda: fai(records_of(path, form, cache, report))),
        gzi=index(".gzi", lambda: _gzi(path)) if form is FastaForm.BGZF else None,
        cache=cache,
    )


def missing(path: Path, form: FastaForm) -> list[str]:
    """Suffixes of the index files that are missing beside a file, or not usable by all readers."""
    wanted = [".fai", ".gzi"] if form is FastaForm.BGZF else [".fai"]
    lacking = {suffix for suffix in wanted if not beside(path, suffix).is_file()}
    if form is FastaForm.BGZF and begins_empty(path):
        # htslib lists neither that block nor the first with content, and only htslib accepts this.
        lacking.add(".gzi")
    return sorted(lacking)


def beside(path: Path, suffix: str) -> Path:
    """The path of the index beside a data file; it may not exist."""
    return path.with_name(path.name + suffix)


def records_of(
    path: Path,
    form: FastaForm,
    cache: Path,
    report: ReportProgress = report_to_nobody,
    *,
    anew: bool = False,
) -> list[FaiRecord]:
    """The sequences that a file holds, found by reading all of it, or kept from before.

    Of several with one name the first.  Raises DatasetError where it is damaged or cannot be
    indexed.
    """
    first: dict[str, FaiRecord] = {}
    for record in every_record_of(path, form, cache, report, anew=anew):
        first.setdefault(record.name, record)
    return list(first.values())


def every_record_of(
    path: Path,
    form: FastaForm,
    cache: Path,
    report: ReportProgress = report_to_nobody,
    *,
    anew: bool = False,
) -> list[FaiRecord]:
    """Likewise, also those whose name was there before."""

    def look() -> list[FaiRecord]:
        with form.open(path) as content:
            return list(scan(_pieces(content, report), path, every=True))

    place = cache / "records" / f"{file_state(path)}-{_SCANNER}"
    return kept(place, list[FaiRecord], look, report, anew=anew)


def index_with_repeats(source: IndexedFile) -> Path:
    """The index as pyfaidx makes one: it lists every sequence, and then refuses repeated names.

    An index beside the data is taken as it is; samtools' lists only the first of a name.
    """
    every = every_record_of(source.path, source.form, source.cache)
    names = {record.name for record in every}
    if source.fai.parent == source.path.parent or len(names) == len(every):
        return source.fai
    index = source.fai.with_name(f"{source.fai.name}-every")
    return written_once(index, lambda unfinished: _write(unfinished, fai(every)))


def _pieces(content: FileContent, report: ReportProgress) -> Iterator[bytes]:
    for number, piece in enumerate(content.pieces()):
        if number % _REPORT_EVERY == 0:
            report("looking through the sequences")
        yield piece


def _gzi(path: Path) -> bytes:
    with BgzfContent(path) as content:
        return gzi(content.blocks)


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)
