"""FASTA files: what each is and holds, and where its indexes are.

What a file is shows inside; its name says nothing.  The libraries under test silently build missing
indexes beside the data.  So they are built here first, in the cache folder, and the libraries get
their paths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from core import (
    DatasetError,
    ReportProgress,
    file_state,
    reading,
    regular_files,
    report_to_nobody,
    tr,
    written_once,
)
from workloads.fasta.bgzf_oracle import (
    GZIP_MAGIC,
    BgzfContent,
    FileContent,
    PlainContent,
    begins_empty,
    block_size,
    gzi,
    peek_content,
    require_end,
)
from workloads.fasta.fai_oracle import (
    by_name,
    lists,
    misfit,
    misfit_of_blocks,
    read_fai,
    scan_all,
    unfit,
)
from workloads.fasta.fai_table import FaiRows, FaiTable
from workloads.shared.datasets import LeftOut, cached

_LOOKED_AT = 1 << 16
_MOST_FILES = 1000
"""Files of a folder that are looked at until one is FASTA."""
_OTHERS = {
    b"BZh": "bzip2",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\xfd7zXZ\x00": "xz",
    b"PK\x03\x04": "zip",
}


class FastaForm(Enum):
    """How a FASTA file is stored."""

    PLAIN = "plain"
    BGZF = "BGZF"

    def open(self, path: Path) -> FileContent:
        return BgzfContent(path) if self is FastaForm.BGZF else PlainContent(path)


def form_of(path: Path) -> FastaForm:
    """The form of a FASTA file; raises DatasetError saying what the file is instead."""
    head = _head(path)
    if not head:
        raise DatasetError(tr("{path} is empty", path=path), tr("name a file with sequences"))
    if head.startswith(GZIP_MAGIC):
        if block_size(head) is None:
            names = {"path": path, "name": path.name, "stem": path.stem}
            raise DatasetError(
                tr("{path} is gzip but not BGZF, so it cannot be read at random", **names),
                tr("recompress it with bgzip: gunzip -c {name} | bgzip > {stem}.bgz", **names),
            )
        with BgzfContent(path) as content:
            _require_fasta(content.beginning(), path)
        require_end(path)
        return FastaForm.BGZF
    if how := next((how for magic, how in _OTHERS.items() if head.startswith(magic)), ""):
        raise DatasetError(
            tr("{path} is packed with {how}, which cannot be read at random", path=path, how=how),
            tr("decompress it, or recompress it with bgzip"),
        )
    _require_fasta(head, path)
    return FastaForm.PLAIN


def fasta_files(folder: Path) -> list[Path]:
    """All files at or below a folder that begin as FASTA, sorted; others are passed over."""
    return sorted(path for path in regular_files(folder) if begins_as_fasta(path))


def holds_fasta(folder: Path) -> bool:
    """Whether one of the first files at or below a folder is FASTA."""
    return any(map(begins_as_fasta, islice(regular_files(folder), _MOST_FILES)))


def begins_as_fasta(path: Path) -> bool:
    """Whether a file begins as FASTA, plain or BGZF; it may be damaged or cut off all the same."""
    try:
        head = _head(path)
    except DatasetError:
        return False
    content = peek_content(head) if head.startswith(GZIP_MAGIC) else head
    return content.lstrip().startswith(b">")


def _head(path: Path) -> bytes:
    with reading(path), path.open("rb", buffering=0) as file:
        return file.read(_LOOKED_AT)


def _require_fasta(content: bytes, path: Path) -> None:
    start = content.lstrip()
    if start.startswith(b">"):
        return
    cause = tr("{path} is not FASTA: it does not begin with '>'", path=path)
    remedy = tr("name a FASTA file")
    if start.startswith(b"BAM\1"):
        cause = tr("{path} is a BAM file, not FASTA", path=path)
        remedy = tr("extract it with samtools fasta")
    elif start.startswith((b"@HD\t", b"@SQ\t", b"@PG\t")):
        cause = tr("{path} is a SAM header or file, not FASTA", path=path)
    elif start.startswith(b"@"):
        cause = tr("{path} seems to be FASTQ, not FASTA", path=path)
        remedy = tr("convert it with seqtk seq -a")
    raise DatasetError(cause, remedy)


_SCANNER = 3
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

    def records(self, report: ReportProgress = report_to_nobody, *, anew: bool = False) -> FaiTable:
        """The sequences that the file holds, by name; of several with one name the first.

        Raises DatasetError where it is damaged or cannot be indexed.
        """
        return FaiTable(every_record_of(self.path, self.form, self.cache, report, anew=anew))

    def require_fit(self, records: FaiTable) -> None:
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

    def _require_fit(self, records: FaiTable) -> None:
        exact = lists(self.fai, records.rows)
        if not exact and (why := misfit(read_fai(self.fai), by_name(records.rows))):
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
    recognise: Callable[[Path], FastaForm],
    cache: Path,
    report: ReportProgress,
    left_out: LeftOut,
) -> dict[str, IndexedFile]:
    """The sources by the same names, with missing indexes built into the cache folder."""
    indexed: dict[str, IndexedFile] = {}
    for done, (name, path) in enumerate(files.items()):
        with left_out.unless_usable():
            form = recognise(path)
            if missing(path, form):
                report("indexing", done, len(files), "file")
            indexed[name] = source(path, form, cache, counting(report, done, len(files)))
    left_out.require_rest(indexed)
    return indexed


def counting(report: ReportProgress, done: int, total: int) -> ReportProgress:
    """Reports the progress of one file as part of all files."""
    return lambda doing, *_, **__: report(doing, done, total, "file")


def source(
    path: Path, form: FastaForm, cache: Path, report: ReportProgress = report_to_nobody
) -> IndexedFile:
    """A file with its indexes; missing ones are built in the cache.  Raises DatasetError."""
    lacking = missing(path, form)
    own = cache / "fai" / file_state(path)

    def index(suffix: str, build: Callable[[], Iterable[bytes]]) -> Path:
        if suffix not in lacking:
            return beside(path, suffix)
        built = own.with_name(own.name + suffix)
        return written_once(built, lambda unfinished: _write_all(unfinished, build()), report)

    def fai_lines() -> Iterable[bytes]:
        return FaiTable(every_record_of(path, form, cache, report)).rows.lines()

    return IndexedFile(
        path=path,
        form=form,
        fai=index(".fai", fai_lines),
        gzi=index(".gzi", lambda: [gzi_of(path)]) if form is FastaForm.BGZF else None,
        cache=cache,
    )


def _write_all(path: Path, parts: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        file.writelines(parts)


def missing(path: Path, form: FastaForm) -> list[str]:
    """Suffixes of the index files that are missing beside a file, or not usable by all readers."""
    suffixes = [".fai", ".gzi"] if form is FastaForm.BGZF else [".fai"]
    lacking = {suffix for suffix in suffixes if not beside(path, suffix).is_file()}
    if form is FastaForm.BGZF and begins_empty(path):
        # htslib lists neither that block nor the first with content, and only htslib accepts this.
        lacking.add(".gzi")
    return sorted(lacking)


def beside(path: Path, suffix: str) -> Path:
    """The path of the index beside a data file; it may not exist."""
    return path.with_name(path.name + suffix)


def every_record_of(
    path: Path,
    form: FastaForm,
    cache: Path,
    report: ReportProgress = report_to_nobody,
    *,
    anew: bool = False,
) -> FaiRows:
    """The sequences that a file holds, found by reading all of it, or kept from before.

    Raises DatasetError where it is damaged or cannot be indexed.
    """

    def look() -> _StoredRows:
        def pieces() -> Iterator[bytes]:
            for number, piece in enumerate(content.pieces()):
                if number % _REPORT_EVERY == 0:
                    report("looking through the sequences")
                yield piece

        with form.open(path) as content:
            rows = scan_all(pieces(), path)
        numbers = memoryview(rows.numbers).cast("B")
        return _StoredRows(memoryview(rows.names), numbers, rows.repeated)

    place = cache / "records" / f"{file_state(path)}-{_SCANNER}"
    stored = cached(place, _StoredRows, look, report, anew=anew)
    rows = FaiRows.stored(stored.names, stored.numbers)
    rows.repeated = stored.repeated
    return rows


class _StoredRows(NamedTuple):
    names: memoryview
    numbers: memoryview
    repeated: bool


def index_with_repeats(source: IndexedFile) -> Path:
    """The index as pyfaidx makes one: it lists every sequence, and then refuses repeated names.

    An index beside the data is taken as it is; samtools' lists only the first of a name.
    """
    every = every_record_of(source.path, source.form, source.cache)
    if source.fai.parent == source.path.parent or len(FaiTable(every)) == len(every):
        return source.fai
    index = source.fai.with_name(f"{source.fai.name}-every")
    return written_once(index, lambda unfinished: _write_all(unfinished, every.lines()))


def gzi_of(path: Path) -> bytes:
    """The content of a BGZF file's index of blocks; raises DatasetError."""
    with BgzfContent(path) as content:
        return gzi(content.blocks)
