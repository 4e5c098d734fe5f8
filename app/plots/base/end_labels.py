"""What stands on the curves of a plot, in pixels: labels at their ends, a ring and a bracket.

One item paints them all, over the view: items of their own would lag behind it by a frame, and
would not avoid each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, override

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QPen,
    QPolygonF,
)

from app.plots.base.painting import colour_of
from app.style.theme import LIGHT, Theme

if TYPE_CHECKING:
    from PySide6.QtWidgets import QGraphicsItem

LINE, WHOLE = 18, 34
"""Pixels from a label to the next: of one without a note, and of one with."""
_SMALL, _PLAIN = 12, 13
"""Pixels of letters."""
_GAP = 7.0
_HALO = [QPointF(x, y) for x in (-2, 0, 2) for y in (-2, 0, 2)]
"""Where a text stands in the colour of the ground, so that it is set off from curves."""
_BESIDE = 16
"""Pixels from a curve's end to its label."""
_WIDEST = 0.32
"""The largest share of the width that labels take."""
_DOTS = [1.4, 2.8]
"""Of a line that marks a place, in its widths."""
_CORNER = 28
"""Pixels from the left end of a view to a text in its corner."""
_RING = 10.0
_RISE = 18
"""Pixels of a bracket above the view."""
_TRIED = (24, 42, 60, 78, -58, -76, -94, -34)
"""Pixels from a ring to its text, one after the other, until it lies over no curve."""


@dataclass(frozen=True, kw_only=True)
class EndLabel:
    """What stands at the end of a curve; a `note` below the name where there is room."""

    name: str
    at: float
    """The value at which the curve ends, on the axis."""
    rank: int | None = None
    note: str = ""
    key: str = ""
    """What a click hides or shows again; nothing if empty."""
    hidden: bool = False


class Ring(NamedTuple):
    """Around one point of a curve; the first line of its text is bold."""

    place: QPointF
    role: str
    lines: tuple[str, ...]


class Bracket(NamedTuple):
    """Over some places of the axis across."""

    start: float
    end: float
    text: str


@dataclass(frozen=True, kw_only=True)
class Labels:
    """Everything that stands on the curves of a plot; places are those of its axes."""

    title: str = ""
    """In bold, before the heading."""
    heading: str = ""
    beside: int = 0
    """Pixels that are taken at the right of the heading."""
    ends: tuple[EndLabel, ...] = ()
    axis: str = ""
    """The name of the axis across, behind its last tick."""
    below: tuple[float, str] | None = None
    """A place of the axis across, and what it is."""
    rings: tuple[Ring, ...] = ()
    bracket: Bracket | None = None
    curves: tuple[tuple[QPointF, ...], ...] = ()
    """Where curves are, which the texts of rings avoid."""
    advised: tuple[float, str] | None = None
    """A place of the axis across that a dotted line marks, here and in the plots beside it, and
    the colour of its ring."""
    corner: str = ""
    """What stands in the upper left corner of the view."""


def arranged(wanted: Sequence[float], low: float, high: float, step: float) -> list[float]:
    """Tops of labels between two ends: `step` apart, and else as near as can be to the wanted."""
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    tops = dict.fromkeys(order, low)
    edge = low
    for at in order:
        tops[at] = max(wanted[at], edge)
        edge = tops[at] + step
    edge = high
    for at in reversed(order):
        tops[at] = edge = min(tops[at], edge - step)
    return [tops[at] for at in range(len(wanted))]


class CurveLabels(pg.GraphicsObject):  # type: ignore[misc] # pyqtgraph has no types
    """Paints labels over a view, and keeps their room at the right of it."""

    def __init__(self, plot: pg.PlotItem) -> None:
        super().__init__(plot)
        self._view = plot.vb
        self._theme = LIGHT
        self._shown = Labels()
        self._small, self._bold = QFont(), QFont()
        self.setZValue(100)

    def paint_with(self, theme: Theme, font: QFont) -> None:
        self._theme = theme
        self._small, self._bold = QFont(font), QFont(font)
        self._small.setPixelSize(_SMALL)
        self._bold.setPixelSize(_PLAIN)
        self._bold.setWeight(QFont.Weight.DemiBold)
        self.update()

    def put(self, labels: Labels) -> None:
        self.prepareGeometryChange()
        self._shown = labels
        self.update()

    @property
    def shown(self) -> Labels:
        return self._shown

    def room_for(self, labels: Labels, width: float) -> int:
        """Pixels for the longest of them, in a plot of that width."""
        bold, small = QFontMetrics(self._bold), QFontMetrics(self._small)
        widths = [bold.horizontalAdvance(one.name) for one in labels.ends]
        widths += [small.horizontalAdvance(text) for text in (labels.axis, "1,000,000/s")]
        return min(max(widths) + _BESIDE, max(round(_WIDEST * width), 0))

    # Where they are.

    @property
    def _area(self) -> QRectF:
        """The view, in pixels."""
        area: QRectF = self.mapRectFromItem(self._view, self._view.rect())
        return area

    def _pixel(self, place: QPointF) -> QPointF:
        pixel: QPointF = self.mapFromItem(self._view.childGroup, place)
        return pixel

    def placed(self) -> list[tuple[EndLabel, QRectF]]:
        """The labels at the curves' ends that have room, and where they are."""
        area, ends = self._area, self._shown.ends
        if area.height() < LINE * len(ends):  # what lies above the plot is free at its right
            area.setTop(0.0)
        ends = ends[: max(int(area.height() // LINE), 1)]
        if not ends:
            return []
        whole = area.height() >= WHOLE * len(ends)
        high = WHOLE if whole and any(one.note for one in ends) else LINE
        metrics, small = QFontMetrics(self._bold), QFontMetrics(self._small)
        left = area.right() + _BESIDE / 4
        room = self.boundingRect().right() - left
        wanted = [self._pixel(QPointF(0.0, one.at)).y() - LINE / 2 for one in ends]
        tops = arranged(wanted, area.top(), area.bottom(), high)
        placed = []
        for one, top in zip(ends, tops, strict=True):
            shown = one if high == WHOLE else replace(one, note="")
            wide = max(metrics.horizontalAdvance(one.name), small.horizontalAdvance(shown.note))
            size = QSizeF(min(wide, room), high - 2)
            placed.append((shown, QRectF(QPointF(left, top), size)))
        return placed

    def key_at(self, place: QPointF) -> str:
        """The key of the label at that place of the scene."""
        own = self.mapFromScene(place)
        return next((one.key for one, area in self.placed() if area.contains(own)), "")

    @override
    def boundingRect(self) -> QRectF:
        plot: QGraphicsItem = self.parentItem()
        return plot.boundingRect()

    # How they look.

    @override
    def paint(self, p: QPainter, opt: object, widget: object) -> None:
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        area, shown, roles = self._area, self._shown, self._theme.roles
        end = self._write(p, QPointF(0, _PLAIN), shown.title, roles["ink"], bold=True)
        start = end + _GAP if shown.title else 0.0
        wide = self.boundingRect().width() - start - shown.beside
        right = Qt.TextElideMode.ElideRight
        heading = QFontMetrics(self._small).elidedText(shown.heading, right, max(round(wide), 0))
        end = self._write(p, QPointF(start, _PLAIN), heading, roles["ink2"])
        if shown.bracket is not None:
            self._paint_bracket(p, shown.bracket, end + _BESIDE)
        if shown.advised is not None:
            at, role = shown.advised
            x = self._pixel(QPointF(at, 0.0)).x()
            dots = QPen(QColor(roles[role]), 1.5)
            dots.setDashPattern(_DOTS)
            p.setPen(dots)
            p.drawLine(QLineF(x, area.top(), x, area.bottom()))
        base = area.topLeft() + QPointF(_CORNER, _PLAIN + 4)
        end = self._write(p, base, shown.corner, roles["ink2"], halo=True)
        texts = [QRectF(base - QPointF(0, _PLAIN), QPointF(end, base.y()))]
        for ring in shown.rings:
            texts.append(self._paint_ring(p, ring, area, texts))
        foot = area.bottom() + QFontMetrics(self._small).ascent() + 6
        self._write(p, QPointF(area.right() + _BESIDE / 4, foot), shown.axis, roles["ink3"])
        if shown.below is not None and self.boundingRect().bottom() - foot > _PLAIN:
            at, text = shown.below
            middle = self._pixel(QPointF(at, 0.0)).x()
            self._write(p, QPointF(middle, foot + 14), text, roles["ink3"], centred=True)
        for one, place in self.placed():
            self._paint_end(p, one, place)

    def _paint_end(self, p: QPainter, one: EndLabel, place: QRectF) -> None:
        colour = colour_of(self._theme, None if one.hidden else one.rank)
        right, room = Qt.TextElideMode.ElideRight, round(place.width()) + 1
        name = QFontMetrics(self._bold).elidedText(one.name, right, room)
        base = place.topLeft() + QPointF(0, _PLAIN)
        self._bold.setStrikeOut(one.hidden)
        self._write(p, base, name, colour, bold=True)
        self._bold.setStrikeOut(False)
        note = QFontMetrics(self._small).elidedText(one.note, right, room)
        self._write(p, base + QPointF(0, 16), note, self._theme.roles["ink3"])

    def _paint_bracket(self, p: QPainter, bracket: Bracket, least: float) -> None:
        above = self._area.top()
        colour, y = self._theme.roles["sure"], above - min(_RISE, above - _PLAIN - 8)
        start, end = (self._pixel(QPointF(at, 0.0)).x() for at in bracket[:2])
        p.setPen(QPen(QColor(colour), 1.5))
        corners = (start, y + 6), (start, y), (end, y), (end, y + 6)
        p.drawPolyline(QPolygonF([QPointF(*one) for one in corners]))
        half = QFontMetrics(self._small).horizontalAdvance(bracket.text) / 2
        middle = max((start + end) / 2, least + half)
        self._write(p, QPointF(middle, y - 6), bracket.text, colour, centred=True)

    def _paint_ring(
        self, p: QPainter, ring: Ring, area: QRectF, others: Sequence[QRectF]
    ) -> QRectF:
        """Returns where its text is; `others`: where texts are already."""
        point = self._pixel(ring.place)
        p.setPen(QPen(QColor(self._theme.roles[ring.role]), 2.5))
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.drawEllipse(point, _RING, _RING)
        inks = (self._theme.roles["ink" if ring.role == "sure" else ring.role], "ink2")
        place = self._beside(point, ring.lines, area, others)
        for at, line in enumerate(ring.lines):
            base = place.topLeft() + QPointF(0, _PLAIN + 17 * at)
            colour = inks[0] if not at else self._theme.roles[inks[1]]
            self._write(p, base, line, colour, bold=not at, halo=True)
        return place

    def _beside(
        self, point: QPointF, lines: Sequence[str], area: QRectF, others: Sequence[QRectF]
    ) -> QRectF:
        """Where the ring's text is, over no curve nor other text if that can be."""
        bold, small = QFontMetrics(self._bold), QFontMetrics(self._small)
        wide = max((bold.horizontalAdvance(lines[0]), *map(small.horizontalAdvance, lines[1:])))
        left = min(point.x() + 4, area.right() - wide)
        size = QSizeF(wide, 17.0 * len(lines))
        pixels = [[*map(self._pixel, curve)] for curve in self._shown.curves]
        lines_drawn = [QLineF(one, two) for curve in pixels for one, two in pairwise(curve)]
        places = [QRectF(QPointF(left, point.y() + down), size) for down in _TRIED]
        clear = [one for one in places if not any(one.intersects(other) for other in others)]
        for tried in clear if len(lines) > 1 else reversed(clear):
            within = area.top() <= tried.top() and tried.bottom() <= area.bottom()
            if within and not any(_crosses(tried, line) for line in lines_drawn):
                return tried
        return (clear or places)[0]

    def _write(  # noqa: PLR0913 -- where, what, and how it looks
        self,
        p: QPainter,
        base: QPointF,
        text: str,
        colour: str,
        *,
        bold: bool = False,
        centred: bool = False,
        halo: bool = False,
    ) -> float:
        """Write a text; `halo`: set off from curves.  Returns where it ends."""
        font = self._bold if bold else self._small
        wide = QFontMetrics(font).horizontalAdvance(text)
        if centred:
            base = base - QPointF(wide / 2, 0)
        if not text:
            return base.x()
        p.setFont(font)
        p.setPen(QColor(self._theme.background))
        for aside in _HALO if halo else ():
            p.drawText(base + aside, text)
        p.setPen(QColor(colour))
        p.drawText(base, text)
        return base.x() + wide


def _crosses(area: QRectF, line: QLineF) -> bool:
    """Whether a line has a point in an area."""
    if area.contains(line.p1()) or area.contains(line.p2()):
        return True
    corners = (area.topLeft(), area.topRight(), area.bottomRight(), area.bottomLeft())
    sides: Iterable[QLineF] = (QLineF(one, two) for one, two in pairwise((*corners, corners[0])))
    bounded = QLineF.IntersectionType.BoundedIntersection
    return any(line.intersects(side)[0] == bounded for side in sides)
