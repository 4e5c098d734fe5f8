"""The libraries under test: handles that never write beside the data, and SeqRepo itself.

SeqRepo's public API offers three caches.  `fd_cache_size` keeps that many files open, each with a
lock that is held while it is read: `lru-locked`.  0 opens for every fetch and closes when the
handle is freed: `none`.  Both share one instance between all threads, as its users do; the SQLite
connections are shared too, which fails under Python ≥ 3.12, and these errors are counted.
`per-thread` gives every thread an instance.  There is no LRU without locks, no explicit close and
no pool.
"""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import Any, Protocol, override

from core import InvalidParameter, Job, Step, file_state, locked, reading, tr
from workloads.fasta.bgzf_oracle import END_MARKER, is_known_to_htslib
from workloads.fasta.fasta_files import FastaForm, IndexedFile, beside, index_with_repeats
from workloads.fasta.fasta_parameters import BIOPYTHON, FastaParameters
from workloads.fasta.fetch_oracle import Answers, Fetch
from workloads.fasta.snapshots import ALIASES, SEQUENCE_INFO, SEQUENCES
from workloads.shared.datasets import linked

_SMALL = 1024  # bases that are small enough to be kept until the run is over


class SequenceHandle(Protocol):
    """An open file of sequences."""

    def fetch(self, name: str, start: int, stop: int, /) -> str:
        """The bases start…stop-1 of a sequence."""

    def close(self) -> None:
        """Let go of the descriptors."""


type Open = Callable[[str], SequenceHandle]
"""Opens the file of that name."""


def opener(reader: str, sources: Mapping[str, IndexedFile], cache: Path) -> Open:
    """The function that opens the sources with a library; raises Unavailable if it is missing."""
    return _pysam(sources) if reader == "pysam" else _pyfaidx(sources, cache)


def _pysam(sources: Mapping[str, IndexedFile]) -> Open:
    from pysam import FastaFile

    for source in sources.values():
        if source.form is FastaForm.BGZF:
            _require_known_to_htslib(source.path)
    # Text is made beforehand: building paths does not belong to the timed opening.
    paths = {
        name: (str(source.path), str(source.fai), str(source.gzi) if source.gzi else None)
        for name, source in sources.items()
    }

    def open_file(name: str) -> SequenceHandle:
        path, fai, gzi = paths[name]
        handle: SequenceHandle = FastaFile(path, filepath_index=fai, filepath_index_compressed=gzi)
        return handle

    return open_file


def _require_known_to_htslib(path: Path) -> None:
    with reading(path), path.open("rb", buffering=0) as file:
        readable = is_known_to_htslib(file.read(len(END_MARKER)))
    if not readable:
        names = {"path": path, "name": path.name, "stem": path.stem}
        raise InvalidParameter(
            "reader",
            tr("{path} has extra fields in its BGZF blocks, which pysam does not read", **names),
            tr("choose pyfaidx, or pack it again: gzip -dc {name} | bgzip > {stem}.bgz", **names),
        )


def _pyfaidx(sources: Mapping[str, IndexedFile], cache: Path) -> Open:
    if any(source.form is FastaForm.BGZF for source in sources.values()):
        BIOPYTHON.require()
    from pyfaidx import Faidx

    # It warns of an index that is older than the data, as copied indexes often are.
    warnings.filterwarnings("ignore", module="pyfaidx", category=RuntimeWarning)
    paths = {
        name: (
            str(_named_by_form(source, cache)),
            str(index_with_repeats(source)),
            source.gzi and str(source.gzi),
        )
        for name, source in sources.items()
    }

    def open_file(name: str) -> SequenceHandle:
        path, fai, gzi = paths[name]
        as_it_is = {"as_raw": True, "rebuild": False, "build_index": False}
        return _PyfaidxHandle(Faidx(path, indexname=fai, gzi_indexname=gzi, **as_it_is))

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


def _named_by_form(source: IndexedFile, cache: Path) -> Path:
    """The file, or a link to it: pyfaidx tells BGZF from plain by the name's end alone."""
    name, packed = source.path.name.lower(), source.form is FastaForm.BGZF
    if not name.endswith((".bz2", ".zip")) and name.endswith((".gz", ".bgz")) == packed:
        return source.path
    suffix = ".gz" if packed else ".fa"
    return linked(cache / "links" / f"{file_state(source.path)}{suffix}", source.path)


def require_possible(parameters: FastaParameters, kind: str) -> None:
    """Raise InvalidParameter for what SeqRepo cannot do."""
    if kind != "seqrepo":
        cause = tr("SeqRepo reads its own snapshots only")
        raise InvalidParameter("reader", cause, tr("choose pysam"))
    refused = {
        "lru": tr("SeqRepo locks every handle that it keeps"),
        "none-close": tr("SeqRepo never closes a handle explicitly"),
        "pool": tr("SeqRepo keeps one handle of a file"),
    }
    if why := refused.get(cache := parameters.cache):
        raise InvalidParameter(
            "cache",
            tr("{why}, so {cache} cannot be had with it", why=why, cache=cache),
            tr("choose lru-locked, none or per-thread, or the reader pysam"),
        )


class FastaJob(Job[Fetch, str]):
    """Fetches, which are compared with the answers prepared from the bytes."""

    def __init__(self, answers: Answers) -> None:
        self.items = answers.fetches
        self._answers = answers
        small = all(one.stop - one.start <= _SMALL for one in answers.fetches)
        self.checking = "later" if small else "between"

    @override
    def describe(self, item: Fetch) -> str:
        where = f"{item.where}:{item.name}" if item.where else item.name
        return f"{where}, bases {item.start:,} to {item.stop:,}"

    def check(self, item: Fetch, result: str) -> str:
        return self._answers.complaint(item, result)


class SeqrepoJob(FastaJob):
    """Fetches through SeqRepo's look-ups and its folder of sequences."""

    def __init__(
        self, root: Path, parameters: FastaParameters, threads: int, answers: Answers
    ) -> None:
        super().__init__(answers)
        self._root = root
        self._size = 0 if parameters.cache == "none" else parameters.cache_size
        self._class = _seqrepo_class(threads)
        self._lock = Lock()
        self._opened: list[Any] = []
        self._shared = None if parameters.cache == "per-thread" else self._open()

    def _open(self) -> Any:
        repo = self._class(str(self._root), fd_cache_size=self._size)
        with self._lock:
            self._opened.append(repo)
        return repo

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        """Look-up and fetch, with an instance of the thread's own where these are not shared."""
        repo = self._shared or self._open()
        find_aliases = repo.aliases.find_aliases
        fetch_seqinfo = repo.sequences.fetch_seqinfo
        fetch_sequence = repo.sequences.fetch

        def look_up(item: Fetch) -> tuple[str, int, int]:
            namespace, alias, start, stop, _ = item
            ids = {row["seq_id"] for row in find_aliases(namespace=namespace, alias=alias)}
            (seq_id,) = ids
            fetch_seqinfo(seq_id)
            return seq_id, start, stop

        def fetch(place: tuple[str, int, int]) -> str:
            bases: str = fetch_sequence(*place)
            return bases

        yield Step("look-up", look_up), Step("fetch", fetch)

    def counters(self) -> Mapping[str, float]:
        """SeqRepo counts hits and misses itself, as the published study printed them."""
        caches = [repo.sequences._open_for_reading.cache_info() for repo in self._opened]
        return {
            "cache hits": sum(info.hits for info in caches),
            "cache misses": sum(info.misses for info in caches),
            "files kept open": sum(info.currsize for info in caches),
        }

    def close(self) -> None:
        """Let go of the instances; each closes its databases when it is freed."""
        self._opened.clear()
        self._shared = None


def _seqrepo_class(threads: int) -> Any:
    # The environment would override the chosen cache size.
    os.environ.pop("SEQREPO_FD_CACHE_MAXSIZE", None)
    # SeqRepo remembers the answers of its look-ups.  Its fetch repeats the look-up that was
    # just timed: one answer for each thread keeps that repetition out of the fetch, and no more.
    os.environ["SEQREPO_LRU_CACHE_MAXSIZE"] = str(threads)
    from biocommons.seqrepo import SeqRepo

    logging.getLogger("biocommons.seqrepo").setLevel(logging.ERROR)
    return SeqRepo


def readable_root(root: Path, sources: Mapping[str, IndexedFile], cache: Path) -> Path:
    """The snapshot or, where it lacks indexes, a mirror of links to it that has them.

    SeqRepo finds indexes only beside the data, and would build them there.
    """
    if all(
        one.parent == source.path.parent for source in sources.values() for one in source.indexes
    ):
        return root
    # Of the indexes too: one that was beside the data before may be gone since.
    linked = chain.from_iterable((source.path, *source.indexes) for source in sources.values())
    mirror = cache / "mirrors" / file_state(*linked)
    with locked(mirror.with_name(f".{mirror.name}.lock")):
        for name in (ALIASES, SEQUENCE_INFO):
            _mirror(mirror / name, root / name)
        for name, source in sources.items():
            link = mirror / SEQUENCES / name
            _mirror(link, source.path)
            _mirror(beside(link, ".fai"), source.fai)
            if source.gzi is not None:
                _mirror(beside(link, ".gzi"), source.gzi)
    return mirror


def _mirror(link: Path, target: Path) -> None:
    link.parent.mkdir(parents=True, exist_ok=True)
    if not link.is_symlink():
        link.symlink_to(target.resolve())
