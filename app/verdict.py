"""The card above everything: what the results say, in plain words."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QVBoxLayout

from app.parts import label, restyle
from core import Headline

NOT_YET = Headline(
    mood="open", text="Not yet", detail="Choose a dataset and press Start to measure it."
)


class VerdictCard(QFrame):
    """Always there; says ‘not yet’ before it knows."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("part", "card")
        self.setAccessibleName("Verdict")
        self._text = label(part="title", wraps=True)
        self._detail = label(part="muted", wraps=True)
        for shown in (self._text, self._detail):
            shown.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse
                | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
        column = QVBoxLayout(self)
        column.setSpacing(2)
        column.addWidget(self._text)
        column.addWidget(self._detail)
        self.show_headline(NOT_YET)

    def show_headline(self, headline: Headline) -> None:
        """Say it."""
        self._text.setText(headline.text)
        self._detail.setText(headline.detail)
        self._detail.setVisible(bool(headline.detail))
        self._text.setAccessibleName(f"Verdict: {headline.text}")
        restyle(self, "mood", headline.mood)

    def text(self) -> str:
        """What it says."""
        return self._text.text()
