"""Where the index files of each FASTA file are: beside it, or else in the cache folder.

The libraries under test build what is missing beside the data, silently.  So it is built
here beforehand, elsewhere, and they are told where.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core import DatasetError, Tell, written_once
from workloads.fasta.bgzf import BgzfContent, gzi
from workloads.fasta.fai import Record, fai, read_fai, scan
from workloads.fasta.sniffing import Form


@dataclass(frozen=True)
class Source:
    """A FASTA file and its index files, as a reader must be told them."""

    path: Path
    form: Form
    fai: Path
    gzi: Path | None

    def records(self) -> list[Record]:
        """The sequences that the index lists; raises DatasetError."""
        return read_fai(self.fai)


def sources(
    files: Mapping[str, Path], form_of: Mapping[str, Form], cache: Path, tell: Tell
) -> dict[str, Source]:
    """The sources by the same names, with missing indexes built into the cache folder."""
    found: dict[str, Source] = {}
    for name, path in files.items():
        if missing(path, form_of[name]):
            tell("indexing", len(found), len(files), "file")
        found[name] = source(path, form_of[name], cache)
    return found


def source(path: Path, form: Form, cache: Path) -> Source:
    """A file with its indexes, where need be built into the cache folder; raises DatasetError."""
    lacking = missing(path, form)
    kept = cache / "fai" / state(path)

    def index(suffix: str) -> Path:
        if suffix not in lacking:
            return beside(path, suffix)
        built = kept.with_name(kept.name + suffix)
        return written_once(built, lambda unfinished: _build(path, form, suffix, unfinished))

    return Source(path, form, index(".fai"), index(".gzi") if form is Form.BGZF else None)


def missing(path: Path, form: Form) -> list[str]:
    """Suffixes of the index files that are not beside a file."""
    wanted = [".fai", ".gzi"] if form is Form.BGZF else [".fai"]
    return [suffix for suffix in wanted if not beside(path, suffix).is_file()]


def beside(path: Path, suffix: str) -> Path:
    """The index file beside a data file, whether it is there or not."""
    return path.with_name(path.name + suffix)


def state(*paths: Path) -> str:
    """Identity of files on this machine, cheaper and finer than a fingerprint: 16 hex digits."""
    digest = hashlib.blake2b(digest_size=8)
    for path in paths:
        try:
            status = path.stat()
        except OSError as error:
            raise DatasetError(f"{path} cannot be read: {error.strerror}") from error
        digest.update(
            f"{path}\0{status.st_size}\0{status.st_mtime_ns}\0".encode("utf-8", "surrogateescape")
        )
    return digest.hexdigest()


def all_records(paths: Sequence[Path], forms: Sequence[Form]) -> int:
    """Number of sequences in files, by their indexes or, where these are missing, by a scan."""
    total = 0
    for path, form in zip(paths, forms, strict=True):
        if beside(path, ".fai").is_file():
            total += len(read_fai(beside(path, ".fai")))
        else:
            with form.open(path) as content:
                total += sum(1 for _ in scan(content.pieces(), path))
    return total


def _build(path: Path, form: Form, suffix: str, unfinished: Path) -> None:
    if suffix == ".gzi":
        with BgzfContent(path) as content:
            unfinished.write_bytes(gzi(content.blocks))
        return
    with form.open(path) as content:
        unfinished.write_bytes(fai(scan(content.pieces(), path)))
