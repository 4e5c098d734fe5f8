"""The workload: batches of nanopore reads, in order or by their ids."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, override

from core import (
    Context,
    Dataset,
    DatasetError,
    InvalidParameter,
    Job,
    Load,
    SluiceError,
    Workload,
    show,
    tr,
)
from workloads.shared.code_templates import code_from, paths_in_code
from workloads.shared.datasets import left_out_notes
from workloads.shared.text_lists import lines_of
from workloads.signal.catalogue import BLOW5, POD5, Catalogue, count_reads
from workloads.signal.signal_datasets import cut_off, files_of, readable
from workloads.signal.signal_jobs import (
    BatchResult,
    ReadRequest,
    SignalJob,
    SignalReads,
    in_order,
    listed,
    shuffled,
)
from workloads.signal.signal_parameters import READERS, SignalParameters

_CAT_BLOCK = 128 * 1024
_READ_BLOCK = 16 * 1024
_READS_EACH = 4
"""Of a batch for each thread, from which it shows what threads bring."""
_BY_HARNESS = {
    "blow5-c": "batches",
    **dict.fromkeys(("blow5-pool", "blow5-zstd", "pod5-c-io", "pod5-c-mmap"), "pool"),
}
"""What the harness in C does for a reader."""
_MANY = 17
"""Files that are not all named behind a command."""
_IN_PYTHON = ("blow5-python", "pod5-io", "pod5-mmap")


class ReadSignals(Workload[SignalParameters]):
    """Reads signals, with the fields that basecalling needs."""

    name = "signal"
    unit = "read"
    parameters = SignalParameters
    important = ("threads", "batch_size", "reader", "access")
    dataset_kinds = ("signal", BLOW5, POD5)
    imports = ("numpy",)
    asked_first: ClassVar[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
        "signal": {"reader": ("blow5-pool", "pod5-c-io")}
    }
    partial: ClassVar[Mapping[str, tuple[str, ...]]] = {"depth": ("fetch",)}

    @override
    def admit(self, parameters: SignalParameters, dataset: Dataset) -> None:
        form = format_read_by(parameters.reader)
        if dataset.kind not in ("signal", form):
            others = ", ".join(one for one in READERS if format_read_by(one) == dataset.kind)
            raise InvalidParameter(
                "reader",
                tr("{reader} does not read {kind}", reader=parameters.reader, kind=dataset.kind),
                tr("choose one of {readers}, or convert to {wanted}", readers=others, wanted=form),
            )
        if parameters.read_list:
            lines_of(Path(parameters.read_list), "read_list")

    @override
    def in_code(
        self, parameters: SignalParameters, load: Load, dataset: Dataset
    ) -> Mapping[str, str]:
        """The same reads: by the packages in Python, by the libraries in C."""
        reader, files = parameters.reader, list[Path]()
        with suppress(SluiceError):  # it may be gone since
            files = _files(parameters, dataset)
        values = {
            "parameters": parameters,
            "blow5": format_read_by(reader) == BLOW5,
            "mapped": reader.endswith("mmap"),
            "files": paths_in_code(dataset.path, files),
            "arguments": shlex.join(map(str, files)) if len(files) < _MANY else "FILE…",
        }
        if reader in _IN_PYTHON:
            return {"Python": code_from("signal_python", load, **values)}
        return {"C": code_from(f"signal_{format_read_by(reader)}", load, **values)}

    @override
    def open(self, context: Context[SignalParameters]) -> Job[ReadRequest, BatchResult]:
        parameters = context.parameters
        for driver in self.drivers(parameters):
            driver.require()
        self.admit(parameters, context.dataset)
        files = _files(parameters, context.dataset)
        catalogues, odd = readable(files, context.cache, parameters.reads, context.report)
        job = _job(context, [one for one in catalogues if one.reads])
        notes = left_out_notes([str(error) for error in (*cut_off(context.dataset.path), *odd)])
        job.notes = [*notes, *_about_formats(context, catalogues)]
        return job

    @override
    def too_little(self, parameters: SignalParameters, load: Load, dataset: Dataset) -> str:
        """Where a batch that takes all reads has hardly one for each thread."""
        workers = load.threads * load.processes
        enough = min(_READS_EACH * workers, parameters.batch_size)
        count = 0
        for file in _files(parameters, dataset):
            count += count_reads(file, enough - count)
            if count >= enough:
                return ""
        return tr(
            "1 read is too little to show what workers bring ({workers}): a batch could have "
            "{batch}; take data with more reads",
            "{count:,} reads are too few to show what workers bring ({workers}): a batch could "
            "have {batch}; take data with more reads",
            count=count,
            workers=workers,
            batch=show(parameters.batch_size, ""),
        )

    @override
    def programs(self, parameters: SignalParameters) -> Mapping[str, str]:
        """Which zstd decompresses records, and whether pool or calls for batches are C's."""
        versions = {}
        if part := _BY_HARNESS.get(parameters.reader):
            from workloads.signal import thread_pools

            versions[part] = "C" if thread_pools.library() is not None else "Python"
        if format_read_by(parameters.reader) == BLOW5:
            from workloads.signal.zstd_libraries import (
                zstd_version_here,
                zstd_version_inside_pyslow5,
            )

            ours = parameters.reader == "blow5-zstd"
            versions["zstd"] = zstd_version_here() if ours else zstd_version_inside_pyslow5()
        return {name: version for name, version in versions.items() if version}

    @override
    def floor(self, parameters: SignalParameters) -> Mapping[str, object]:
        """In order, what `cat` does; at random, 16 KiB, the size of a usual nanopore read."""
        if parameters.access == "sequential":
            return {"access": "sequential", "block_size": _CAT_BLOCK}
        return {"access": "random", "block_size": _READ_BLOCK}


def format_read_by(reader: str) -> str:
    return BLOW5 if reader.startswith("blow5") else POD5


def _about_formats(
    context: Context[SignalParameters], catalogues: Sequence[Catalogue]
) -> Iterator[str]:
    """Whether this run's other trials of a folder read the other format, with other reads."""
    if context.dataset.kind != "signal":
        return
    reads = sorted(
        (read.read_id, read.length, read.crc) for one in catalogues for read in one.reads
    )
    identity = hashlib.sha256(repr(reads).encode()).hexdigest()
    folder = context.cache / "reads-of-runs" / f"{context.run_id}-{context.parameters.reads}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / format_read_by(context.parameters.reader)).write_text(identity)
    if {place.read_text() for place in folder.iterdir()} != {identity}:
        yield tr("BLOW5 and POD5 of the folder do not hold the same reads: do not compare them")


def _files(parameters: SignalParameters, dataset: Dataset) -> list[Path]:
    """The files that a run reads; raises DatasetError."""
    press = "zstd" if parameters.reader == "blow5-zstd" else parameters.compression
    return files_of(dataset.path, format_read_by(parameters.reader), press)


def _by_id(context: Context[SignalParameters]) -> bool:
    """Whether reads are fetched by their ids; pyslow5 cannot split a file in another way."""
    parameters = context.parameters
    shared = parameters.reader == "blow5-python" and context.load.processes > 1
    return parameters.access == "random" or shared


def _items(context: Context[SignalParameters], catalogues: list[Catalogue]) -> list[ReadRequest]:
    parameters = context.parameters
    if parameters.access == "sequential":
        return in_order(catalogues, parameters.batch_size)
    if parameters.read_list:
        return listed(catalogues, parameters.batch_size, Path(parameters.read_list))
    return shuffled(catalogues, parameters.batch_size, context.load.seed)


def _job(context: Context[SignalParameters], catalogues: list[Catalogue]) -> SignalJob:
    parameters, by_id = context.parameters, _by_id(context)
    repeating = next((one for one in catalogues if one.repeated), None) if by_id else None
    if repeating is not None:
        raise DatasetError(
            tr("{path} has read {id} more than once", path=repeating.path, id=repeating.repeated),
            tr("read it in order, where ids do not matter, with another reader or one process"),
        )
    reads = SignalReads(
        catalogues,
        _items(context, catalogues),
        context.load.threads,
        context.cache,
        by_id,
        parameters.reader.endswith("mmap"),
    )
    if not reads.items:
        return SignalJob(reads)
    if by_id and format_read_by(parameters.reader) == BLOW5:
        from workloads.signal.slow5lib import indexes_of

        indexes_of(catalogues, context.cache, context.report)
    names = [one.path.name for one in catalogues]
    more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
    context.report(f"opening {names[0]}{more}")
    return _kind_of_job(parameters)(reads)


def _kind_of_job(parameters: SignalParameters) -> type[SignalJob]:
    match parameters.reader:
        case "blow5-python":
            from workloads.signal.python_readers import PythonBlow5Job

            return PythonBlow5Job
        case "pod5-io" | "pod5-mmap":
            from workloads.signal.python_readers import PythonPod5Job

            return PythonPod5Job
        case "pod5-c-io" | "pod5-c-mmap":
            from workloads.signal.pod5_native import NativePod5Job

            return NativePod5Job
    from workloads.signal.blow5_native import LibraryJob, PoolJob, RawRecordJob, StagesJob, ZstdJob

    by_depth = {"fetch": RawRecordJob, "stages": StagesJob, "decode": PoolJob}
    jobs = {"blow5-c": LibraryJob, "blow5-pool": by_depth[parameters.depth], "blow5-zstd": ZstdJob}
    return jobs[parameters.reader]
