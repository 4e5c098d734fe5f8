"""Runs jobs of transfers in this process and whole trials, and looks at places by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, override

from counting_meter import Counting
from faulty_proxy import faulty
from patience import PATIENCE

from core.language import report_to_nobody
from core.measure import Cancel, index_folder, run_trial
from core.vocabulary import (
    Context,
    Fault,
    Load,
    Moment,
    MomentTaken,
    Slot,
    Step,
    Trial,
    TrialEnded,
    build,
    registry,
    specify,
)
from workloads.transfer.acknowledged_files import Acknowledged
from workloads.transfer.remotes import Remote
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.transfer_pass import Pass, PassPlaces
from workloads.transfer.transfer_workload import Transfer
from workloads.transfer.tree_files import Tree, TreeFile
from workloads.transfer.trees_in_remotes import open_remote

S3_CLIENTS = ("boto3", "s3fs", "s3-sync")
FILES, SIZE = 25, 4096
"""Of the tree that whole trials transfer."""
LOAD = {"duration": 0, "threads": 4, "deadline": 5 * PATIENCE, "stall": PATIENCE}
_MARKS = count()


def new_mark() -> str:
    """A mark that no other test has, since they share a server."""
    return f"test-0-{next(_MARKS):04}"


class Forgotten(Acknowledged):
    """For a process that nobody kills: the names of what is done are kept nowhere."""

    def __init__(self) -> None:
        pass

    @override
    def add(self, name: str) -> None:
        pass


def a_pass(folder: Path, meter: Counting, names: Sequence[str], size: int = 10) -> Pass:
    """A pass over files of these names and this many bytes each, which need not exist."""
    files = tuple(TreeFile(name, size, b"") for name in names)
    tree = Tree(root=folder, files=files, digest="digest")
    places = PassPlaces(folder, "sent-mark/0/", folder / "own")
    return Pass(0, tree, places, meter, Forgotten())


@dataclass
class Transferred:
    """What came of transferring a tree once."""

    meter: Counting
    rows: Sequence[str] = ()
    faults: Sequence[Fault] = ()
    audited: Sequence[Fault] = ()
    counters: Mapping[str, float] = field(default_factory=dict)

    @property
    def complaints(self) -> Mapping[str, str]:
        return {fault.item: fault.text for fault in (*self.faults, *self.audited)}


def open_transfer(
    path: Path, meter: Counting, threads: int = 4, mark: str = "", **parameters: Any
) -> Any:
    dataset = registry.open_dataset(path, Transfer.dataset_kinds)
    return Transfer().open(
        Context(
            dataset=dataset,
            parameters=build(TransferParameters, parameters),
            load=Load(threads=threads),
            process=0,
            run_id="test",
            mark=mark or new_mark(),
            cache=index_folder(dataset.fingerprint),
            report=report_to_nobody,
            meter=lambda index: meter,
        )
    )


def transfer(
    path: Path,
    meter: Counting | None = None,
    before: Callable[[], None] = lambda: None,
    **parameters: Any,
) -> Transferred:
    """Transfer a tree once, judge it, and audit the rest; `before`: when all is open."""
    found = Transferred(meter or Counting())
    job = open_transfer(path, found.meter, **parameters)
    try:
        before()
        with job.worker(0) as steps:
            found.rows = performed(steps, job.items[0])
        found.faults = list(job.faults(job.items[0], found.rows))
        found.audited = list(job.audit(report_to_nobody))
        found.counters = job.counters()
    finally:
        job.close()
    return found


def performed(steps: Iterable[Step], item: int) -> Any:
    """What comes of all steps of an item."""
    value: Any = item
    for step in steps:
        value = step.perform(value)
    return value


def trial(tree: Path, watch: Callable[[Moment], None] | None = None, **values: Any) -> Trial:
    """A whole trial in processes of its own; `watch` sees each of its moments."""
    spec = specify("transfer", registry.open_dataset(tree, Transfer.dataset_kinds), LOAD | values)
    cancel = Cancel()
    ended: list[Trial] = []
    try:
        for event in run_trial(Slot(0, 0, spec), "a-run", cancel):
            if isinstance(event, MomentTaken) and watch is not None:
                watch(event.moment)
            ended += [event.trial] if isinstance(event, TrialEnded) else []
    finally:
        cancel.close()
    (found,) = ended
    return found


def remote_of(**parameters: Any) -> Remote:
    return open_remote(build(TransferParameters, parameters))


def names_sent(**parameters: Any) -> Set[str]:
    """What all runs have sent to a place and is still there; other tests leave some of it too."""
    with closing(remote_of(**parameters)) as place:
        return place.arrived("sent-", (), report_to_nobody).keys()


@contextmanager
def through_proxy(s3: Mapping[str, Any], **faults: Any) -> Iterator[Mapping[str, Any]]:
    """What reaches S3 by a proxy with these faults."""
    address, _, port = s3["address"].rpartition(":")
    with faulty(int(port), **faults) as proxy:
        yield {**s3, "address": f"{address}:{proxy}"}
