"""The report of the session that is shown, in a window of its own: read, printed, saved as PDF.

What it shows is the report for paper; the one for a browser, which has single trials too, is one
button away.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QObject, Qt, QUrl
from PySide6.QtGui import (
    QDesktopServices,
    QImage,
    QPagedPaintDevice,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QTextBrowser, QVBoxLayout, QWidget

import core
from app.style import dialogs
from app.work.question import Question

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

    from app.shell.window_parts import WindowParts
    from core import Paper

_SHARP = 3
"""Pixels of a picture for each point on the sheet, so that it is sharp on paper too."""


class ReportWindow(QDialog):
    """A report as it is printed, beside the window until the user closes it."""

    def __init__(
        self, parent: QWidget, paper: Paper, place: Path, write: Callable[[Path, bytes], None]
    ) -> None:
        """`place`: where the report for a browser is; `write` puts a file where the user says."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Report: {}").format(place.stem))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(1060, 760)
        self._place, self._write = place, write
        self._printer: QPrinter | None = None
        self.page = QTextBrowser()
        self.page.setAccessibleName(self.tr("The report"))
        self.page.setProperty("part", "sheet")
        self.page.setOpenLinks(False)
        fill(self.page.document(), paper)
        self.page.moveCursor(QTextCursor.MoveOperation.Start)
        self.print_button = QPushButton(self.tr("&Print…"))
        self.pdf_button = QPushButton(self.tr("Save as P&DF…"))
        self.browser_button = QPushButton(self.tr("Open in the &browser"))
        self.browser_button.setToolTip(self.tr("There also with every trial and its course"))
        close = QPushButton(self.tr("Close"))
        self._lay_out(close)
        self.print_button.clicked.connect(self._print)
        self.pdf_button.clicked.connect(self._choose_pdf)
        url = QUrl.fromLocalFile(str(place))
        self.browser_button.clicked.connect(lambda: QDesktopServices.openUrl(url))
        close.clicked.connect(self.reject)
        self.page.setFocus()

    def _lay_out(self, close: QPushButton) -> None:
        row = QHBoxLayout()
        for button in (self.print_button, self.pdf_button, self.browser_button):
            button.setAutoDefault(False)
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(close)
        close.setAutoDefault(False)
        column = QVBoxLayout(self)
        column.addWidget(self.page, 1)
        column.addLayout(row)

    def _choose_pdf(self) -> None:
        title = self.tr("Save the report as PDF")
        if (path := dialogs.place_for(self, title, self._place.stem, ".pdf")) is not None:
            self._write(path, self.pdf())

    def pdf(self) -> bytes:
        """The report as a PDF file, A4 in landscape."""
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        writer = QPdfWriter(buffer)
        writer.setTitle(self.page.documentTitle())
        writer.setCreator("Sluice")
        self.put_on(writer)
        return bytes(buffer.data().data())

    def put_on(self, sheets: QPagedPaintDevice) -> None:
        """Paint the report on sheets in landscape."""
        size = sheets.pageLayout().pageSize()
        if not size.isValid():
            size = QPageSize(QPageSize.PageSizeId.A4)
        # Qt's text engine leaves two centimetres of its own.
        landscape = QPageLayout.Orientation.Landscape
        sheets.setPageLayout(QPageLayout(size, landscape, QMarginsF()))
        self.page.document().print_(sheets)

    def _print(self) -> None:
        # Looking for printers takes a moment, and only who prints needs the library.
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(self.page.documentTitle())
        dialog = QPrintDialog(printer, self)
        dialog.setWindowTitle(self.tr("Print the report"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(self.put_on)  # with the printer
        self._printer = printer  # the dialog does not keep it
        QDialog.open(dialog)  # its own wants a slot by name


class Reports(QObject):
    """Makes reports, one after the other, and shows each in a window of its own."""

    def __init__(self, parts: WindowParts) -> None:
        super().__init__(parts)
        self._parts = parts
        self._making = Question(parts.pool, self)
        self._making.answered.connect(self._show)
        self._making.refused.connect(partial(parts.complain, self.tr("Writing the report")))

    def show_report(self) -> None:
        """Show the report of the session as soon as it is made."""
        if (now := self._parts.measuring.now) is not None:
            self._parts.say(self.tr("Writing the report…"))
            # The pool's thread imports the module of `core.Paper`.
            self._making.ask(lambda _: core.Paper.in_cache(now.session))

    def _show(self, report: tuple[Paper, Path]) -> None:
        paper, place = report
        self._parts.say(self.tr("The report: {}").format(place))
        ReportWindow(self._parts.window(), paper, place, self._parts.held.write).show()


def fill(document: QTextDocument, paper: Paper) -> None:
    """Put the report and its pictures into a document."""
    for name, svg in paper.pictures.items():
        kind = QTextDocument.ResourceType.ImageResource.value
        document.addResource(kind, QUrl(name), _picture(svg))
    document.setDocumentMargin(16)
    # Inter is here in 400 and 600; what is bolder would be drawn twice.
    document.setDefaultStyleSheet("b, strong, h1, h2, h3, h4, th { font-weight: 600 }")
    document.setHtml(paper.text)


def _picture(svg: str) -> QImage:
    from PySide6.QtSvg import QSvgRenderer

    drawing = QSvgRenderer(svg.encode())
    picture = QImage(drawing.defaultSize() * _SHARP, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    drawing.render(painter)
    painter.end()
    picture.setDevicePixelRatio(_SHARP)
    return picture
