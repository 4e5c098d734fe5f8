"""The window speaks the user's language, and every text of it can be translated."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QPushButton, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from app.modes import Mode
from app.translation import speak
from app.window import MainWindow
from core import resources_folder

pytestmark = pytest.mark.window
APP = resources_folder().parent / "app"
GERMAN = resources_folder() / "translations" / "sluice_de.ts"
SHOWN = {
    "QLabel", "QPushButton", "QCheckBox", "label", "addAction", "addMenu", "addTab", "addRow", "setText",
    "setToolTip", "setStatusTip", "setPlaceholderText", "setAccessibleName", "setAccessibleDescription",
}  # fmt: skip
"""What takes a text that the user sees or hears as its first argument."""

type Texts = dict[tuple[str, str], str]


def texts(file: Path) -> Texts:
    """The translations in a .ts file by context and text; empty where one is not finished."""
    found = {}
    for context in ElementTree.parse(file).getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            assert translation is not None
            done = "" if translation.get("type") else translation.text
            found[context.findtext("name", ""), message.findtext("source", "")] = done or ""
    return found


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    translators = speak(qapp, QLocale("de_DE"))
    assert len(translators) == 2
    yield
    for each in translators:
        qapp.removeTranslator(each)


def test_that_every_text_has_its_german_one(tmp_path: Path) -> None:
    files = sorted(map(str, APP.rglob("*.py")))
    collected = tmp_path / "collected.ts"
    lupdate = Path(sys.executable).with_name("pyside6-lupdate")
    subprocess.run([lupdate, *files, "-silent", "-ts", collected], check=True)
    known = texts(GERMAN)
    assert texts(collected).keys() == known.keys(), "run `make translations`"
    assert not [text for text, translation in known.items() if not translation]


def test_that_what_is_compiled_is_what_was_translated(german: None) -> None:
    known = texts(GERMAN)
    spoken = {pair: QCoreApplication.translate(*pair) for pair in known}
    assert spoken == known, "run `make translations`"


def test_that_no_text_is_shown_without_being_translated() -> None:
    bare = [
        f"{file.relative_to(APP)}:{call.lineno}"
        for file in APP.rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(call, ast.Call) and called(call) in SHOWN and call.args and bare_text(call)
    ]
    assert not bare


def called(call: ast.Call) -> str:
    return getattr(call.func, "attr", "") or getattr(call.func, "id", "")


def bare_text(call: ast.Call) -> bool:
    """Whether words stand in the code as they are shown; signs such as a dash are no words."""
    match call.args[0]:
        case ast.Constant(value=str(text)):
            return any(letter.isalpha() for letter in text)
        case ast.JoinedStr(values=parts):
            told = [part.value for part in parts if isinstance(part, ast.Constant)]
            return any(letter.isalpha() for text in told for letter in str(text))
        case _:
            return False


def test_that_nothing_of_a_german_window_is_clipped(
    german: None, window: MainWindow, qtbot: QtBot
) -> None:
    window.resize(1024, 700)
    qtbot.waitUntil(lambda: window.workbench.views.plots is not None)
    short = clipped(window)
    for mode in Mode:
        window.workbench.setup.choose_mode(mode)
        short += clipped(window.workbench.setup)
    assert window.workbench.start_button.text() == "▶ Start"
    assert window.workbench.cancel_button.text() == "■ Abbrechen"
    assert not short


def clipped(root: QWidget) -> list[str]:
    """Texts that have less room than they need."""
    QCoreApplication.processEvents()
    found = []
    for widget in root.findChildren(QWidget):
        if not widget.isVisible():
            continue
        match widget:
            case QLabel() if widget.wordWrap():
                short = widget.heightForWidth(widget.width()) > widget.height()
            case QLabel() | QPushButton() | QCheckBox():
                short = widget.sizeHint().width() > widget.width()
            case QTabBar():
                rooms = [widget.tabRect(at).right() for at in range(widget.count())]
                short = max(rooms, default=0) > widget.width()
            case _:
                short = False
        if short:
            found.append(f"{type(widget).__name__} {getattr(widget, 'text', str)()!r}")
    return found
