"""What a file is, found by looking inside; its name says nothing."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from pathlib import Path

from core import DatasetError, reading, regular_files, tr
from workloads.fasta.bgzf import (
    GZIP_MAGIC,
    BgzfContent,
    FileContent,
    PlainContent,
    block_size,
    glimpse,
    require_end,
)

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
        _require_fasta(_bgzf_beginning(head, path), path)
        require_end(path)
        return FastaForm.BGZF
    for magic, how in _OTHERS.items():
        if head.startswith(magic):
            raise DatasetError(
                tr(
                    "{path} is packed with {how}, which cannot be read at random",
                    path=path,
                    how=how,
                ),
                tr("decompress it, or recompress it with bgzip"),
            )
    _require_fasta(head, path)
    return FastaForm.PLAIN


def fasta_files(folder: Path) -> list[Path]:
    """All files at or below a folder that begin as FASTA, sorted; others are passed over."""
    return sorted(path for path in regular_files(folder) if begins_as_fasta(path))


def holds_fasta(folder: Path) -> bool:
    """Whether one of the first files at or below a folder is FASTA."""
    return any(begins_as_fasta(path) for path in _first_files(folder))


def _first_files(folder: Path) -> Iterator[Path]:
    for looked, path in enumerate(regular_files(folder)):
        if looked >= _MOST_FILES:
            return
        yield path


def begins_as_fasta(path: Path) -> bool:
    """Whether a file begins as FASTA, plain or BGZF; it may be damaged or cut off all the same."""
    try:
        head = _head(path)
    except DatasetError:
        return False
    content = glimpse(head) if head.startswith(GZIP_MAGIC) else head
    return content.lstrip().startswith(b">")


def _head(path: Path) -> bytes:
    with reading(path), path.open("rb", buffering=0) as file:
        return file.read(_LOOKED_AT)


def _bgzf_beginning(head: bytes, path: Path) -> bytes:
    if block_size(head) is None:
        raise DatasetError(
            tr("{path} is gzip but not BGZF, so it cannot be read at random", path=path),
            tr(
                "recompress it with bgzip: gunzip -c {name} | bgzip > {stem}.bgz",
                name=path.name,
                stem=path.stem,
            ),
        )
    with BgzfContent(path) as content:
        return content.beginning()


def _require_fasta(content: bytes, path: Path) -> None:
    start = content.lstrip()
    if start.startswith(b">"):
        return
    if start.startswith(b"BAM\1"):
        raise DatasetError(
            tr("{path} is a BAM file, not FASTA", path=path), tr("extract it with samtools fasta")
        )
    if start.startswith((b"@HD\t", b"@SQ\t", b"@PG\t")):
        raise DatasetError(
            tr("{path} is a SAM header or file, not FASTA", path=path), tr("name a FASTA file")
        )
    if start.startswith(b"@"):
        raise DatasetError(
            tr("{path} seems to be FASTQ, not FASTA", path=path), tr("convert it with seqtk seq -a")
        )
    raise DatasetError(
        tr("{path} is not FASTA: it does not begin with '>'", path=path), tr("name a FASTA file")
    )
