"""The window speaks the user's language, and every text of it can be translated."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from string import Formatter
from xml.etree import ElementTree

import building
import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.setup.controls.numbers import NumberBox
from app.shell.window import MainWindow
from core import Session, resources_folder
from core.desk import Prepared
from core.tell.exchange import format_named
from core.tell.run_results import Shown
from core.vocabulary import Crashed

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
            done = "" if translation.get("type") else translation.text
            found[context.findtext("name", ""), message.findtext("source", "")] = done or ""
    return found


def test_that_every_text_has_its_german_one(tmp_path: Path) -> None:
    engine = tmp_path / "core_texts.py"
    subprocess.run([sys.executable, APP.parent / "packaging" / "core_texts.py", engine], check=True)
    files = [*sorted(map(str, APP.rglob("*.py"))), str(engine)]
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


def test_that_translations_have_the_same_places_for_values() -> None:
    other = [
        (text, translation)
        for (_, text), translation in texts(GERMAN).items()
        if sorted(places(text)) != sorted(places(translation))
    ]
    assert not other


def places(text: str) -> list[tuple[str | None, ...]]:
    return [place[1:] for place in Formatter().parse(text) if place[1] is not None]


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


def some_results(folder: Path) -> Shown:
    """Of two specs, of which one crashed."""
    specs = [building.spec(threads=threads) for threads in (1, 4)]
    crash = Crashed(stage="measuring", signal="SIGBUS")
    trials = (
        *(building.trial(specs[0], index=index, rate=1000.0 + index) for index in range(5)),
        building.trial(specs[1], index=5, outcome=crash),
    )
    with Session.create(folder / "some.sluice") as session:
        run = session.begin_run(building.plan(specs), building.environment(), {}, [])
        return Shown.of(Prepared(session=session, run=session.run(run)), trials, None)


def test_that_what_the_engine_says_is_german_in_a_german_window(
    german: None, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    qtbot.waitUntil(lambda: window.workbench.views.plots is not None)
    labels = {label.text() for label in window.workbench.setup.findChildren(QLabel)}
    assert {"Seitencache", "Cache-Größe"} <= labels
    assert window.workbench.start_button.text() in {"▶ Messen", "▶ Trotzdem messen"}
    chips = {chip.toolTip() for chip in window.workbench.setup.findChildren(QPushButton)}
    assert "Den Cache des Betriebssystems lassen, wie er ist." in chips
    boxes = window.workbench.setup.findChildren(NumberBox)
    box = next(each for each in boxes if each.accessibleName() == "Threads")
    box.textEdited.emit("viele")
    assert window.workbench.start_button.toolTip() == "Threads: 'viele' ist keine ganze Zahl"
    titles = [panel.plot.title for panel in window.workbench.views.plots.panels]
    assert titles[:2] == ["Durchsatz", "Latenz"]
    found = some_results(tmp_path)
    window.workbench.results.show_results(found)
    model = window.workbench.results.view.model()
    columns = [model.headerData(at, Qt.Orientation.Horizontal) for at in range(model.columnCount())]
    assert columns[:4] == ["Threads\n", "Ergebnis\n", "Versuche\n", "Durchsatz\nSequenzen/s"]
    assert model.index(0, 3).data() == "1.002 ± 5"
    assert model.index(1, 1).data() == "✕ abgestürzt bei: Messung: SIGBUS"
    assert found.headline.text == "1 Thread: 1.002 ± 5 Sequenzen/s"  # alone it is not the best


def test_that_files_are_the_same_in_every_language(
    german: None, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    found = some_results(tmp_path)
    place = tmp_path / "results.csv"
    with qtbot.waitSignal(window.workbench.held.done):
        window.workbench.held.export(found.results, format_named("csv"), place)
    content = place.read_text("utf-8")
    assert "crashed while measuring: SIGBUS" in content
    assert "abgestürzt" not in content
