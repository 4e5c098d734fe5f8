"""The content of the table: cells to show, and what each row stands for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from core import NOTHING, Table, tr_word

if TYPE_CHECKING:
    from core import Origin, Result, Standing, Trial


@dataclass(frozen=True, kw_only=True)
class Row:
    """A result with all its trials, or one trial of it; `key` stays while figures change."""

    key: str
    result: Result
    trials: tuple[Trial, ...]
    standing: Standing | None = None
    """Where it stands among the results of its run."""
    origin: Origin | None = None
    """None = the run that the window shows."""

    @property
    def sure(self) -> bool:
        """Whether it surely is the setting to use."""
        return self.standing is not None and _is_told(self.standing)

    @property
    def best(self) -> bool:
        """Whether it is the setting to use, or the leading one."""
        return self.standing is not None and self.standing.place == "best"


@dataclass(frozen=True, kw_only=True)
class Rows:
    """A table and, in the same order, what its rows stand for."""

    table: Table
    rows: tuple[Row, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the columns that say what a row is, and how it ended: the first ones."""
        return tuple(one.key for one in self.table.columns if one.parameter or one.key == _RESULT)

    def having(self, trials: Collection[int] | None) -> Rows:
        """The rows that have one of the trials of these indexes; None = all."""
        if trials is None:
            return self
        places = [
            place
            for place, row in enumerate(self.rows)
            if row.origin is None and any(trial.index in trials for trial in row.trials)
        ]
        cells = tuple(self.table.rows[place] for place in places)
        return Rows(
            table=replace(self.table, rows=cells), rows=tuple(self.rows[place] for place in places)
        )


_RESULT = "ending"


def _result_first(table: Table) -> Table:
    """The table with its results behind the parameters, before the figures.

    Numbers stand at the right, those of a parameter as well.
    """
    places = sorted(
        range(len(table.columns)),
        key=lambda at: (not table.columns[at].parameter, table.columns[at].key != _RESULT),
    )
    return Table(
        columns=tuple(
            replace(table.columns[at], align="right")
            if table.columns[at].parameter and _are_numbers(table, at)
            else table.columns[at]
            for at in places
        ),
        rows=tuple(tuple(row[at] for at in places) for row in table.rows),
    )


def _are_numbers(table: Table, place: int) -> bool:
    values = {row[place].value for row in table.rows} - {None}
    return bool(values) and all(type(one) in (int, float) for one in values)


NO_ROWS = Rows(table=Table(columns=(), rows=()), rows=())


def rows_of_results(
    table: Table, results: Sequence[Result], standings: Sequence[Standing] = ()
) -> Rows:
    """A row for each result, the best first, with its ratio to the best and its standing in words.

    Without standings the results keep their order.
    """
    place = {one.setting: at for at, one in enumerate(standings)}
    order = sorted(range(len(results)), key=lambda at: place.get(results[at].spec.digest, at))
    ranked = [standings[place[one.spec.digest]] for one in results] if standings else []
    table = _result_first(_with_standings(table, ranked) if ranked else table)
    return Rows(
        table=replace(table, rows=tuple(table.rows[at] for at in order)),
        rows=tuple(
            Row(
                key=results[at].spec.digest,
                result=results[at],
                trials=results[at].trials,
                standing=ranked[at] if ranked else None,
            )
            for at in order
        ),
    )


_FOLDED = frozenset({"trials", "p50", "floor", "phases", "errors", "wrong", "others"})
"""Columns of results that are for those who ask for them."""


def _is_told(standing: Standing) -> bool:
    return standing.place == "best" and standing.told


def _with_standings(table: Table, standings: Sequence[Standing]) -> Table:
    """The ratio to the best in place of that to the first row, and the ending as a result."""
    titles = {"ratio": tr_word("Against best"), "ending": tr_word("Result")}
    columns = tuple(
        replace(one, title=titles.get(one.key, one.title), folded=one.folded or one.key in _FOLDED)
        for one in table.columns
    )
    rows = []
    for row, standing in zip(table.rows, standings, strict=True):
        ratio = standing.verdict.ratio if standing.verdict else None
        mark = "✓ " if _is_told(standing) else "✕ " if standing.place == "failed" else ""
        changes: dict[str, dict[str, Any]] = {
            "ratio": {"value": ratio, "text": standing.against or NOTHING},
            "ending": {"text": f"{mark}{standing.text}"},
        }
        cells = zip(columns, row, strict=True)
        rows.append(
            tuple(
                replace(cell, **changes[one.key]) if one.key in changes else cell
                for one, cell in cells
            )
        )
    return Table(columns=columns, rows=tuple(rows))


def rows_of_trials(table: Table, trials: Sequence[tuple[Result, Trial]]) -> Rows:
    return Rows(
        table=_result_first(table),
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
        table=_result_first(table),
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
