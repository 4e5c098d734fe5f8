"""What a file is, found by looking inside; its name says nothing."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from pathlib import Path

from core import DatasetError, regular_files
from workloads.fasta.bgzf import (
    GZIP_MAGIC,
    BgzfContent,
    Content,
    PlainContent,
    block_size,
    first_content,
    require_end,
)

_LOOKED_AT = 1 << 16
_MOST_FILES = 1000
"""Files of a folder that are looked at until one is FASTA."""
_OTHERS = {
    b"BZh": "is compressed with bzip2",
    b"\x28\xb5\x2f\xfd": "is compressed with zstd",
    b"\xfd7zXZ\x00": "is compressed with xz",
    b"PK\x03\x04": "is a zip archive",
}
_RECOMPRESS = "decompress it, or recompress it with bgzip"


class Form(Enum):
    """How a FASTA file is stored."""

    PLAIN = "plain"
    BGZF = "BGZF"

    def open(self, path: Path) -> Content:
        """The content of a file of this form."""
        return BgzfContent(path) if self is Form.BGZF else PlainContent(path)


def form_of(path: Path) -> Form:
    """The form of a FASTA file; raises DatasetError saying what the file is instead."""
    head = _head(path)
    if not head:
        raise DatasetError(f"{path} is empty", "name a file with sequences")
    if head.startswith(GZIP_MAGIC):
        _require_fasta(_bgzf_start(head, path), path)
        require_end(path)
        return Form.BGZF
    for magic, what in _OTHERS.items():
        if head.startswith(magic):
            raise DatasetError(f"{path} {what}, which cannot be read at random", _RECOMPRESS)
    _require_fasta(head, path)
    return Form.PLAIN


def fasta_files(folder: Path) -> list[Path]:
    """All FASTA files at or below a folder, sorted; others are passed over.

    Raises DatasetError for one that begins as BGZF FASTA but was cut off.
    """
    return sorted(path for path in regular_files(folder) if _is_fasta(path))


def holds_fasta(folder: Path) -> bool:
    """Whether one of the first files at or below a folder is FASTA."""
    return any(_is_fasta(path) for path in _first_files(folder))


def _first_files(folder: Path) -> Iterator[Path]:
    for looked, path in enumerate(regular_files(folder)):
        if looked >= _MOST_FILES:
            return
        yield path


def _is_fasta(path: Path) -> bool:
    try:
        head = _head(path)
        if head.startswith(GZIP_MAGIC):
            head = _bgzf_start(head, path)
        _require_fasta(head, path)
    except DatasetError:
        return False
    return True


def _head(path: Path) -> bytes:
    try:
        with path.open("rb", buffering=0) as file:
            return file.read(_LOOKED_AT)
    except OSError as error:
        raise DatasetError(f"{path} cannot be read: {error.strerror}") from error


def _bgzf_start(head: bytes, path: Path) -> bytes:
    if block_size(head) is None:
        raise DatasetError(
            f"{path} is gzip but not BGZF, so it cannot be read at random",
            f"recompress it with bgzip: gunzip -c {path.name} | bgzip > {path.stem}.bgz",
        )
    return first_content(head, path)


def _require_fasta(content: bytes, path: Path) -> None:
    start = content.lstrip()
    if start.startswith(b">"):
        return
    if start.startswith(b"BAM\1"):
        raise DatasetError(f"{path} is a BAM file, not FASTA", "extract it with samtools fasta")
    if start.startswith((b"@HD\t", b"@SQ\t", b"@PG\t")):
        raise DatasetError(f"{path} is a SAM header or file, not FASTA", "name a FASTA file")
    if start.startswith(b"@"):
        raise DatasetError(f"{path} seems to be FASTQ, not FASTA", "convert it with seqtk seq -a")
    raise DatasetError(f"{path} is not FASTA: it does not begin with '>'", "name a FASTA file")
