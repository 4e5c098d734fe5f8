"""What the menu Help opens: the user guide in a window of its own, and what Sluice is."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import Any, override

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QImage, QKeySequence, QShortcut, QTextDocument
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QMessageBox,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from app.style.labels import restyle
from app.style.theme import Appearance
from core import GuidePage, about_sluice

_WIDEST = 680
"""Pixels of a picture; it leaves room for the scroll bar in the window's own size."""


class GuideWindow(QDialog):
    """All pages of the guide, beside the window until either is closed."""

    def __init__(self, parent: QWidget, appearance: Appearance) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("User guide"))
        self.resize(1080, 720)
        self._pages = GuidePage.all()
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Pages of the guide"))
        self.list.addItems([page.title for page in self._pages])
        self.list.setFixedWidth(250)
        self.list.setWordWrap(True)
        self.page = _PageView()
        self.page.setAccessibleName(self.tr("Page of the guide"))
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search all pages (Enter: next)"))
        self.search.setAccessibleName(self.tr("Search in the guide"))
        self.search.setClearButtonEnabled(True)
        column = QVBoxLayout()
        column.addWidget(self.search)
        column.addWidget(self.list, 1)
        row = QHBoxLayout(self)
        row.addLayout(column)
        row.addWidget(self.page, 1)
        self.list.currentRowChanged.connect(lambda _: self._show_page())
        self.page.anchorClicked.connect(self.follow)
        self.search.returnPressed.connect(self.find_next)
        self.search.textEdited.connect(lambda _: restyle(self.search, "wrong", False))
        QShortcut(QKeySequence.StandardKey.Find, self, self.search.setFocus)
        appearance.changed.connect(lambda _: self._show_page())  # links have the theme's colour
        self.list.setCurrentRow(0)

    def _show_page(self) -> None:
        self.page.show_page(self._pages[self.list.currentRow()])

    def follow(self, link: QUrl) -> None:
        """Show the page, and the heading on it, that a link names; others are for the browser."""
        names = [page.name for page in self._pages]
        name = Path(link.path()).stem
        if link.scheme() or (name and name not in names):
            QDesktopServices.openUrl(link)
            return
        if name:
            self.list.setCurrentRow(names.index(name))
        self.page.scroll_to(link.fragment())

    def find_next(self) -> None:
        """Show the next place with the words searched, on this page or on those that follow."""
        words = self.search.text().strip()
        if not words or self.page.find(words):
            return
        count, here = len(self._pages), self.list.currentRow()
        for row in ((here + step) % count for step in range(1, count + 1)):
            if words.lower() in self._pages[row].text.lower():
                self.list.setCurrentRow(row)
                self.page.to_start()
                if self.page.find(words):
                    return
        restyle(self.search, "wrong", True)


class _PageView(QTextBrowser):
    """One page; its pictures are as wide as fits."""

    def __init__(self) -> None:
        super().__init__()
        self.setOpenLinks(False)
        self.document().setDocumentMargin(16)
        self._folder = Path()

    def show_page(self, page: GuidePage) -> None:
        self._folder = page.file.parent
        read = QTextDocument()
        read.setMarkdown(page.text, QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
        # Inter is here in 400 and 600; what is bolder would be drawn twice.
        self.setHtml(read.toHtml().replace("font-weight:700", "font-weight:600"))
        self.to_start()

    def to_start(self) -> None:
        """Begin again at the top, also with searching."""
        cursor = self.textCursor()
        cursor.setPosition(0)
        self.setTextCursor(cursor)
        self.verticalScrollBar().setValue(0)

    def scroll_to(self, heading: str) -> None:
        """Show a heading, by its slug, at the top."""
        block = self.document().begin()
        while heading and block.isValid():
            if block.blockFormat().headingLevel() and GuidePage.slug(block.text()) == heading:
                place = self.document().documentLayout().blockBoundingRect(block)
                self.verticalScrollBar().setValue(int(place.top()))
                return
            block = block.next()

    @override
    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return None
        place = name.path() if isinstance(name, QUrl) else name
        image = QImage(str((self._folder / place).resolve()))
        if image.width() <= _WIDEST:
            return image
        return image.scaledToWidth(_WIDEST, Qt.TransformationMode.SmoothTransformation)


class AboutDialog(QMessageBox):
    """Version, commit and platform; its details are the parts by others with their licences."""

    def __init__(self, parent: QWidget) -> None:
        build, components = about_sluice()
        close = QMessageBox.StandardButton.Close
        super().__init__(QMessageBox.Icon.NoIcon, "", f"Sluice {build}", close, parent)
        self.setWindowTitle(self.tr("About Sluice"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        licence = self.tr("Under the MIT licence. Python {}.").format(platform.python_version())
        parts = self.tr("The details name the parts by others and their licences.")
        self.setInformativeText(f"{licence} {parts}")
        self.setDetailedText("\n".join(map(str, components)))
