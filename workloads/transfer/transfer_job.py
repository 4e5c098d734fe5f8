"""Transfers of a whole tree, one after the other, each of which is verified file by file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import override

from core import Context, Fault, Job, Step, Tell, tr
from workloads.transfer.clients.client import Client
from workloads.transfer.passes import Pass
from workloads.transfer.places.folder_place import hashed_below, remove_folder
from workloads.transfer.places.place import Arrived, Place
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.tree_files import Tree, TreeFile
from workloads.transfer.trees_in_places import (
    complaint_about,
    entry_of,
    fetched_folder,
    sent_prefix,
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
        self, context: Context[TransferParameters], tree: Tree, client: Client, place: Place
    ) -> None:
        self._context = context
        self._tree, self._client, self._place = tree, client, place
        self._up = context.parameters.direction == "up"
        self._passes: list[Pass] = []
        self._arrived: dict[int, Mapping[str, Arrived]] = {}
        self._names = {file.name for file in tree.files}
        self.client_threads = context.load.threads
        self.tallies = entry_of(context.parameters).tallies

    @contextmanager
    @override
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        """Transfer the tree once."""
        meter = self._context.meter(index)
        move = self._client.upload if self._up else self._client.download

        def transfer(item: int) -> Sequence[str]:
            number = len(self._passes)
            going = Pass(number, self._tree, self._ends(number), meter)
            self._passes.append(going)
            try:
                move(going)
            except BaseException:
                going.end(cut=True)
                raise
            going.end(cut=going.stopping)
            return going.rows()

        yield (Step("transfer", transfer),)

    def _ends(self, number: int) -> tuple[Path, str]:
        """The folder here and the prefix there of a pass."""
        mark = self._context.mark
        if self._up:
            return self._tree.root, f"{sent_prefix(mark)}{number}/"
        return fetched_folder(self._context.parameters, mark) / str(number), tree_prefix(self._tree)

    @override
    def faults(self, item: int, result: Sequence[str]) -> Iterable[Fault]:
        """Every file that did not arrive as the catalogue has it, unless the client told of it."""
        told, most = set(result), len(self._passes) - 1
        heads = (row.partition("/")[0] for row in told)
        numbers = [int(head) for head in heads if head.isdigit() and int(head) <= most]
        number = max(numbers, default=most)  # where nothing was done, the pass is the last
        yield from self._judge(
            self._passes[number], {row.removeprefix(f"{number}/") for row in told}
        )

    def _judge(self, going: Pass, told: set[str]) -> Iterator[Fault]:
        arrived = self._look(going)
        for file in going.files:
            if file.name in told:
                complaint = complaint_about(file, arrived.get(file.name))
            else:
                complaint = self._left_out(going, file)
            if complaint:
                yield Fault(complaint, file.name)
        for name in sorted((told | arrived.keys()) - self._names):
            if not going.cut or name in told:  # unfinished files have names of the client's
                yield Fault(tr("a file that is not in the tree"), name)

    def _left_out(self, going: Pass, file: TreeFile) -> str:
        """What is wrong with a file that the client does not call done."""
        known = going.cut or file.name in going.failed_names
        return "" if known else tr("the client never transferred it")

    def _look(self, going: Pass) -> Mapping[str, Arrived]:
        """What arrived in a pass, which is removed then: the next ones would fill the disk."""
        if going.number not in self._arrived:
            tell = self._context.tell
            if self._up:
                found = self._place.found(going.prefix, going.files, tell)
            else:
                found = hashed_below(going.folder, tell)
            self._arrived[going.number] = found
            if not going.cut:  # else the sweep does it: something may still be on its way
                self._remove(going)
        return self._arrived[going.number]

    def _remove(self, going: Pass) -> None:
        if self._up:
            self._place.remove(going.prefix)
        else:
            remove_folder(going.folder)

    @override
    def audit(self, tell: Tell) -> Iterable[Fault]:
        """Look at what arrived of passes that were cut off; what was called done is there."""
        for going in self._passes:
            if going.number not in self._arrived:
                yield from self._judge(going, set(going.done_names))

    @override
    def describe(self, item: int) -> str:
        """The whole tree."""
        return tr("the tree of {files:,} files", files=len(self._tree.files))

    @override
    def counters(self) -> Mapping[str, float]:
        """Passes, files of a pass, and what arrived of one that was cut off."""
        found: dict[str, float] = {
            "trees": sum(not going.cut for going in self._passes),
            "files of a tree": len(self._tree.files),
        }
        for going in self._passes:
            if going.cut:
                arrived = self._look(going)
                whole = sum(not complaint_about(one, arrived.get(one.name)) for one in going.files)
                found |= {"files arrived": whole, "files missing": len(going.files) - whole}
        return found

    @override
    def close(self) -> None:
        """Let go of both clients."""
        self._client.close()
        self._place.close()
