"""Parts of the card: a row of figures with their titles, and a row of badges."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.style.fitting_row import FittingRow, Part
from app.style.label_widget import label
from app.style.tip import as_tip

if TYPE_CHECKING:
    from core import Badge, CardFigure

_WEIGHTS = {"plain": 0, "holds": 1, "open": 2, "contradicted": 3}
"""Reasons to doubt are left out last."""


class FigureRow(FittingRow):
    """Figures beside each other, each below its title."""

    def __init__(self) -> None:
        super().__init__(spacing=18)
        # The number and its interval beside it come first.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_figures(self, figures: Sequence[CardFigure]) -> None:
        """Show these, and no others."""
        self.show_parts([_figure_part(figure) for figure in figures])

    def texts(self) -> dict[str, str]:
        """The figures by title, seen or not."""
        shown = [one for one in self.findChildren(QLabel) if one.property("part") == "figure"]
        return {one.accessibleName(): one.text() for one in shown}


def _figure_part(figure: CardFigure) -> Part:
    title, shown = label(figure.title, "muted"), label(figure.text, "figure")
    shown.setAccessibleName(figure.title)
    made = QWidget()
    told = f"{figure.title}: {figure.text}"
    made.setToolTip(as_tip(f"{told}\n{figure.help}" if figure.brief else figure.help))
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(title)
    column.addWidget(shown)
    be_brief = partial(_choose_text, shown, figure) if figure.brief else None
    return Part(widget=made, told=told, be_brief=be_brief)


def _choose_text(shown: QLabel, figure: CardFigure, brief: bool) -> None:
    shown.setText(figure.brief if brief else figure.text)


class BadgeRow(FittingRow):
    """Badges beside each other; a colour says what a mark says too."""

    def __init__(self) -> None:
        super().__init__(spacing=6)

    def show_badges(self, badges: Sequence[Badge]) -> None:
        """Show these, and no others."""
        self.show_parts([_badge_part(badge) for badge in badges])

    def texts(self) -> tuple[str, ...]:
        """What the badges say, seen or not."""
        return tuple(
            one.text() for one in self.findChildren(QLabel) if one.property("part") == "badge"
        )


def _badge_part(badge: Badge) -> Part:
    shown = label(badge.text, "badge")
    shown.setProperty("trust", badge.trust)
    shown.setToolTip(as_tip(badge.help))
    shown.setAccessibleDescription(badge.help)
    told = f"{badge.text}: {badge.help}" if badge.help else badge.text
    return Part(widget=shown, told=told, weight=_WEIGHTS[badge.trust])
