"""The dialog that says which Sluice this is, and what it consists of."""

from __future__ import annotations

import platform

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.style.labels import label
from core import about_sluice


class AboutDialog(QDialog):
    """Version, commit and platform, and below them the parts by others with their licences."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("About Sluice"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(640, 480)
        build, components = about_sluice()
        name = f"Sluice {build}"
        version = label(name, "title")
        version.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        parts = QPlainTextEdit("\n".join(map(str, components)))
        parts.setReadOnly(True)
        parts.setAccessibleName(self.tr("Parts by others and their licences"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(version)
        column.addWidget(
            label(self.tr("Under the MIT licence. Python {}.").format(platform.python_version()))
        )
        column.addWidget(label(self.tr("Parts by others and their licences"), "muted"))
        column.addWidget(parts, 1)
        column.addWidget(buttons)
