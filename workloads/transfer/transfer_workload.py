"""The workload: a tree of files sent or fetched by a client with threads of its own.

An operation is one file; its latency lasts from its first byte or request.  The load's threads are
those of the client.  A trial transfers the whole tree, and again as long as its time is not over;
the time of a tree is its files divided by the throughput.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any, override

from core import (
    Context,
    Dataset,
    Driver,
    Fault,
    InvalidParameter,
    Job,
    Load,
    Remains,
    ReportProgress,
    Value,
    Workload,
    command_text,
    index_folder,
    report_to_nobody,
    require_space,
    tr,
    usable_cores,
)
from workloads.shared.link import LINK, Link, is_linkable, linked, require_linkable
from workloads.shared.servers import REQUESTS, S3_PAGE, counted_on_wire
from workloads.transfer.acknowledged_files import acknowledged, forget_acknowledged
from workloads.transfer.remotes import Arrived, hashed_below, remove_folder
from workloads.transfer.synapse_service import MOST_THREADS
from workloads.transfer.transfer_in_code import transfer_in_code
from workloads.transfer.transfer_job import TransferJob
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.tree_files import Tree, files_below, holds_folder, open_tree, part_of
from workloads.transfer.trees_in_remotes import (
    complaint_about,
    entry_of,
    fetched_folder,
    files_arrived,
    folder_of_pass,
    holds,
    open_remote,
    own_folder,
    place_tree,
    prefix_of_pass,
    remote_folder,
    require_ends,
    require_names,
    sent_prefix,
    tree_prefix,
)


def tree_of(dataset: Dataset, parameters: TransferParameters, report: ReportProgress) -> Tree:
    """The tree that is transferred, of a dataset or of a folder in it; raises DatasetError."""
    whole = open_tree(dataset, index_folder(dataset.fingerprint), report)
    return part_of(whole, parameters.below) if parameters.below else whole


_THREAD_RATE = 100
"""Requests a second that one thread makes at most: each carries a file, or a part of one."""


class Transfer(Workload[TransferParameters]):
    name = "transfer"
    unit = "file"
    parameters = TransferParameters
    important = ("threads", "part_size", "direction", "client", "address")
    dataset_kinds = ("file-tree", "files")
    lines = ("below", *LINK)
    turns = False  # a pass cannot wait in its middle

    @override
    def admit(self, parameters: TransferParameters, dataset: Dataset) -> None:
        require_ends(parameters)
        if entry_of(parameters).scheme == "s3":
            require_linkable(parameters.address, parameters)
        below = PurePosixPath(parameters.below)
        if below.is_absolute() or ".." in below.parts:
            raise InvalidParameter(
                "below",
                tr("{folder} is not a folder within the tree", folder=parameters.below),
                tr("give its path from the root of the tree"),
            )
        if parameters.below and dataset.local and not holds_folder(dataset.path, parameters.below):
            raise InvalidParameter(
                "below",
                tr("the tree has no folder {folder}", folder=parameters.below),
                tr(
                    "name another one, or generate the published trees: {command}",
                    command=command_text("dataset", "make", "file-tree", "--trees", "scaled"),
                ),
            )

    @override
    def usual_load(self) -> Mapping[str, Value]:
        """As many threads as the client of Synapse has by itself."""
        return {"threads": min(usable_cores() + 4, MOST_THREADS)}

    @override
    def drivers(self, parameters: TransferParameters) -> tuple[Driver, ...]:
        return entry_of(parameters).drivers

    @override
    def files(self, parameters: TransferParameters, dataset: Dataset) -> Sequence[Path] | None:
        if parameters.direction == "up" and not parameters.below:
            return None
        if parameters.direction == "down" and entry_of(parameters).scheme:
            return ()
        tree = tree_of(dataset, parameters, report_to_nobody)
        if parameters.direction == "up":
            return sorted(map(tree.path_of, tree.files))
        return sorted(files_below(remote_folder(parameters) / tree_prefix(tree)))

    @override
    def irrelevant(self, parameters: TransferParameters) -> frozenset[str]:
        """A warm-up, which would be one more pass; more processes than the client has itself."""
        reads = parameters.direction == "up" or not entry_of(parameters).scheme
        cache = () if reads else ("page_cache",)
        return frozenset(
            (*cache, "operations", "processes", "share", "warm_up", "warm_up_operations")
        )

    @override
    def place(
        self, dataset: Dataset, parameters: TransferParameters, report: ReportProgress
    ) -> None:
        require_ends(parameters)
        if parameters.direction == "down":
            place_tree(tree_of(dataset, parameters, report), parameters, report)
        else:  # what fails here is not tried again by each trial
            open_remote(parameters, report).close()

    @override
    def remove_leftovers(
        self, mark: str, parameters: TransferParameters, report: ReportProgress
    ) -> int:
        report("removing what was transferred")
        forget_acknowledged(mark)
        remove_folder(own_folder(mark))
        if parameters.direction == "down":
            return remove_folder(fetched_folder(parameters, mark))
        with closing(open_remote(parameters, report)) as remote:
            return remote.remove(sent_prefix(mark))

    @override
    def requests(
        self, parameters: TransferParameters, load: Load, dataset: Dataset
    ) -> Mapping[str, int]:
        """Some for each file and each of its parts, in as many passes as the time allows."""
        scheme = entry_of(parameters).scheme
        if not scheme:
            return {}
        sizes = [path.stat().st_size for path in files_below(dataset.path / parameters.below)]
        files, parts = len(sizes), sum(size // parameters.part_size for size in sizes)
        pages = files // S3_PAGE + 1
        of_file = {"s3": 2, "synapse": 6}[scheme]
        of_pass = parameters.runs * (of_file * files + parts + pages)
        up = parameters.direction == "up"
        return {
            "placing": 0 if up else of_file * files + parts + 2 * pages,
            "measuring": max(of_pass, round(load.duration * load.threads * _THREAD_RATE)),
            "verifying": (1 if scheme == "s3" else of_file) * files + pages if up else 0,
            "removing": 2 * pages if up else 0,
        }

    @override
    def counted(self, parameters: TransferParameters) -> Mapping[str, float]:
        """Requests to S3 by botocore; those of other clients' own are not all seen."""
        return counted_on_wire() if parameters.client in ("boto3", "s3fs") else {}

    @override
    def remains(
        self, mark: str, dataset: Dataset, parameters: TransferParameters, report: ReportProgress
    ) -> Remains | None:
        """What arrived in a pass that a kill or a failure has cut off, file by file."""
        return remains_of(mark, tree_of(dataset, parameters, report), parameters, report)

    @override
    def in_code(
        self, parameters: TransferParameters, load: Load, dataset: Dataset
    ) -> Mapping[str, str]:
        with suppress(InvalidParameter):  # of an address that is none
            return transfer_in_code(parameters, load, dataset)
        return {}

    @override
    def open(self, context: Context[TransferParameters]) -> Job[Any, Any]:
        parameters = context.parameters
        self.admit(parameters, context.dataset)
        tree = tree_of(context.dataset, parameters, context.report)
        require_names(tree, parameters)
        if parameters.direction == "down":
            require_space(fetched_folder(parameters, context.mark), tree.bytes)
        context.report(f"opening {parameters.client}")
        remote = open_remote(parameters, context.report)
        try:
            if parameters.direction == "down" and not holds(remote, tree):
                place_tree(tree, parameters, context.report)  # no engine has placed it
            with ExitStack() as way:
                link = _link_of(parameters, way)
                here = replace(parameters, address=link.address)
                client = entry_of(parameters).open(here, context.load.threads)
                job = TransferJob(context, tree, client, remote)
                job.come_by(link, way.pop_all())
        except BaseException:
            remote.close()
            raise
        return job


def _link_of(parameters: TransferParameters, way: ExitStack) -> Link:
    """What lies before the other end; a client in a process of its own is counted by a proxy.

    Not without being asked: that proxy is slower than fast clients.
    """
    entry = entry_of(parameters)
    if entry.scheme != "s3":
        return Link(parameters.address)
    if not entry.tallies and not any(getattr(parameters, name) for name in LINK):
        why = tr(
            "requests and bytes are not counted: {client} is another program", client=entry.name
        )
        return Link(parameters.address, notes=list(_uncounted(why, parameters)))
    link = way.enter_context(linked(parameters.address, parameters))
    if REQUESTS not in {*entry.tallies, *link.counted()}:
        why = tr("requests are not counted: {client} tells of none", client=entry.name)
        link.notes.extend(_uncounted(why, parameters))
    return link


def _uncounted(why: str, parameters: TransferParameters) -> Iterator[str]:
    yield why
    if is_linkable(parameters.address):
        yield tr(
            "a proxy counts what a client does not tell, and may be slower: add --link-bandwidth 1TB"
        )


def remains_of(
    mark: str, tree: Tree, parameters: TransferParameters, report: ReportProgress
) -> Remains | None:
    """What arrived: a file that the client has called done is there, or is wrong data.

    None where every pass was looked at before; raises SluiceError.
    """
    passes = acknowledged(mark, [file.name for file in tree.files])
    if not passes:
        return None
    faults: list[Fault] = []
    whole = 0
    for number, names in passes.items():
        arrived = _arrivals(mark, number, tree, parameters, report)
        whole += files_arrived(tree.files, arrived)
        faults += [
            Fault(why, file.name)
            for file in tree.files
            if file.name in names and (why := complaint_about(file, arrived.get(file.name)))
        ]
    return Remains(
        verified=sum(map(len, passes.values())),
        faults=faults,
        counters={
            "trees": min(passes),  # those before were looked at
            "files of a tree": len(tree.files),
            "files arrived": whole,
            "files missing": len(passes) * len(tree.files) - whole,
        },
    )


def _arrivals(
    mark: str, number: int, tree: Tree, parameters: TransferParameters, report: ReportProgress
) -> Mapping[str, Arrived]:
    if parameters.direction == "down":
        return hashed_below(folder_of_pass(parameters, mark, number), report)
    with closing(open_remote(parameters, report)) as remote:
        return remote.arrived(prefix_of_pass(mark, number), tree.files, report)
