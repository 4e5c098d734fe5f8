"""The content of the table: cells to show, and what each row stands for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core import Table

if TYPE_CHECKING:
    from core import Origin, Result, Trial


@dataclass(frozen=True, kw_only=True)
class Row:
    """A result with all its trials, or one trial of it; `key` stays while figures change."""

    key: str
    result: Result
    trials: tuple[Trial, ...]
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
        return self.rows[0].result.unit if self.rows else ""

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


def rows_of_results(table: Table, results: Sequence[Result]) -> Rows:
    """A row for each result; the ending follows right after the parameters."""
    return Rows(
        table=_with_ending_early(table),
        rows=tuple(
            Row(key=result.spec.digest, result=result, trials=result.trials) for result in results
        ),
    )


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
        table=_with_ending_early(table),
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


def _with_ending_early(table: Table) -> Table:
    order = sorted(
        range(len(table.columns)),
        key=lambda place: (
            not table.columns[place].parameter,
            table.columns[place].key != "ending",
        ),
    )
    return Table(
        columns=tuple(table.columns[place] for place in order),
        rows=tuple(tuple(row[place] for place in order) for row in table.rows),
    )
