"""The reasons to trust an answer or not, as badges below each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.style.labels import as_tip, label, restyle

if TYPE_CHECKING:
    from core import ResultCard

_MOST = 3


class BadgeColumn(QWidget):
    """Always has the same places; a colour says what a mark says too."""

    def __init__(self) -> None:
        super().__init__()
        self._places: list[QLabel] = [label(part="badge") for _ in range(_MOST)]
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        for place in self._places:
            column.addWidget(place, 0, Qt.AlignmentFlag.AlignRight)

    def show_badges(self, card: ResultCard) -> None:
        """Show those of the card but its grade, which the meter says."""
        badges = card.badges[card.headline.grade is not None :]
        for at, place in enumerate(self._places):
            badge = badges[at] if at < len(badges) else None
            place.setVisible(badge is not None)
            if badge is not None:
                place.setText(badge.text)
                place.setToolTip(as_tip(badge.help))
                place.setAccessibleDescription(badge.help)
                restyle(place, "trust", badge.trust)

    def texts(self) -> tuple[str, ...]:
        """What the badges say."""
        return tuple(place.text() for place in self._places if not place.isHidden())
