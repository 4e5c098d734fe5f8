"""Handles of the libraries under test: opened without ever writing beside the data."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from core import file_state, written_once
from workloads.fasta.fasta_parameters import BIOPYTHON
from workloads.fasta.fasta_sniffing import Form
from workloads.fasta.indexes import Source, index_with_repeats


class Handle(Protocol):
    """An open file of sequences."""

    def fetch(self, name: str, start: int, stop: int, /) -> str:
        """The bases start…stop-1 of a sequence."""

    def close(self) -> None:
        """Let go of the descriptors."""


type Open = Callable[[str], Handle]
"""Opens the file of that name."""


def opener(reader: str, sources: Mapping[str, Source], cache: Path) -> Open:
    """The function that opens the sources with a library; raises Unavailable if it is missing."""
    match reader:
        case "pysam":
            return _pysam(sources)
        case "pyfaidx":
            return _pyfaidx(sources, cache)
    raise AssertionError(f"{reader} has no handles")


def _pysam(sources: Mapping[str, Source]) -> Open:
    from pysam import FastaFile

    # Text is made beforehand: building paths does not belong to the timed opening.
    told = {
        name: (str(source.path), str(source.fai), str(source.gzi) if source.gzi else None)
        for name, source in sources.items()
    }

    def open_file(name: str) -> Handle:
        path, fai, gzi = told[name]
        handle: Handle = FastaFile(path, filepath_index=fai, filepath_index_compressed=gzi)
        return handle

    return open_file


def _pyfaidx(sources: Mapping[str, Source], cache: Path) -> Open:
    if any(source.form is Form.BGZF for source in sources.values()):
        BIOPYTHON.require()
    from pyfaidx import Faidx

    # It warns of an index that is older than the data, as copied indexes often are.
    warnings.filterwarnings("ignore", module="pyfaidx", category=RuntimeWarning)
    told = {
        name: (
            str(_named_by_form(source, cache)),
            str(index_with_repeats(source)),
            source.gzi and str(source.gzi),
        )
        for name, source in sources.items()
    }

    def open_file(name: str) -> Handle:
        path, fai, gzi = told[name]
        return _PyfaidxHandle(
            Faidx(
                path,
                indexname=fai,
                gzi_indexname=gzi,
                as_raw=True,
                rebuild=False,
                build_index=False,
            )
        )

    return open_file


class _PyfaidxHandle:
    """Counts from 0 as the others do; dropping it drops the file."""

    __slots__ = ("_faidx",)

    def __init__(self, faidx: Any) -> None:
        self._faidx = faidx

    def fetch(self, name: str, start: int, stop: int, /) -> str:
        bases: str = self._faidx.fetch(name, start + 1, stop)
        return bases

    def close(self) -> None:
        self._faidx.close()


def _named_by_form(source: Source, cache: Path) -> Path:
    """The file, or a link to it: pyfaidx tells BGZF from plain by the name's end alone."""
    looks_compressed = source.path.name.lower().endswith((".gz", ".bgz"))
    looks_otherwise = source.path.name.lower().endswith((".bz2", ".zip"))
    if not looks_otherwise and looks_compressed == (source.form is Form.BGZF):
        return source.path
    suffix = ".gz" if source.form is Form.BGZF else ".fa"
    link = cache / "links" / f"{file_state(source.path)}{suffix}"
    return written_once(link, lambda unfinished: _link(unfinished, source.path))


def _link(unfinished: Path, target: Path) -> None:
    unfinished.unlink(missing_ok=True)  # left by a process that was killed
    unfinished.symlink_to(target.resolve())
