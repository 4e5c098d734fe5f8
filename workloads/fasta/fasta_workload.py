"""The workload: random fetches of sequences, by a library and a way to keep files open."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, override

import msgspec

from core import Context, Dataset, Job, Load, Step, Workload, content_of, file_state, tr
from workloads.fasta.caches import HandleCache, handle_cache
from workloads.fasta.fai_table import FaiTable
from workloads.fasta.fasta_files import (
    FastaForm,
    IndexedFile,
    counting,
    fasta_files,
    form_of,
    sources,
)
from workloads.fasta.fasta_parameters import KEPT, FastaParameters
from workloads.fasta.fetch_oracle import Answers, Fetch, SnapshotVerifier, StoredDraw, answer
from workloads.fasta.readers import FastaJob, SeqrepoJob, opener, readable_root, require_possible
from workloads.fasta.sampling import from_files, from_snapshot, regions_in
from workloads.fasta.snapshots import (
    ALIASES,
    SEQUENCE_INFO,
    looking_up,
    sequences_by_file,
    snapshot_files,
)
from workloads.shared.code_templates import code_from, paths_in_code
from workloads.shared.datasets import LeftOut, left_out_notes

_ORACLE = 3
"""Increased when the same request draws other sequences than before, or keeps more of them."""
_BLOCK = 16 * 1024


class RandomFetch(Workload[FastaParameters]):
    name = "fasta"
    unit = "sequence"
    parameters = FastaParameters
    important = ("threads", "processes", "cache_size", "cache", "reader", "regions")
    dataset_kinds = ("seqrepo", "fasta", "fasta-folder")
    imports = ("numpy",)
    asked_first: ClassVar[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
        kind: {"cache": ("lru-locked", "none", "per-thread")} for kind in dataset_kinds
    }
    unlocked: ClassVar[Mapping[str, Mapping[str, str]]] = {"cache": {"lru": "lru-locked"}}

    @override
    def admit(self, parameters: FastaParameters, dataset: Dataset) -> None:
        """SeqRepo itself has only some of the caches, and reads only snapshots.

        A list of regions must be one.
        """
        if parameters.reader == "seqrepo":
            require_possible(parameters, dataset.kind)
        if parameters.regions:
            regions_in(Path(parameters.regions))

    @override
    def takes(self, place: Path) -> str:
        """A BED file has the regions of a FASTA file."""
        return "regions" if place.suffix.lower() == ".bed" and place.is_file() else ""

    @override
    def descriptors(
        self, parameters: FastaParameters, load: Load, dataset: Dataset, files: int
    ) -> Mapping[str, int]:
        """Each thread reads a file and has SeqRepo's two databases open; a cache keeps more."""
        databases = 2 if dataset.kind == "seqrepo" else 0
        open_files = min(parameters.cache_size, files)
        if parameters.cache == "per-thread":
            open_files *= load.threads
        if parameters.cache in KEPT:
            return {"cache_size": open_files, "threads": databases * load.threads}
        return {"threads": (databases + 1) * load.threads}

    @override
    def in_code(
        self, parameters: FastaParameters, load: Load, dataset: Dataset
    ) -> Mapping[str, str]:
        """The same fetches by the same library; of a snapshot by SeqRepo, which reads nothing else.

        SeqRepo locks the handles that it keeps.
        """
        snapshot = dataset.kind == "seqrepo"
        files = () if snapshot else tuple(_data_files(dataset.path, dataset.kind).values())
        code = code_from(
            "fasta",
            load,
            parameters=parameters,
            place=dataset.location,
            files=paths_in_code(dataset.path, files),
            snapshot=snapshot,
            folder=dataset.kind == "fasta-folder",
            keeps=parameters.cache in KEPT,
        )
        return {"Python": code}

    @override
    def open(self, context: Context[FastaParameters]) -> Job[Fetch, str]:
        parameters = context.parameters
        for driver in self.drivers(parameters):
            driver.require()
        files, answers, notes = _prepare(context)
        if parameters.reader == "seqrepo":
            root = readable_root(context.dataset.path, files, context.cache)
            return SeqrepoJob(root, parameters, context.load.threads, answers)
        cache = handle_cache(parameters, opener(parameters.reader, files, context.cache))
        root_of_lookups = context.dataset.path if context.dataset.kind == "seqrepo" else None
        job = FetchJob(answers, cache, root_of_lookups)
        job.notes = notes
        return job

    @override
    def floor(self, parameters: FastaParameters) -> Mapping[str, object]:
        """Random reads of 16 KiB: what a BGZF block of 64 KiB of bases takes, compressed fourfold.

        A fetch must read and inflate at least one such block.
        """
        return {"access": "random", "block_size": _BLOCK}


class FetchJob(FastaJob):
    """Fetches through handles that a cache keeps."""

    def __init__(self, answers: Answers, cache: HandleCache, lookups: Path | None) -> None:
        super().__init__(answers)
        self._cache = cache
        self._lookups = lookups

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        """On a snapshot the look-ups, each thread with its own connections, then the fetch."""
        with self._cache.worker() as fetch_from:
            if self._lookups is None:

                def fetch(item: Fetch) -> str:
                    file, name, start, stop, _ = item
                    return fetch_from(file, name, start, stop)

                yield (Step("fetch", fetch),)
                return
            with looking_up(self._lookups) as look_up:

                def locate(item: Fetch) -> tuple[str, str, int, int]:
                    namespace, alias, start, stop, _ = item
                    seq_id, file = look_up(namespace, alias)
                    return file, seq_id, start, stop

                yield Step("look-up", locate), Step("fetch", lambda place: fetch_from(*place))

    @override
    def remedy(self, error: Exception) -> str:
        """For names that pyfaidx refuses."""
        if "Duplicate key" not in str(error):
            return ""
        return tr("pyfaidx refuses repeated names: rename them, or index it with samtools faidx")

    def counters(self) -> Mapping[str, float]:
        """Hits, misses and concurrent opens of the cache; hits and misses make all fetches."""
        return self._cache.counters()

    def close(self) -> None:
        self._cache.close()


def _prepare(context: Context[Any]) -> tuple[Mapping[str, IndexedFile], Answers, Sequence[str]]:
    """The files with their indexes, the answers, and what is to be said of them."""
    path = context.dataset.path
    snapshot = context.dataset.kind == "seqrepo"
    files = _data_files(path, context.dataset.kind)
    left_out = LeftOut(allowed=context.dataset.kind == "fasta-folder")
    form = (lambda _: FastaForm.BGZF) if snapshot else form_of
    indexed = sources(files, form, context.cache, context.report, left_out)

    def compute(anew: bool) -> StoredDraw:
        if not snapshot:
            return _of_files(context, indexed, anew=anew)
        planned = from_snapshot(path, context.parameters, context.load.seed)
        verifier = SnapshotVerifier(path, sequences_by_file(path))
        return StoredDraw(answer(planned, indexed, verifier, context.report), [])

    data = [path / ALIASES, path / SEQUENCE_INFO] if snapshot else []
    with_indexes = chain.from_iterable((one.path, *one.indexes) for one in indexed.values())
    state = file_state(*data, *with_indexes)
    place = context.cache / "fetches" / _identity(state, context.parameters, context.load.seed)
    answers = Answers(place, compute, context.report)
    reasons = [*map(str, left_out.reasons), *answers.left_out]
    notes = [*left_out_notes(reasons), *_notes(context, answers, indexed)]
    return indexed, answers, notes


def _notes(
    context: Context[Any], answers: Answers, files: Mapping[str, IndexedFile]
) -> Iterator[str]:
    """What was fetched where nobody chose it, and which files other programs read otherwise."""
    parameters, fetches = context.parameters, answers.fetches
    chosen = parameters.regions or parameters.slice != "auto"
    if not chosen and context.dataset.kind != "seqrepo":
        longest = max(one.stop - one.start for one in fetches)
        whole = tr(
            "fetched: whole sequences of 1 base",
            "fetched: whole sequences of up to {count:,} bases",
            count=longest,
        )
        regions = tr(
            "fetched: regions of 1 base at random places",
            "fetched: regions of {count:,} bases at random places",
            count=longest,
        )
        yield regions if any(one.start for one in fetches) else whole
    lacking = [one.path for one in files.values() if one.gzi and one.gzi.parent != one.path.parent]
    if lacking:
        yield tr(
            "{file} has no index of its BGZF blocks beside it (.gzi), so Sluice made one: without it a reader inflates all that stands before a region, and far ones take longer",
            file=lacking[0].name,
        )


def _of_files(context: Context[Any], files: Mapping[str, IndexedFile], *, anew: bool) -> StoredDraw:
    """The fetches from files; each file is read completely, and its indexes must fit it."""
    records: dict[str, FaiTable] = {}
    left_out = LeftOut(allowed=context.dataset.kind == "fasta-folder")
    for done, (name, source) in enumerate(files.items()):
        report = counting(context.report, done, len(files))
        report("looking through the sequences")
        with left_out.unless_usable():
            table = source.records(report, anew=anew)
            source.require_fit(table)
            records[name] = table
    left_out.require_rest(records)
    planned = from_files(records, context.parameters, context.load.seed)
    fetches = answer(planned, files, lambda _, __, some: records[some[0].file], context.report)
    return StoredDraw(fetches, list(map(str, left_out.reasons)))


def _data_files(path: Path, kind: str) -> dict[str, Path]:
    match kind:
        case "seqrepo":
            return snapshot_files(path)
        case "fasta":
            return {"": path}
    # Names as text even where they are not, because answers are kept under them.
    return {
        os.fsencode(file.relative_to(path)).decode(errors="backslashreplace"): file
        for file in fasta_files(path)
    }


def _identity(data: str, parameters: FastaParameters, seed: int) -> str:
    """Name of the file with the answers, made from the data and all that decides the draw."""
    drawing = (
        parameters.slice,
        parameters.length,
        parameters.accessions,
        parameters.namespace,
        parameters.prefix,
        *((content_of(Path(parameters.regions)),) if parameters.regions else ()),
    )
    encoded = msgspec.json.encode((_ORACLE, data, drawing, seed))
    return hashlib.blake2b(encoded, digest_size=8).hexdigest()
