"""How many programs at once, with how many threads each: runs an hour of every pair, as a map.

A pair that was not measured is told by the measured ones on both sides of it, in its row or its
column, on logarithmic scales; elsewhere nothing is known of it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, product
from typing import Literal

from core.desk import chosen_result
from core.judge import cell_of, typical, unfit
from core.language import show_count, show_seconds, show_size, tr
from core.vocabulary import Advice, GridCell, GridFigure, Result, RunSpec, Value, ending

type _Cell = tuple[int, int]
"""How many run at once, and the threads of each."""
_HOUR = 3600.0
_MOST_REASONS = 2


def jobs_grid(
    specs: Sequence[RunSpec], results: Sequence[Result], advice: Advice | None = None
) -> GridFigure | None:
    """The map of a plan in which both numbers vary; None of any other, or before any result."""
    planned = [cell_of(one) for one in specs if one.at_once]
    axes = [sorted(set(column)) for column in zip(*planned, strict=True)]
    measured = {cell_of(one.spec): one for one in results if one.finished_trials}
    if not measured or len(planned) < len(specs) or min(map(len, axes), default=0) < 2:
        return None
    if len(measured) < sum(bool(one.finished_trials) for one in results):
        return None  # something else varies too
    return _Map(axes, measured, unfit(specs, results), advice).figure(specs[0].at_once)


def _has(spec: RunSpec, values: Mapping[str, Value]) -> bool:
    return spec.named_values(spec.values).items() >= values.items()


class _Map:
    def __init__(
        self,
        axes: Sequence[Sequence[int]],
        measured: Mapping[_Cell, Result],
        without: Mapping[_Cell, str],
        advice: Advice | None,
    ) -> None:
        """`without`: why cells do not fit."""
        self._jobs, self._threads = list(reversed(axes[0])), list(axes[1])
        self._results, self._unfit = measured, without
        rates = {cell: typical(one) for cell, one in measured.items()}
        self._rates = {cell: _HOUR * rate for cell, rate in rates.items() if rate}
        fastest = max(self._rates, key=self._rates.__getitem__, default=None)
        chosen = chosen_result(list(measured.values()), advice)
        own = cell_of(chosen.spec) if chosen is not None else fastest
        self._best = own if own in self._rates else fastest
        self._is_fastest = self._best == fastest
        cheaper = advice.cheaper.values if advice is not None and advice.cheaper else {}
        self._cheapest = next(
            (at for at, one in measured.items() if cheaper and _has(one.spec, cheaper)), None
        )

    def figure(self, unit: str) -> GridFigure:
        files = unit == "files"
        cells = tuple(self._cells(files=files))
        highest = max(self._rates.values(), default=0.0)
        low, high = _count(min(self._rates.values(), default=0.0)), _count(highest)
        reach = (
            tr("files an hour: {low} to {high}", low=low, high=high)
            if files
            else tr("runs an hour: {low} to {high}", low=low, high=high)
        )
        return GridFigure(
            rows=tuple(map(show_count, self._jobs)),
            columns=tuple(map(show_count, self._threads)),
            axes=(tr("files at once") if files else tr("runs at once"), tr("threads each")),
            cells=cells,
            reasons=tuple(self._reasons()),
            reach=reach if self._rates else "",
            facts=tuple(self._facts(files=files)) if self._rates else (),
        )

    def _cells(self, *, files: bool) -> Iterator[GridCell]:
        highest = max(self._rates.values(), default=1.0)
        for (row, jobs), (column, threads) in product(
            enumerate(self._jobs), enumerate(self._threads)
        ):
            at, name = (jobs, threads), f"{jobs} × {threads}"
            one = GridCell(row=row, column=column)
            if (result := self._results.get(at)) is not None:
                yield self._measured(replace(one, setting=result.spec.digest), at, files=files)
            elif reason := self._unfit.get(at):
                yield replace(one, kind="unfit", told=f"{name}: {reason}")
            elif (between := self._between(at)) is not None:
                text = f"~{_count(between)}"
                told = tr("{cell}: {rate}, not measured, from its neighbours", cell=name, rate=text)
                share = min(between / highest, 1.0)
                yield replace(one, kind="between", text=text, share=share, told=told)

    def _measured(self, one: GridCell, at: _Cell, *, files: bool) -> GridCell:
        result, name = self._results[at], " × ".join(map(str, at))
        if at not in self._rates:
            return replace(one, text="✕", kind="failed", told=f"{name}: {ending(result)}")
        rate = self._rates[at]
        return replace(
            one,
            text=_count(rate),
            share=rate / max(self._rates.values()),
            ring=self._ring(at),
            told=f"{name}: {self._told(result, rate, files=files)}",
        )

    def _ring(self, cell: _Cell) -> Literal["", "best", "cheapest"]:
        if cell == self._best:
            return "best"
        return "cheapest" if cell == self._cheapest else ""

    def _told(self, result: Result, rate: float, *, files: bool) -> str:
        number, cost, memory = (
            _count(rate),
            typical(result, "cpu_each"),
            typical(result, "peak_rss"),
        )
        texts = [
            tr("files an hour: {rate}", rate=number)
            if files
            else tr("runs an hour: {rate}", rate=number)
        ]
        if cost is not None:
            texts.append(tr("{seconds} core-seconds each", seconds=show_count(cost)))
        return ", ".join([*texts, *([show_size(memory)] if memory else [])])

    def _between(self, cell: _Cell) -> float | None:
        """Runs an hour as the measured ones on both sides have it; None where a side has none."""
        jobs, threads = cell
        lines = (
            (threads, {one[1]: rate for one, rate in self._rates.items() if one[0] == jobs}),
            (jobs, {one[0]: rate for one, rate in self._rates.items() if one[1] == threads}),
        )
        logs = [log for at, line in lines if (log := _inside(at, line)) is not None]
        return math.exp(sum(logs) / len(logs)) if logs else None

    def _reasons(self) -> Iterator[tuple[int, int, int, str]]:
        """A label for the reasons of most cells, each on its longest row."""
        for reason, _ in Counter(self._unfit.values()).most_common(_MOST_REASONS):
            runs = []
            for row, jobs in enumerate(self._jobs):
                have = [self._unfit.get((jobs, each)) == reason for each in self._threads]
                for own, columns in groupby(range(len(have)), key=have.__getitem__):
                    if own:
                        places = list(columns)
                        runs.append((row, places[0], places[-1], reason))
            yield max(runs, key=lambda one: one[2] - one[1])

    def _facts(self, *, files: bool) -> Iterator[tuple[str, ...]]:
        """Of the advised pair, the cheapest, and one at a time with the most threads."""
        single = max((one for one in self._rates if one[0] == 1), default=None)
        heads = {self._best: tr("fastest") if self._is_fastest else tr("advised")}
        heads.setdefault(self._cheapest, tr("cheapest"))
        heads.setdefault(single, tr("one by one"))
        named = [(cell, head) for cell, head in heads.items() if cell is not None]
        yield "", *(head for _, head in named)
        yield "", *(f"{jobs} × {threads}" for (jobs, threads), _ in named)
        cells = [cell for cell, _ in named]
        hour = tr("Files an hour") if files else tr("Runs an hour")
        yield hour, *(_count(self._rates[cell]) for cell in cells)
        one, each = tr("One file takes"), tr("Core-seconds a file")
        if not files:
            one, each = tr("One run takes"), tr("Core-seconds a run")
        rows = ((one, "wall seconds", show_seconds), (each, "cpu_each", show_count))
        for title, metric, shown in (*rows, (tr("Memory"), "peak_rss", show_size)):
            values = [typical(self._results[cell], metric) for cell in cells]
            if any(value is not None for value in values):
                yield title, *("–" if value is None else shown(value) for value in values)


def _count(rate: float) -> str:
    return show_count(round(rate) if rate >= 10.0 else round(rate, 1))


def _inside(at: int, line: Mapping[int, float]) -> float | None:
    """The log of a value between the nearest neighbours on both sides."""
    below = max((one for one in line if one < at), default=None)
    above = min((one for one in line if one > at), default=None)
    if below is None or above is None:
        return None
    share = math.log(at / below) / math.log(above / below)
    return (1.0 - share) * math.log(line[below]) + share * math.log(line[above])
