"""How throughput scales, as rows."""

from __future__ import annotations

import math
from collections.abc import Collection

from core import NOTHING, CurvesFigure, FigureCurve, Value, tr_word


class ScalingData:
    """A row for each number of threads of each series, in rising order."""

    def __init__(self, figure: CurvesFigure, of: str, decided: Collection[str] = ()) -> None:
        self.titles = (
            tr_word("series"),
            tr_word(figure.axis),
            tr_word(figure.metric.name),
            tr_word("from"),
            tr_word("to"),
            tr_word("price of the step"),
            tr_word("published"),
            tr_word("ending"),
        )
        unit = "1/s" if figure.unit == "rate" else "s"
        self.plain_titles = (
            "series",
            figure.axis,
            f"{figure.metric.name} ({unit})",
            f"from ({unit})",
            f"to ({unit})",
            "memory of the step (B)",
            f"published ({unit})",
            "ending",
        )
        self._of, self._metric = of, figure.metric
        self._decided = decided
        self._rows = [(one, threads) for one in figure.curves for threads in sorted(one.places)]

    def __len__(self) -> int:
        return len(self._rows)

    def row(self, place: int) -> tuple[str, ...]:
        """The texts of one row."""
        series, threads = self._rows[place]
        price = series.price_of(threads)
        name, _, *rates, _, published, ending = self.plain_row(place)
        measured, low, high, figure = (
            self._metric.text(value, self._of) if isinstance(value, float) else NOTHING
            for value in (*rates, published)
        )
        told = price.summary if price else NOTHING
        return (str(name), str(threads), measured, low, high, told, figure, str(ending))

    def plain_row(self, place: int) -> tuple[Value | None, ...]:
        """The values of one row; None where nothing is known."""
        series, threads = self._rows[place]
        found, price = series.at(threads), series.price_of(threads)
        rates = (found.value, found.low, found.high) if found else (math.nan,) * 3
        return (
            series.name,
            threads,
            *(rate if math.isfinite(rate) else None for rate in rates),
            price.memory if price else None,
            dict(series.published).get(threads),
            self._ending(series, threads),
        )

    def _ending(self, series: FigureCurve, threads: float) -> str:
        found = series.at(threads)
        if found is None:
            return tr_word("not measured")
        ending = found.reason or tr_word("completed")
        if found.setting in self._decided:
            return f"{ending}, {tr_word('not measured any more')}"
        return ending
