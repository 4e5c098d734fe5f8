"""A plot of a published study, as rows."""

from __future__ import annotations

from core import (
    NOTHING,
    CurvesFigure,
    FigureCurve,
    Value,
    show,
    tr_word,
)


class StudyData:
    """A row for each point of each curve: what was measured here and what was published."""

    def __init__(self, chart: CurvesFigure | None) -> None:
        self._chart = chart
        curves = chart.curves if chart else ()
        self._rows = [(curve, at) for curve in curves for at in sorted(curve.places)]
        axis = chart.axis if chart else ""
        self.titles = (
            tr_word("curve"),
            tr_word(axis),
            tr_word("here"),
            tr_word("from"),
            tr_word("to"),
            tr_word("published"),
            tr_word("as charted"),
        )
        unit = " (B)" if chart and chart.sizes else ""
        times = ("here (s)", "from (s)", "to (s)", "published (s)", "as charted (s)")
        self.plain_titles = ("curve", f"{axis}{unit}", *times)

    def __len__(self) -> int:
        return len(self._rows)

    def row(self, place: int) -> tuple[str, ...]:
        """The texts of one row."""
        name, at, *seconds = self.plain_row(place)
        told = (show(one, "seconds") if isinstance(one, float) else NOTHING for one in seconds)
        return (str(name), self.tick_text(int(at or 0)), *told)

    def plain_row(self, place: int) -> tuple[Value | None, ...]:
        """The values of one row; None where nothing is known."""
        curve, at = self._rows[place]
        point = curve.at(at)
        return (
            curve.name,
            at,
            *((point.found.value, point.found.low, point.found.high) if point else (None,) * 3),
            dict(curve.published).get(at),
            dict(curve.charted).get(at),
        )

    def tick_text(self, at: int) -> str:
        """A value of the parameter as it stands on the axis."""
        sizes = self._chart is not None and self._chart.sizes
        return show(at, "bytes").replace(".0 ", " ") if sizes else show(at, "")

    def of(self, curve: FigureCurve) -> list[tuple[int, str, str]]:
        """Place, what was measured there and what was published, for the points of one curve."""
        rows = [(at, self.row(row)) for row, (each, at) in enumerate(self._rows) if each is curve]
        return [(at, text[2], text[5]) for at, text in rows]
