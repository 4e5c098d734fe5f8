"""What a study measures: the cells of its published table, and more on larger machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from core.catalog.parameters import Value

if TYPE_CHECKING:
    pass


class StudyCell(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One configuration of the published table and its figures; no figure = did not complete."""

    at: dict[str, Value]
    label: str
    published: float | None = None
    published_on: dict[str, float] = {}
    """Figures by the number of cores, where several were published: the nearest is used."""
    base: str = ""
    """Label of the cell that its ratios are to; empty = the study's baseline."""
    program: str = ""
    """Program that it runs, in a study of programs; where it is not installed it is only named."""
    threads_over_cores: int = 0
    """It has as many threads as the machine has cores and so many more; 0 = those in `at`."""


class Ladder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Cells with more threads than a published one, up to the cores of the machine."""

    after: str
    """Label of the cell that they follow; each doubles the threads of the one before."""
    label: str
    """Label of each; `{}` stands for its number of threads."""
    threads_per_core: float
    """Threads per core of the last one."""


def climb(
    cells: Sequence[StudyCell], ladders: Sequence[Ladder], cores: float
) -> tuple[StudyCell, ...]:
    """The cells, and after each the ones that a ladder adds on a machine with so many cores."""
    found: list[StudyCell] = []
    for cell in cells:
        found.append(cell)
        for ladder in ladders:
            if ladder.after == cell.label:
                found += _rungs(cell, ladder, cores)
    return tuple(found)


def _rungs(foot: StudyCell, ladder: Ladder, cores: float) -> Iterator[StudyCell]:
    last = round(ladder.threads_per_core * cores)
    threads = int(foot.at["threads"])
    while threads < last:
        threads = min(2 * threads, last)
        at = foot.at | {"threads": threads}
        yield StudyCell(at=at, label=ladder.label.format(threads), program=foot.program)
