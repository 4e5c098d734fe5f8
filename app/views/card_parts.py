"""Parts of the card: a row of figures with their titles, and a row of badges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.style.label_widget import label
from app.style.tip import as_tip

if TYPE_CHECKING:
    from core import Badge, CardFigure


class FigureRow(QWidget):
    """Figures beside each other, each below its title."""

    def __init__(self) -> None:
        super().__init__()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(18)

    def show_figures(self, figures: Sequence[CardFigure]) -> None:
        """Show these, and no others."""
        _empty(self._row)
        for figure in figures:
            title, shown = label(figure.title, "muted"), label(figure.text, "figure")
            shown.setAccessibleName(figure.title)
            made = QWidget()
            made.setToolTip(as_tip(figure.help))
            column = QVBoxLayout(made)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(0)
            column.addWidget(title)
            column.addWidget(shown)
            self._row.addWidget(made)
        self.setVisible(bool(figures))

    def texts(self) -> dict[str, str]:
        """The figures by title."""
        shown = [one for one in self.findChildren(QLabel) if one.property("part") == "figure"]
        return {one.accessibleName(): one.text() for one in shown}


class BadgeRow(QWidget):
    """Badges beside each other; a colour says what a mark says too."""

    def __init__(self) -> None:
        super().__init__()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(6)

    def show_badges(self, badges: Sequence[Badge]) -> None:
        """Show these, and no others."""
        _empty(self._row)
        for badge in badges:
            shown = label(badge.text, "badge")
            shown.setProperty("trust", badge.trust)
            shown.setToolTip(as_tip(badge.help))
            shown.setAccessibleDescription(badge.help)
            self._row.addWidget(shown)
        self.setVisible(bool(badges))

    def texts(self) -> tuple[str, ...]:
        """What the badges say."""
        return tuple(
            one.text() for one in self.findChildren(QLabel) if one.property("part") == "badge"
        )


def _empty(row: QHBoxLayout) -> None:
    while (item := row.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.setParent(None)  # now: it must neither be seen nor be found any more
            widget.deleteLater()
