"""The search over how many programs run at once, and with how many threads each.

Most programs are fastest where they have all cores together, so it begins there, and goes on from
the best to its neighbours.  One at a time comes first: what that takes of the memory says which
combinations do not fit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from core.language import tr
from core.run.axis_search import ladder
from core.run.sample_layout import Ask, Configuration, SearchAxis, SearchTerms
from core.run.search import LineAnswer, Searcher


class JobsSearcher(Searcher):
    """Plans which cells to measure; the second part of a cell is how many run at once."""

    def __init__(
        self, cells: Collection[Configuration], cores: float, terms: SearchTerms | None = None
    ) -> None:
        """`cells`: those that may be measured, at least one."""
        self._cells = {(_jobs(one), one.threads) for one in cells}
        super().__init__(
            SearchAxis(name="threads", values=tuple(sorted({t for _, t in self._cells}))),
            SearchAxis(name="processes", values=tuple(sorted({j for j, _ in self._cells}))),
            terms,
        )
        self._cores = cores

    def leave_out(self, cells: Iterable[tuple[int, int]]) -> None:
        """Never measure these, of so many at once with so many threads."""
        self._cells -= {*cells}

    def _two_axes(self) -> Ask | LineAnswer:
        for cells, reason in self._steps():
            new = [one for one in map(_configuration, cells) if one not in self._samples]
            if not new:
                continue
            block = self._allowed(self._in_company(new, list(self._layout.usable)), 1.0)
            if not block:
                return LineAnswer(configuration=None, spent=True)
            order = tuple(self._random.sample(block, len(block)))
            return Ask(configurations=order, reason=reason)
        return LineAnswer(configuration=None, spent=False)

    def _steps(self) -> Iterator[tuple[Collection[tuple[int, int]], str]]:
        one_by_one = sorted(threads for jobs, threads in self._cells if jobs == 1)
        yield (
            {(1, threads) for threads in (one_by_one[:1] + one_by_one[-1:])},
            tr("One at a time shows what a run takes of the memory."),
        )
        numbers = ladder([jobs for jobs, _ in self._cells])
        yield (
            {cell for jobs in numbers if (cell := self._with_all_cores(jobs))},
            tr("Most programs are fastest where together they have all cores."),
        )
        answer = self.answer().configuration
        usable = self._layout.usable
        if answer is None or not usable:
            return
        best = max(usable, key=lambda one: self._layout.like(one)[1])
        yield self._beside(best), tr("Neighbours of the best may be better.")
        yield self._beside(answer), tr("Neighbours of the best may be better.")

    def _with_all_cores(self, jobs: int) -> tuple[int, int] | None:
        """So many with the most threads for which there are cores, else with the fewest."""
        threads = sorted(threads for at_once, threads in self._cells if at_once == jobs)
        fitting = [count for count in threads if jobs * count <= self._cores]
        return (jobs, fitting[-1] if fitting else threads[0]) if threads else None

    def _beside(self, centre: Configuration) -> set[tuple[int, int]]:
        """The next cells in each direction, and those in which one more has what another had."""
        jobs, threads = _jobs(centre), centre.threads
        row = [count for at_once, count in self._cells if at_once == jobs]
        column = [at_once for at_once, count in self._cells if count == threads]
        others = [
            cell
            for at_once in _next_to(jobs, {at_once for at_once, _ in self._cells})
            if (cell := self._with_all_cores(at_once))
        ]
        return {
            *((jobs, count) for count in _next_to(threads, row)),
            *((at_once, threads) for at_once in _next_to(jobs, column)),
            *others,
        }


def _next_to(value: int, values: Iterable[int]) -> Iterator[int]:
    """The next smaller and the next larger one."""
    smaller = [one for one in values if one < value]
    larger = [one for one in values if one > value]
    yield from (*([max(smaller)] if smaller else []), *([min(larger)] if larger else []))


def _configuration(cell: tuple[int, int]) -> Configuration:
    return Configuration(threads=cell[1], second=cell[0])


def _jobs(one: Configuration) -> int:
    return int(one.second or 1)
