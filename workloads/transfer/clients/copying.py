"""Plain copies between two folders: what disks and threads allow, without any network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from io import FileIO
from pathlib import Path
from typing import override

from workloads.transfer.clients import Client
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.transfer_pass import Pass
from workloads.transfer.tree_files import BLOCK, names_below
from workloads.transfer.trees_in_remotes import remote_folder

_TELLING = 0.02
"""Seconds between two times that the pass is told of what was copied."""

type Move = tuple[str, str, str]
"""A file's name, where it is, and where it goes."""


class CopyClient(Client):
    """Threads, each of which copies one file at a time."""

    def __init__(self, parameters: TransferParameters, threads: int) -> None:
        self._there = remote_folder(parameters)
        self._threads = threads

    @override
    def upload(self, going: Pass) -> None:
        names = (file.name for file in going.files_left)
        self._copy(going, names, (f"{going.folder}/", f"{self._there / going.prefix}/"))

    @override
    def download(self, going: Pass) -> None:
        there = self._there / going.prefix
        names = (name for name in names_below(there) if name not in going.done_names)
        self._copy(going, names, (f"{there}/", f"{going.folder}/"))

    def _copy(self, going: Pass, names: Iterable[str], ends: tuple[str, str]) -> None:
        source, target = ends
        # All are found before the first is copied: to look for files beside threads that
        # copy is slow, since it has to wait for the interpreter at each.
        moves = [(name, source + name, target + name) for name in names]
        # The threads share them: to hand each file over would cost as much as a copy of it.
        shared = iter(moves)
        with ThreadPoolExecutor(self._threads, thread_name_prefix="copy") as pool:
            copying = [pool.submit(_copy_all, going, shared) for _ in range(self._threads)]
            while wait(copying, _TELLING).not_done:
                going.report_noted()
        for one in copying:
            one.result()


def _copy_all(going: Pass, moves: Iterator[Move]) -> None:
    made: set[str] = set()
    for move in moves:
        if going.stopping:
            return
        name, _, target = move
        going.note_begun(name)
        try:
            if (folder := target.rpartition("/")[0]) not in made:
                Path(folder).mkdir(parents=True, exist_ok=True)
                made.add(folder)
            whole = _copy_blocks(going, move)
        except OSError as error:
            going.failed(name, error.strerror or str(error))
        else:
            if whole:
                going.note_done(name)


def _copy_blocks(going: Pass, move: Move) -> bool:
    """Copy a file; False if it was given up."""
    name, source, target = move
    with FileIO(source) as read, FileIO(target, "w") as write:
        block = read.read(BLOCK)
        while block:
            written = write.write(block)
            while written < len(block):  # the disk is nearly full
                written += write.write(memoryview(block)[written:])
            block = read.read(BLOCK)
            if block:  # the last bytes count with the file's end, in one call
                going.moved(name, written)
                if going.stopping:
                    return False
    return True
