"""Which texts in sight are cut, elided, beyond an edge or below one another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

from PySide6.QtCore import QCoreApplication, QPoint, QRect, QRectF
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QWidget,
)

from app.plots.base.axes import UnitAxis
from app.plots.base.plot_surface import Sheet
from app.style.labels import ClippedLabel
from app.views.doubt_line import DoubtLine
from app.views.verdict_words import Words

_LAYOUTS = 10
_FRAME = 8
"""Pixels of a text field around its text."""


def cut_texts(root: QWidget) -> list[str]:
    """Texts that are not wholly in sight, once the layout is at rest.

    Text that wraps is laid out twice: its height follows from its width and asks for another.
    """
    for _ in range(_LAYOUTS):
        QCoreApplication.processEvents()
        if not (found := [*_cut_now(root), *_overlapping(root)]):
            break
    return found


def _cut_now(root: QWidget) -> Iterator[str]:
    for widget in root.findChildren(QWidget):
        if not widget.isVisible() or widget.visibleRegion().isEmpty():
            continue
        for kind, ways in _CUTS.items():
            if isinstance(widget, kind):
                yield from (f"{type(widget).__name__} {told!r}" for told in ways(widget))
                break


def _beyond_edge(widget: QWidget) -> bool:
    """Whether a part of it is hidden; to what a scroll area hides one can scroll up or down."""
    seen = widget.visibleRegion().boundingRect()
    if seen.width() < widget.width():
        return True
    return seen.height() < widget.height() and not _scrolls(widget)


def _scrolls(widget: QWidget) -> bool:
    above = widget.parentWidget()
    while above is not None and not isinstance(above, QAbstractScrollArea):
        above = above.parentWidget()
    return above is not None


def _clipped_label(widget: ClippedLabel) -> Iterator[str]:
    shown = widget.shown(widget.width(), widget.height())
    if widget.text() and (_beyond_edge(widget) or shown[-1].endswith("…")):
        yield widget.text()


def _verdict(widget: Words | DoubtLine) -> Iterator[str]:
    yield from widget.cut()
    if _beyond_edge(widget):
        yield widget.text()


def _label(widget: QLabel) -> Iterator[str]:
    if not widget.text():
        return
    if widget.wordWrap():
        short = widget.heightForWidth(widget.width()) > widget.height()
    else:
        hint = widget.sizeHint()
        short = hint.width() > widget.width() or hint.height() > widget.height()
    if short or _beyond_edge(widget):
        yield widget.text()


def _button(widget: QAbstractButton) -> Iterator[str]:
    if widget.text() and (widget.sizeHint().width() > widget.width() or _beyond_edge(widget)):
        yield widget.text()


def _combo_box(widget: QComboBox) -> Iterator[str]:
    option = QStyleOptionComboBox()
    widget.initStyleOption(option)
    part = QStyle.SubControl.SC_ComboBoxEditField
    field = widget.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, widget)
    text = widget.currentText()
    if widget.fontMetrics().horizontalAdvance(text) > field.width() or _beyond_edge(widget):
        yield text


def _line(widget: QLineEdit) -> Iterator[str]:
    hint = "" if widget.text() else widget.placeholderText()
    if widget.fontMetrics().horizontalAdvance(hint) > widget.width() - _FRAME:
        yield hint


def _tabs(widget: QTabBar) -> Iterator[str]:
    for at in range(widget.count()):
        place, text = widget.tabRect(at), widget.tabText(at)
        room = min(place.right(), widget.width() - 1) - place.left()
        if widget.isTabVisible(at) and widget.fontMetrics().horizontalAdvance(text) > room - _FRAME:
            yield text


def _header(widget: QHeaderView) -> Iterator[str]:
    for at in range(widget.count()):
        if not widget.isSectionHidden(at) and widget.sectionSizeHint(at) > widget.sectionSize(at):
            yield str(widget.model().headerData(at, widget.orientation()))


def _axes(widget: Sheet) -> Iterator[str]:
    """Texts of its axes that reach beyond it, or over each other."""
    room = QRectF(widget.viewport().rect()).adjusted(-1, -1, 1, 1)
    for axis in (part["item"] for part in widget.plotItem.axes.values()):
        placed = axis.placed() if isinstance(axis, UnitAxis) else []
        for text, place in placed:
            found = widget.mapFromScene(axis.mapRectToScene(place)).boundingRect()
            if not room.contains(QRectF(found)):
                yield text
        for (one, here), (other, there) in combinations(placed, 2):
            if here.intersects(there):
                yield f"{one} over {other}"


_CUTS: dict[type[QWidget], Callable[[Any], Iterator[str]]] = {
    ClippedLabel: _clipped_label,
    Words: _verdict,
    DoubtLine: _verdict,
    QLabel: _label,
    QPushButton: _button,
    QCheckBox: _button,
    QComboBox: _combo_box,
    QLineEdit: _line,
    QTabBar: _tabs,
    QHeaderView: _header,
    Sheet: _axes,
}


def _overlapping(root: QWidget) -> Iterator[str]:
    """Texts that stand in one another's place."""
    kinds = (QLabel, QAbstractButton, QLineEdit, QComboBox)
    found = [
        (widget, QRect(widget.mapTo(root, QPoint()), widget.size()) & _seen(root, widget))
        for widget in root.findChildren(QWidget)
        if isinstance(widget, kinds) and widget.isVisible()
    ]
    for (one, here), (other, there) in combinations(found, 2):
        if (here & there).isEmpty() or one.isAncestorOf(other) or other.isAncestorOf(one):
            continue
        if one.window() is other.window():
            yield f"{_told(one)!r} is over {_told(other)!r}"


def _seen(root: QWidget, widget: QWidget) -> QRect:
    return widget.visibleRegion().boundingRect().translated(widget.mapTo(root, QPoint()))


def _told(widget: QWidget) -> str:
    return str(getattr(widget, "text", widget.accessibleName)() or type(widget).__name__)
