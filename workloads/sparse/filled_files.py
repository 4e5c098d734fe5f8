"""New sparse files in either language, how they are filled, and what they should hold."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core import Job, SluiceError, Step
from workloads.sparse.drivers import version
from workloads.sparse.layouts import Range, SparseBlocks
from workloads.sparse.sparse_files import NativeFile, Pieces, PythonFile
from workloads.sparse.sparse_workload import SparseParameters

type SparseFile = PythonFile | NativeFile


def new_file(parameters: SparseParameters) -> SparseFile:
    in_system = parameters.holder == "file-system"
    if parameters.language == "cpp":
        return NativeFile(mutex=parameters.mutex, compare=parameters.compare, in_system=in_system)
    return PythonFile(compare=parameters.compare, in_system=in_system)


def filler(parameters: SparseParameters, blocks: SparseBlocks) -> Callable[[Any], None]:
    """Writes all blocks into a file; its buffers are made now, before memory is measured."""
    if parameters.language == "cpp":
        pieces = Pieces(blocks)
        return lambda file: file.write(pieces, blocks.source)
    _ = blocks.positions, blocks.data
    return lambda file: file.write(blocks)


def laid_out_wrongly(file: SparseFile, blocks: SparseBlocks) -> str:
    """What is wrong with how much a file holds, and in how many blocks."""
    if file.bytes != len(blocks.source):
        return f"holds {file.bytes} bytes instead of {len(blocks.source)}"
    if file.blocks != len(blocks.merged):
        return f"holds {file.blocks} blocks instead of {len(blocks.merged)}"
    return ""


def held_wrongly(file: SparseFile, blocks: SparseBlocks) -> str:
    """What is wrong with a file that should hold all blocks, merged where they touch."""
    if wrong := laid_out_wrongly(file, blocks):
        return wrong
    return "" if file.gathered(blocks) == blocks.source else "holds other bytes than were written"


def runs(total: int, most: int) -> list[Range]:
    """`total` calls in runs of at most `most`: the first of each run, and its length."""
    return [(first, min(most, total - first)) for first in range(0, total, most)]


_PER_BLOCK = 40
_EMPTY = {False: 192, True: 232}
"""Bytes of an empty file without and with a mutex, by its own account, but for its name."""
_NAME = len("id")


class Account:
    """Compares with the memory of the process before the file exists."""

    def __init__(self, parameters: SparseParameters) -> None:
        self._empty = _EMPTY[parameters.language == "cpp" and parameters.mutex] + _NAME
        self._known = version().startswith("0.4.")
        self._before = _resident()
        self.counters: dict[str, float] = {}

    def of(self, file: SparseFile) -> str:
        """What is wrong with the file's own account, by the law of 0.4; empty when right."""
        own_size = file.own_size  # it counts block by block
        law = _PER_BLOCK * file.blocks + self._empty + file.bytes
        self.counters = {"blocks": file.blocks, "bytes held": file.bytes, "own account": own_size}
        resident = _resident()
        if resident and self._before:
            self.counters["resident for it"] = resident - self._before
        if not self._known:
            return ""
        self.counters["off the memory law"] = own_size - law
        if own_size == law:
            return ""
        return f"takes {own_size} bytes by its own account, {law} by the law"


def _resident() -> int:
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return 0
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class FilledJob[Item, Result](Job[Item, Result]):
    """A job on a file that was filled and accounted for before the clock starts.

    Its bytes are not checked then: a need does not use them, and every read is compared.
    """

    def __init__(self, parameters: SparseParameters, blocks: SparseBlocks) -> None:
        self._blocks = blocks
        fill = filler(parameters, blocks)
        account = Account(parameters)
        self._file: Any = new_file(parameters)
        fill(self._file)
        wrong = account.of(self._file) or laid_out_wrongly(self._file, blocks)
        if wrong:
            self._file.close()
            raise SluiceError(f"the filled file is wrong: {wrong}")
        self._counters = account.counters

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        yield (self._step(),)

    @abstractmethod
    def _step(self) -> Step:
        """The work of one item."""

    def counters(self) -> Mapping[str, float]:
        return self._counters

    def close(self) -> None:
        self._file.close()
