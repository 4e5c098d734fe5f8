"""The report in a window of its own: read, printed, saved as PDF, opened in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QColor, QImage, QTextDocument
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.shell.report_window import ReportWindow, fill
from core import Paper

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" width="40" height="20">'
    '<rect width="40" height="20" style="fill:#b3261e"/></svg>'
)
ROWS = "".join(f"<tr><td>row {number}</td><td>{number}</td></tr>" for number in range(200))
PAPER = Paper(
    text="<html><head><title>A day – Sluice report</title></head><body><h1>A day</h1>"
    f'<p><img src="plot:c1-0"></p><table border="1">{ROWS}</table></body></html>',
    pictures={"plot:c1-0": SVG},
    page="<!DOCTYPE html><title>A day</title>",
)


class Written:
    """What was written, by path."""

    def __init__(self) -> None:
        self.files: dict[Path, bytes] = {}

    def __call__(self, path: Path, content: bytes) -> None:
        self.files[path] = content


@pytest.fixture
def written() -> Written:
    return Written()


@pytest.fixture
def shown(qtbot: QtBot, tmp_path: Path, written: Written) -> Iterator[ReportWindow]:
    window = ReportWindow(None, PAPER, tmp_path / "a day.html", written)
    with qtbot.waitExposed(window):
        window.show()
    yield window
    with qtbot.waitSignal(window.destroyed):
        window.close()


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type /Page\b", pdf))


def test_that_it_begins_at_its_top_and_says_whose_report_it_is(shown: ReportWindow) -> None:
    assert shown.windowTitle() == "Report: a day"
    assert shown.page.verticalScrollBar().value() == 0
    assert shown.page.toPlainText().startswith("A day\n")


def test_that_pictures_are_drawn_in_their_colours_and_sharp(qtbot: QtBot) -> None:
    document = QTextDocument()
    fill(document, PAPER)
    picture = document.resource(QTextDocument.ResourceType.ImageResource.value, QUrl("plot:c1-0"))
    assert isinstance(picture, QImage)
    assert picture.deviceIndependentSize().toSize().toTuple() == (40, 20)
    assert picture.width() == 120
    assert picture.pixelColor(60, 30) == QColor("#b3261e")


def test_that_it_is_saved_as_pdf_where_the_user_says(
    shown: ReportWindow, written: Written, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = tmp_path / "for the boss"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(chosen), ""))
    shown.pdf_button.click()
    ((place, content),) = written.files.items()
    assert place == chosen.with_suffix(".pdf")
    assert content.startswith(b"%PDF-")
    assert pages(content) > 3
    (width, height), *_ = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)", content)
    assert float(width) > float(height)


def test_that_a_dialog_that_is_left_writes_nothing(
    shown: ReportWindow, written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    shown.pdf_button.click()
    assert written.files == {}


def test_that_it_is_printed_on_the_printer_of_the_dialog(
    qtbot: QtBot, shown: ReportWindow, tmp_path: Path
) -> None:
    sheets = tmp_path / "printed.pdf"
    shown.print_button.click()
    dialog = shown.findChild(QPrintDialog)
    assert dialog.isVisible()
    printer = dialog.printer()
    assert printer.docName() == "A day – Sluice report"
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(sheets))
    dialog.accepted.emit(printer)
    assert pages(sheets.read_bytes()) > 3
    with qtbot.waitSignal(dialog.destroyed):
        dialog.close()


def test_that_the_browser_gets_the_page_with_all_trials(
    shown: ReportWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def open_url(url: QUrl) -> bool:
        opened.append(url.toLocalFile())
        return True

    monkeypatch.setattr("app.shell.report_window.QDesktopServices.openUrl", open_url)
    shown.browser_button.click()
    assert opened == [str(tmp_path / "a day.html")]
