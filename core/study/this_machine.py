"""What of a study depends on the cores of the machine on which it is repeated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import floor, log2
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from core.study.cells import StudyCell

_FEWEST, _MOST = 2, 16
"""Of the threads that stand for the cores in claims: half and twice as many are there too."""


def published_for(cells: Iterable[StudyCell], cores: float) -> tuple[StudyCell, ...]:
    """The cells with the figures that were published for the number of cores nearest to these."""
    return tuple(
        msgspec.structs.replace(cell, published=cell.published_on[_nearest(cell, cores)])
        if cell.published_on
        else cell
        for cell in cells
    )


def _nearest(cell: StudyCell, cores: float) -> str:
    return min(cell.published_on, key=lambda count: abs(log2(int(count) / cores)))


def threaded_for(cells: Iterable[StudyCell], cores: float) -> tuple[StudyCell, ...]:
    """The cells with as many threads as a client's default makes of the cores."""
    return tuple(
        msgspec.structs.replace(
            cell, at=cell.at | {"threads": round(max(cores, 1.0)) + cell.threads_over_cores}
        )
        if cell.threads_over_cores
        else cell
        for cell in cells
    )


def worded[Worded: msgspec.Struct](claims: Sequence[Worded], cores: float) -> tuple[Worded, ...]:
    """The claims with `{cores}`, `{half}` and `{double}` replaced by numbers of threads.

    Their cells say as many threads as cores, or the next smaller power of two.
    """
    threads = min(max(2 ** floor(log2(max(cores, 1.0))), _FEWEST), _MOST)
    words = {"cores": threads, "half": threads // 2, "double": 2 * threads}
    told = {f"{{{name}}}": f"{n} thread{'s' * (n > 1)}" for name, n in words.items()}
    found = []
    for claim in claims:
        changed = {name: getattr(claim, name) for name in ("cell", "to")}
        for mark, word in told.items():
            changed = {name: text.replace(mark, word) for name, text in changed.items()}
        found.append(msgspec.structs.replace(claim, **changed))
    return tuple(found)
