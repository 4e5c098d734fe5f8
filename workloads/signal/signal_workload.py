"""The workload: batches of nanopore reads, in order or by their ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import override

from core import Context, Dataset, DatasetError, InvalidParameter, Job, Workload, tr
from workloads.signal.catalogue import Catalogue, catalogue
from workloads.signal.jobs import Delivered, SignalJob, Wanted, in_order, listed, shuffled
from workloads.signal.signal_datasets import files_of
from workloads.signal.signal_parameters import SignalParameters
from workloads.signal.signal_sniffing import BLOW5, POD5

_CAT_BLOCK = 128 * 1024
_READ_BLOCK = 16 * 1024


class ReadSignals(Workload[SignalParameters]):
    """Reads signals, with the fields that basecalling needs."""

    name = "signal"
    unit = "read"
    parameters = SignalParameters
    dataset_kinds = ("signal", BLOW5, POD5)

    @override
    def admit(self, parameters: SignalParameters, dataset: Dataset) -> None:
        """A reader of one format cannot read the other."""
        wanted = format_read_by(parameters.reader)
        if dataset.kind not in ("signal", wanted):
            raise InvalidParameter(
                "reader",
                tr("{reader} does not read {kind}", reader=parameters.reader, kind=dataset.kind),
                tr("choose another reader, or convert to {wanted}", wanted=wanted),
            )

    @override
    def open(self, context: Context[SignalParameters]) -> Job[Wanted, Delivered]:
        """Find the right answers for the reads, choose their order, open the files."""
        parameters = context.parameters
        for driver in self.drivers(parameters):
            driver.require()
        self.admit(parameters, context.dataset)
        files = files_of(
            context.dataset.path, format_read_by(parameters.reader), parameters.compression
        )
        found = [catalogue(file, parameters.reads, context.cache, context.tell) for file in files]
        catalogues = [one for one in found if one.reads]
        if _by_id(context):
            _require_told_apart(catalogues)
        return _job(context, catalogues, _items(context, catalogues))

    @override
    def floor(self, parameters: SignalParameters) -> Mapping[str, object]:
        """In order, what `cat` does; at random, 16 KiB, the size of a usual nanopore read."""
        if parameters.access == "sequential":
            return {"access": "sequential", "block_size": _CAT_BLOCK}
        return {"access": "random", "block_size": _READ_BLOCK}


def format_read_by(reader: str) -> str:
    """The format that a reader reads."""
    return BLOW5 if reader.startswith("blow5") else POD5


def _by_id(context: Context[SignalParameters]) -> bool:
    """Whether reads are fetched by their ids; pyslow5 cannot split a file in another way."""
    parameters = context.parameters
    shared = parameters.reader == "blow5-python" and context.load.processes > 1
    return parameters.access == "random" or shared


def _require_told_apart(catalogues: Sequence[Catalogue]) -> None:
    one = next((one for one in catalogues if one.repeated), None)
    if one is not None:
        raise DatasetError(
            tr("{path} has read {id} more than once", path=one.path, id=one.repeated),
            tr("read it in order, where ids do not matter, with another reader or one process"),
        )


def _items(context: Context[SignalParameters], catalogues: list[Catalogue]) -> list[Wanted]:
    parameters = context.parameters
    if parameters.access == "sequential":
        return in_order(catalogues, parameters.batch_size)
    if parameters.read_list:
        return listed(catalogues, parameters.batch_size, Path(parameters.read_list))
    return shuffled(catalogues, parameters.batch_size, context.load.seed)


def _job(
    context: Context[SignalParameters], catalogues: list[Catalogue], items: list[Wanted]
) -> SignalJob:
    parameters, threads, cache = context.parameters, context.load.threads, context.cache
    by_id = _by_id(context)
    if not items:
        return SignalJob(catalogues, items)
    if by_id and format_read_by(parameters.reader) == BLOW5:
        from workloads.signal.blow5_native import indexes_of

        indexes_of(catalogues, cache, context.tell)
    names = [one.path.name for one in catalogues]
    more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
    context.tell(f"opening {names[0]}{more}")
    match parameters.reader:
        case "blow5-c":
            from workloads.signal.blow5_native import LibraryJob

            return LibraryJob(catalogues, items, threads, cache, by_id=by_id)
        case "blow5-pool":
            from workloads.signal.blow5_native import FetchJob, PoolJob, StagesJob

            jobs = {"fetch": FetchJob, "stages": StagesJob, "decode": PoolJob}
            return jobs[parameters.depth](catalogues, items, threads, cache, by_id=by_id)
        case "blow5-python":
            from workloads.signal.blow5_python import PythonBlow5Job

            return PythonBlow5Job(catalogues, items, threads, cache, by_id=by_id)
        case "pod5-c-io" | "pod5-c-mmap" as reader:
            from workloads.signal.pod5_native import NativePod5Job

            mapped = reader == "pod5-c-mmap"
            return NativePod5Job(catalogues, items, threads, mapped=mapped, by_id=by_id)
        case "pod5-io" | "pod5-mmap" as reader:
            from workloads.signal.pod5_python import PythonPod5Job

            mapped = reader == "pod5-mmap"
            return PythonPod5Job(catalogues, items, threads, mapped=mapped, by_id=by_id)
    raise AssertionError(f"{parameters.reader} is not declared")
