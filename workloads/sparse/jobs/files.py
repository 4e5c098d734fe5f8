"""New sparse files in either language, how they are filled, and what they should hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workloads.sparse.layouts import Blocks, Range
from workloads.sparse.native import NativeFile, Pieces
from workloads.sparse.python import PythonFile
from workloads.sparse.sparse_parameters import SparseParameters

type SparseFile = PythonFile | NativeFile


def new_file(parameters: SparseParameters) -> SparseFile:
    """An empty file."""
    in_system = parameters.holder == "file-system"
    if parameters.language == "cpp":
        return NativeFile(mutex=parameters.mutex, compare=parameters.compare, in_system=in_system)
    return PythonFile(compare=parameters.compare, in_system=in_system)


def filler(parameters: SparseParameters, blocks: Blocks) -> Callable[[Any], None]:
    """Writes all blocks into a file; its buffers are made now, before memory is measured."""
    if parameters.language == "cpp":
        pieces = Pieces(blocks)
        return lambda file: file.write(pieces, blocks.source)
    _ = blocks.positions, blocks.data
    return lambda file: file.write(blocks)


def laid_out_wrongly(file: SparseFile, blocks: Blocks) -> str:
    """What is wrong with how much a file holds, and in how many blocks."""
    if file.bytes != len(blocks.source):
        return f"holds {file.bytes} bytes instead of {len(blocks.source)}"
    if file.blocks != len(blocks.merged):
        return f"holds {file.blocks} blocks instead of {len(blocks.merged)}"
    return ""


def held_wrongly(file: SparseFile, blocks: Blocks) -> str:
    """What is wrong with a file that should hold all blocks, merged where they touch."""
    if wrong := laid_out_wrongly(file, blocks):
        return wrong
    return "" if file.gathered(blocks) == blocks.source else "holds other bytes than were written"


def runs(total: int, most: int) -> list[Range]:
    """`total` calls in runs of at most `most`: the first of each run, and its length."""
    return [(first, min(most, total - first)) for first in range(0, total, most)]
