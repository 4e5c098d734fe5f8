"""The content of the table: cells to show, and what each row stands for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from core import NOTHING, Cell, Column, Table, tr_word

if TYPE_CHECKING:
    from core import Origin, Result, Standing, Trial


@dataclass(frozen=True, kw_only=True)
class Row:
    """A result with all its trials, or one trial of it; `key` stays while figures change."""

    key: str
    result: Result
    trials: tuple[Trial, ...]
    standing: Standing | None = None
    """How a result stands against the best."""
    origin: Origin | None = None
    """None = the run that the window shows."""


@dataclass(frozen=True, kw_only=True)
class Rows:
    """A table and, in the same order, what its rows stand for."""

    table: Table
    rows: tuple[Row, ...]

    @property
    def unit(self) -> str:
        """What an operation handles, in the singular."""
        from core import unit_of

        return unit_of(self.rows[0].result) if self.rows else ""

    def having(self, trials: Collection[int] | None) -> Rows:
        """The rows that have one of the trials of these indexes; all where None is given."""
        if trials is None:
            return self
        kept = [
            place
            for place, row in enumerate(self.rows)
            if row.origin is None and any(trial.index in trials for trial in row.trials)
        ]
        return Rows(
            table=Table(
                columns=self.table.columns, rows=tuple(self.table.rows[place] for place in kept)
            ),
            rows=tuple(self.rows[place] for place in kept),
        )


NO_ROWS = Rows(table=Table(columns=(), rows=()), rows=())


def rows_of_results(
    table: Table, results: Sequence[Result], standings: Sequence[Standing] = ()
) -> Rows:
    """A row for each result, the best first: how it stands against that, and the result in words.

    Without standings results are as they are given.
    """
    place = {one.setting: at for at, one in enumerate(standings)}
    order = sorted(range(len(results)), key=lambda at: place.get(results[at].spec.digest, at))
    told = [standings[place[one.spec.digest]] for one in results] if standings else None
    return Rows(
        table=_ordered(_with_standings(table, told) if told else table, order),
        rows=tuple(
            Row(
                key=results[at].spec.digest,
                result=results[at],
                trials=results[at].trials,
                standing=told[at] if told else None,
            )
            for at in order
        ),
    )


_FOLDED = frozenset({"trials", "p50", "floor", "phases", "errors", "wrong", "others"})
"""Columns of results that are for those who ask for them."""


def _ordered(table: Table, order: Sequence[int]) -> Table:
    return replace(table, rows=tuple(table.rows[at] for at in order))


def _with_standings(table: Table, standings: Sequence[Standing]) -> Table:
    """The ratio to the best in place of that to the first row, and the ending as a result."""
    keys = [column.key for column in table.columns]
    columns = {
        "ratio": Column(key="ratio", title=tr_word("Against best")),
        "ending": Column(key="ending", title=tr_word("Result"), align="left"),
    }
    rows = []
    for row, one in zip(table.rows, standings, strict=True):
        cells = dict(zip(keys, row, strict=True))
        verdict = one.verdict
        cells["ratio"] = Cell(verdict.ratio if verdict else None, one.against or NOTHING)
        mark = _MARKS.get(one.place, "")
        cells["ending"] = Cell(cells["ending"].value, f"{mark}{one.text}")
        rows.append(tuple(cells.values()))
    return Table(
        columns=tuple(
            replace(known, folded=known.folded or known.key in _FOLDED)
            for known in (columns.get(column.key, column) for column in table.columns)
        ),
        rows=tuple(rows),
    )


_MARKS = {"best": "✓ ", "failed": "✕ "}


def rows_of_trials(table: Table, trials: Sequence[tuple[Result, Trial]]) -> Rows:
    """A row for each trial."""
    return Rows(
        table=table,
        rows=tuple(
            Row(
                # A trial that is measured again keeps its index.
                key=f"{result.spec.digest} {trial.index} {trial.started}",
                result=result,
                trials=(trial,),
            )
            for result, trial in trials
        ),
    )


def rows_of_runs(
    table: Table, runs: Sequence[tuple[Origin, Sequence[Result]]], shown: Origin | None
) -> Rows:
    """A row for each result of each run; `shown`: the run that the window shows."""
    return Rows(
        table=table,
        rows=tuple(
            Row(
                key=f"{origin.session} {origin.run} {result.spec.digest}",
                result=result,
                trials=result.trials,
                origin=None if origin == shown else origin,
            )
            for origin, results in runs
            for result in results
        ),
    )
