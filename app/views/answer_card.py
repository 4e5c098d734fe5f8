"""The card above everything: what the results say, in plain words."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QVBoxLayout

from app.style.label_widget import label, restyle
from core import Headline


class AnswerCard(QFrame):
    """Always there; says ‘not yet’ before it knows."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("part", "card")
        self.setAccessibleName(self.tr("Verdict"))
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
        self.clear()

    def clear(self) -> None:
        """Nothing is measured yet."""
        detail = self.tr("Choose a dataset and press Start to measure it.")
        self.show_headline(Headline(mood="open", text=self.tr("Not yet"), detail=detail))

    def show_headline(self, headline: Headline) -> None:
        """Say it."""
        self._text.setText(headline.text)
        self._detail.setText(headline.detail)
        self._detail.setVisible(bool(headline.detail))
        self._text.setAccessibleName(self.tr("Verdict: {}").format(headline.text))
        restyle(self, "mood", headline.mood)

    def text(self) -> str:
        """What it says."""
        return self._text.text()
