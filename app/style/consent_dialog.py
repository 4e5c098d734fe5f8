"""Shows what would run that was begun elsewhere, and asks; looking at it is what Enter chooses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QFontDatabase, QTextOption
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.style.label_widget import label
from core import tr as sentence

if TYPE_CHECKING:
    from core import WouldRun


class ConsentDialog(QDialog):
    """Accepted only by its button for that; whatever is too long can be scrolled above it."""

    def __init__(self, found: WouldRun, remaining: int, parent: QWidget) -> None:
        """`remaining`: trials that would be measured; 0 = not known."""
        super().__init__(parent)
        title = self.tr("You have not begun this here")
        self.setWindowTitle(title)
        self.resize(720, 460)
        text = QPlainTextEdit("\n".join(found.lines))
        text.setReadOnly(True)
        text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        text.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)  # nothing is beyond an edge
        text.setAccessibleName(self.tr("What would run"))
        text.setTabChangesFocus(True)
        buttons = QDialogButtonBox()
        look = buttons.addButton(self.tr("Only look"), QDialogButtonBox.ButtonRole.RejectRole)
        run = buttons.addButton(self.tr("Run it"), QDialogButtonBox.ButtonRole.AcceptRole)
        run.setAutoDefault(False)  # Enter looks, wherever the focus is
        look.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(label(title, "title"))
        column.addWidget(label(self._about(remaining), wraps=True))
        column.addWidget(text, 1)
        column.addWidget(label(self._last_line(found), "muted", wraps=True))
        column.addWidget(buttons)
        look.setFocus()

    def _about(self, remaining: int) -> str:
        told = self.tr(
            "The session comes from elsewhere, or was changed. If you go on, this runs on your "
            "computer with your rights:"
        )
        if not remaining:
            return told
        left = sentence(
            "1 trial remains to be measured.",
            "{count:,} trials remain to be measured.",
            count=remaining,
        )
        return f"{left} {told}"

    def _last_line(self, found: WouldRun) -> str:
        lines = self.tr("Lines above: {}.").format(len(found.lines))
        if not found.cut:
            return lines
        return " ".join((lines, self.tr("Not all of it is shown.")))
