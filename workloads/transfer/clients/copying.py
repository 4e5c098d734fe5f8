"""Plain copies between two folders: what disks and threads allow, without any network."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import override

from workloads.transfer.clients.client import Client
from workloads.transfer.passes import Pass
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.tree_files import BLOCK, files_below
from workloads.transfer.trees_in_places import place_folder

type Move = tuple[str, Path, Path]
"""A file's name, where it is, and where it goes."""


class CopyClient(Client):
    """A pool of threads, each of which copies one file at a time."""

    def __init__(self, parameters: TransferParameters, threads: int) -> None:
        self._there = place_folder(parameters)
        self._threads = threads

    @override
    def upload(self, going: Pass) -> None:
        there = self._there / going.prefix
        self._copy(going, (_move(file.name, going.folder, there) for file in going.left))

    @override
    def download(self, going: Pass) -> None:
        there = self._there / going.prefix
        names = (path.relative_to(there).as_posix() for path in files_below(there))
        self._copy(
            going,
            (_move(name, there, going.folder) for name in names if name not in going.done_names),
        )

    def _copy(self, going: Pass, moves: Iterable[Move]) -> None:
        with ThreadPoolExecutor(self._threads, thread_name_prefix="copy") as pool:
            # All are found before the first is copied: to look for files beside threads that
            # copy is slow, since it has to wait for the interpreter at each.
            for _ in pool.map(_copying(going), list(moves)):
                pass

    @override
    def close(self) -> None:
        pass


def _move(name: str, source: Path, target: Path) -> Move:
    return name, source / name, target / name


def _copying(going: Pass) -> Callable[[Move], None]:
    def copy(move: Move) -> None:
        name, _, target = move
        if going.stopping:
            return
        going.begun(name)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            whole = _copy_blocks(going, move)
        except OSError as error:
            going.failed(name, error.strerror or str(error))
        else:
            if whole:
                going.done(name)

    return copy


def _copy_blocks(going: Pass, move: Move) -> bool:
    """Copy a file; False if it was given up."""
    name, source, target = move
    with source.open("rb", buffering=0) as read, target.open("wb", buffering=0) as write:
        while block := read.read(BLOCK):
            left = memoryview(block)
            while left:  # where the disk is nearly full, less is written than was asked for
                left = left[write.write(left) :]
            going.moved(name, len(block))
            if going.stopping:
                return False
    return True
