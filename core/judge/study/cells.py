"""What a study measures: the cells of its published table, and more on larger machines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import floor, log2
from typing import TYPE_CHECKING, Any

import msgspec

from core.language import Unavailable, command_text, tr
from core.vocabulary import Value

if TYPE_CHECKING:
    from core.vocabulary import ServerUse


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


def cells_on(
    cells: Iterable[StudyCell], ladders: Sequence[Ladder], cores: float
) -> tuple[StudyCell, ...]:
    """The cells on a machine with so many cores, and after each the ones that a ladder adds.

    They have the figures that were published for the nearest number of cores, and as many threads
    as a client's default makes of the cores.
    """
    cells_here: list[StudyCell] = []
    for cell in cells:
        changed: dict[str, Any] = {}
        if cell.published_on:
            nearest = min(cell.published_on, key=lambda count: abs(log2(int(count) / cores)))
            changed["published"] = cell.published_on[nearest]
        if cell.threads_over_cores:
            threads = round(max(cores, 1.0)) + cell.threads_over_cores
            changed["at"] = cell.at | {"threads": threads}
        own = msgspec.structs.replace(cell, **changed)
        cells_here.append(own)
        for ladder in ladders:
            if ladder.after == cell.label:
                cells_here += _rungs(own, ladder, cores)
    return tuple(cells_here)


def _rungs(foot: StudyCell, ladder: Ladder, cores: float) -> Iterator[StudyCell]:
    last = round(ladder.threads_per_core * cores)
    threads = int(foot.at["threads"])
    while threads < last:
        threads = min(2 * threads, last)
        at = foot.at | {"threads": threads}
        yield StudyCell(at=at, label=ladder.label.format(threads), program=foot.program)


def server_values(
    values: Mapping[str, Value], uses: Sequence[ServerUse], addresses: Mapping[str, str]
) -> dict[str, Value]:
    """What says where the servers are that a cell with these values needs and does not name.

    `addresses`: of the lab's servers that serve.  Raises Unavailable where one does not.
    """
    locations: dict[str, Value] = {}
    for use in uses:
        if not use.unknown_to(values):
            continue
        if use.server not in addresses:
            raise Unavailable(
                tr("the lab's server {server} does not run", server=use.server),
                tr("start it: {command}", command=command_text("lab", "start", use.server)),
            )
        locations |= use.found(addresses)
    return locations


def one_way(uses: Iterable[ServerUse], servers: Mapping[str, tuple[str, str]]) -> Mapping[str, str]:
    """Their addresses, without a server in front that only some of the used ones would be behind.

    `servers`: each with its address and how it is reached.  Else stores would be compared of which
    one alone is far away.
    """
    addresses = {name: address for name, (address, _) in servers.items()}
    links = {name: link for name, (_, link) in servers.items()}
    behind = {one.server: one.found(addresses) for one in uses if one.server in addresses}
    fronts = {one.in_front for one in uses if one.in_front in addresses}
    for front in fronts:
        reached = {
            links[front if addresses[front] in values.values() else server]
            for server, values in behind.items()
        }
        if len(reached) > 1:
            addresses = {name: one for name, one in addresses.items() if name != front}
    return addresses


_FEWEST, _MOST = 2, 16
"""Of the threads that stand for the cores in claims: half and twice as many are there too."""


def with_thread_counts[Worded: msgspec.Struct](
    claims: Sequence[Worded], cores: float
) -> tuple[Worded, ...]:
    """The claims with `{cores}`, `{half}` and `{double}` replaced by numbers of threads.

    Their cells say as many threads as cores, or the next smaller power of two.
    """
    threads = min(max(2 ** floor(log2(max(cores, 1.0))), _FEWEST), _MOST)
    words = {"cores": threads, "half": threads // 2, "double": 2 * threads}
    texts = {f"{{{name}}}": f"{n} thread{'s' * (n > 1)}" for name, n in words.items()}
    claims_here = []
    for claim in claims:
        changed = {name: getattr(claim, name) for name in ("cell", "to")}
        for mark, word in texts.items():
            changed = {name: text.replace(mark, word) for name, text in changed.items()}
        claims_here.append(msgspec.structs.replace(claim, **changed))
    return tuple(claims_here)
