"""Transfers of a whole tree, one after the other, each of which is verified file by file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import override

from core import Context, Fault, Job, Meter, ReportProgress, SluiceError, Step, tr
from workloads.shared.datasets import left_out_notes
from workloads.shared.link import NO_LINK, Link
from workloads.shared.objects.failures import plain_error
from workloads.transfer.acknowledged_files import Acknowledged
from workloads.transfer.clients import Client
from workloads.transfer.remotes import Arrived, Remote, hashed_below, remove_folder
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.transfer_pass import Pass, PassPlaces
from workloads.transfer.tree_files import Tree
from workloads.transfer.trees_in_remotes import (
    complaint_about,
    entry_of,
    files_arrived,
    folder_of_pass,
    own_folder,
    prefix_of_pass,
    tree_prefix,
)


class TransferJob(Job[int, Sequence[str]]):
    """One item is one pass over the tree; its result are the files that the client calls done.

    A pass has a folder or a prefix of its own, which is verified as soon as the pass is over, with
    the clock stopped, and removed then.
    """

    items = (0,)
    workers = 1
    metered = True
    checking = "between"

    def __init__(
        self, context: Context[TransferParameters], tree: Tree, client: Client, remote: Remote
    ) -> None:
        self._context = context
        self._tree, self._client, self._remote = tree, client, remote
        self.notes = left_out_notes((*tree.left_out, *tree.passed_over))
        self._up = context.parameters.direction == "up"
        self._passes: list[Pass] = []
        self._next: Pass | None = None
        """The pass that comes, made while the clock stands still."""
        self._arrived: dict[int, Mapping[str, Arrived]] = {}
        self._names = {file.name for file in tree.files}
        self.client_threads = context.load.threads
        self.tallies = entry_of(context.parameters).tallies
        self._link = NO_LINK
        self._carried: dict[str, float] = {}
        """What the link has counted of all passes so far."""
        self._way: AbstractContextManager[object] = nullcontext()

    def come_by(self, link: Link, way: AbstractContextManager[object]) -> None:
        """The client goes that way to the other end, which is left when the client is closed."""
        self._link, self._way = link, way
        link.notes[:0] = self.notes
        self.notes = link.notes

    @contextmanager
    @override
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        meter = self._context.meter(index)
        self._next = self._made(meter)
        move = self._client.upload if self._up else self._client.download

        def prepare(item: int) -> Pass:
            going = self._begin(meter)
            with _ending_broken(going):
                self._client.prepare(going)
            return going

        def transfer(begun: int | Pass) -> Sequence[str]:
            going = begun if isinstance(begun, Pass) else self._begin(meter)
            with _ending_broken(going), self._counting():
                self._run(move, going)
            going.end(cut=going.stopping)
            return going.rows()

        moving = Step("transfer", transfer)
        name = self._client.preparation
        yield (Step(name, prepare, apart=True), moving) if name else (moving,)

    def _made(self, meter: Meter) -> Pass:
        number = len(self._passes)
        names = [file.name for file in self._tree.files]
        acknowledged = Acknowledged(self._context.mark, number, names)
        return Pass(number, self._tree, self._places(number), meter, acknowledged)

    def _begin(self, meter: Meter) -> Pass:
        going = self._next or self._made(meter)
        self._next = None
        going.acknowledged.begin()
        self._passes.append(going)
        return going

    def _run(self, move: Callable[[Pass], None], going: Pass) -> None:
        """Run the client, and again as long as it leaves files out and may be run again."""
        failures: tuple[type[Exception], ...] = (SluiceError, *self._client.failures)
        for further_runs in reversed(range(self._context.parameters.runs)):
            going.begin_run(last=not further_runs)
            try:
                move(going)
            except failures as error:
                if going.stopping or not further_runs:
                    plain = plain_error(error)
                    raise plain from (None if plain is error else error)
            if going.stopping or not going.files_left:
                break

    @contextmanager
    def _counting(self) -> Iterator[None]:
        """Count what the link carries meanwhile; passes are verified on another way."""
        before = self._link.counted()
        try:
            yield
        finally:
            for name, count in (self._link.counted() if before else {}).items():
                self._carried[name] = self._carried.get(name, 0.0) + count - before.get(name, 0.0)

    def _places(self, number: int) -> PassPlaces:
        parameters, mark = self._context.parameters, self._context.mark
        own = own_folder(mark) / str(number)
        if self._up:
            return PassPlaces(self._tree.root, prefix_of_pass(mark, number), own)
        return PassPlaces(folder_of_pass(parameters, mark, number), tree_prefix(self._tree), own)

    @override
    def faults(self, item: int, result: Sequence[str]) -> Iterable[Fault]:
        """Every file that did not arrive as the catalogue has it, unless the client told of it."""
        rows, most = set(result), len(self._passes) - 1
        heads = (row.partition("/")[0] for row in rows)
        numbers = [int(head) for head in heads if head.isdigit() and int(head) <= most]
        number = max(numbers, default=most)  # where nothing was done, the pass is the last
        going = self._passes[number]
        yield from self._judge(going, {row.removeprefix(f"{number}/") for row in rows})
        if self._next is None and not going.stopping:
            self._next = self._made(going.meter)

    def _judge(self, going: Pass, done: set[str]) -> Iterator[Fault]:
        """`done`: the files that the client calls done."""
        arrived = self._look(going)
        for file in going.files:
            if file.name in done:
                if complaint := complaint_about(file, arrived.get(file.name)):
                    yield Fault(complaint, file.name)
            elif not going.cut and file.name not in going.failed_names:
                yield Fault(tr("the client never transferred it"), file.name)
        for name in sorted((done | arrived.keys()) - self._names):
            if name in done or not (going.cut or self._is_of_client(going, name)):
                yield Fault(tr("a file that is not in the tree"), name)

    def _is_of_client(self, going: Pass, name: str) -> bool:
        """Whether the client writes such a file for itself, or has left it of a failed one."""
        if name.rpartition("/")[2] in self._client.leaves:
            return True
        # Unfinished files have names of the client's, which begin with their own.
        return any(name.startswith(f"{failed}.") for failed in going.failed_names)

    def _look(self, going: Pass) -> Mapping[str, Arrived]:
        """What arrived in a pass, which is removed then: the next ones would fill the disk."""
        if going.number not in self._arrived:
            report = self._context.report
            self._arrived[going.number] = (
                self._remote.arrived(going.prefix, going.files, report)
                if self._up
                else hashed_below(going.folder, report)
            )
            going.acknowledged.remove()  # before the tree is: nothing would be there
            if not going.cut:  # else the sweep does it: something may still be on its way
                self._remove(going)
        return self._arrived[going.number]

    def _remove(self, going: Pass) -> None:
        if self._up:
            self._remote.remove(going.prefix)
        else:
            remove_folder(going.folder)
        remove_folder(going.own)

    @override
    def audit(self, report: ReportProgress) -> Iterable[Fault]:
        """Look at what arrived of passes that were cut off; what was called done is there."""
        for going in self._passes:
            if going.number not in self._arrived:
                yield from self._judge(going, set(going.done_names))

    @override
    def describe(self, item: int) -> str:
        return tr("the tree of 1 file", "the tree of {count:,} files", count=len(self._tree.files))

    @override
    def counters(self) -> Mapping[str, float]:
        """Passes, files of a pass, what arrived of one that was cut off, and further runs."""
        counters: dict[str, float] = {
            "trees": sum(not going.cut for going in self._passes),
            "files of a tree": len(self._tree.files),
            **self._carried,
            **self._link.connections(),  # one that was opened with the client carries files, too
        }
        if self._context.parameters.runs > 1:
            counters["resumed"] = sum(going.runs - 1 for going in self._passes)
        for going in self._passes:
            if going.cut:
                whole = files_arrived(going.files, self._look(going))
                counters |= {"files arrived": whole, "files missing": len(going.files) - whole}
        return counters

    @override
    def close(self) -> None:
        if self._next is not None:
            self._next.acknowledged.remove()
        with self._way:
            self._client.close()
        self._remote.close()


@contextmanager
def _ending_broken(going: Pass) -> Iterator[None]:
    """End a pass in which the client raises."""
    try:
        yield
    except BaseException:
        going.end(cut=True)
        raise
