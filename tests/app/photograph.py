"""Photographs the window in each of its states, themes and sizes.

    PYTHONPATH=. QT_QPA_PLATFORM=offscreen .venv/bin/python tests/app/photograph.py PICTURES
    … photograph.py PICTURES --dataset snapshot/ --themes light --sizes 1280x800 --scales 1
    … photograph.py PICTURES --language de
    … photograph.py PICTURES --study study.sluice       the study in a session, too

Everything that is seen is real: a sample is made (or the dataset given is taken), measured, swept
and compared, in sessions and settings of its own.  Takes some minutes, most of them the sample's.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QItemSelectionModel, QLocale, QSettings, QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget
from workload_box import sweep_threads

from app.setup.controls.numbers import NumberBox
from app.shell.crashes import CrashDialog
from app.shell.translator import speak
from app.shell.window import MainWindow
from app.style.theme import window_font

PATIENCE = 600
SWEPT = 90.0
"""Seconds for a sweep: three times those of a first answer, so that it is a sure one."""
THEMES = ("light", "dark", "contrast")


class Camera(NamedTuple):
    """Where pictures go, and of which kinds there is one for each state."""

    application: QApplication
    folder: Path
    themes: tuple[str, ...]
    sizes: tuple[QSize, ...]
    scales: tuple[int, ...]

    def take(self, window: MainWindow, name: str, shown: QWidget | None = None) -> None:
        """Photograph the window, or something that it shows, in every theme, size and scale."""
        for theme in self.themes:
            window.appearance.choose(theme)
            for size in self.sizes:
                window.resize(size)
                self.settle()
                for scale in self.scales:
                    kind = f"{theme}-{size.width()}x{size.height()}@{scale}"
                    picture(shown or window, scale).save(str(self.folder / f"{name}-{kind}.png"))

    def settle(self, seconds: float = 0.3) -> None:
        """Let the window draw what it has to."""
        self.wait(until(seconds), "a moment")

    def wait(self, done: Callable[[], object], what: str) -> None:
        """Let the window live until something has come true."""
        end = time.monotonic() + PATIENCE
        while not done():
            if time.monotonic() > end:
                raise TimeoutError(what)
            self.application.processEvents()
            time.sleep(0.01)


def until(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


def picture(widget: QWidget, scale: int) -> QImage:
    """The widget as a screen of that scale shows it."""
    image = QImage(widget.size() * scale, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    QWidget.render(widget, image)
    return image


def photograph(
    camera: Camera, window: MainWindow, dataset: Path | None, study: Path | None
) -> None:
    """All states, in the order in which a user comes to them."""
    camera.wait(lambda: window.workbench and window.workbench.views.plots, "the plots")
    camera.take(window, "1-empty")
    fill(camera, window, dataset)
    camera.take(window, "2-filled")
    run(camera, window)
    sweep(camera, window)
    look_at_results(camera, window)
    if study is not None:
        look_at_study(camera, window, study)
    go_wrong(camera, window)


def fill(camera: Camera, window: MainWindow, dataset: Path | None) -> None:
    window.workbench.show_page("question")
    if dataset is None:
        window.workbench.setup.dataset.make_sample()
    else:
        window.workbench.setup.dataset.choose(dataset)
    camera.wait(lambda: window.workbench.setup.dataset.look, "the dataset")
    set_rows(window, threads=2)


def set_rows(window: MainWindow, **values: float) -> None:
    for row in window.workbench.setup.form.rows():
        if row.kind.name in values:
            row.control.set_value(values[row.kind.name])
            row.control.changed.emit()


def run(camera: Camera, window: MainWindow) -> None:
    window.workbench.run.start()
    camera.wait(
        lambda: "–" not in list(window.workbench.views.tiles.texts().values())[:1],
        "the first trial",
    )
    camera.settle(5)
    camera.take(window, "3-running")
    window.workbench.run.cancel()
    camera.wait(lambda: not window.busy, "the end")


def sweep(camera: Camera, window: MainWindow) -> None:
    setup = window.workbench.setup
    sweep_threads(setup)
    setup.effort.choose(setup.effort.effort._replace(budget=SWEPT))
    window.workbench.run.start()
    camera.wait(lambda: window.workbench.measuring.watch.share > 0.6, "more than half")
    camera.take(window, "4-sweep")
    camera.wait(lambda: not window.busy, "the end of the sweep")


def look_at_results(camera: Camera, window: MainWindow) -> None:
    views = window.workbench.views
    camera.settle(1)
    tabs = {"5-answer": views.answer_page, "6-inside": views.inside, "7-compare": views.comparison}
    for name, view in tabs.items():
        views.setCurrentWidget(view)
        if view is views.comparison:
            select_two(window)
            camera.settle(2)
        camera.take(window, name)


def select_two(window: MainWindow) -> None:
    table = window.workbench.results.view
    flags = QItemSelectionModel.SelectionFlag
    for row in (0, 1):
        chosen = table.model().index(row, 0)
        table.selectionModel().select(chosen, flags.Select | flags.Rows)


def go_wrong(camera: Camera, window: MainWindow) -> None:
    window.workbench.setup.choose_study("")
    boxes = window.workbench.setup.findChildren(NumberBox)
    box = next(each for each in boxes if each.accessibleName() == "Threads")
    box.setText("many")
    box.textEdited.emit("many")
    window.workbench.setup.dataset.choose(Path("/nowhere"))
    camera.settle(1)
    camera.take(window, "9-error")
    dialog = CrashDialog(
        "Traceback (most recent call last):\n  …\nRuntimeError: an example", window
    )
    dialog.show()
    camera.take(window, "10-crash", dialog)
    dialog.close()


def look_at_study(camera: Camera, window: MainWindow, session: Path) -> None:
    """Open a session whose last run repeats a study, and show its claims."""
    views = window.workbench.views
    window.workbench.sessions.open(session)
    camera.wait(lambda: views.study and views.study.claims.model().rowCount(), "the study")
    views.setCurrentWidget(views.study)
    camera.settle(1)
    camera.take(window, "8-study")


def main() -> None:
    parser = argparse.ArgumentParser(description="Photograph the window.")
    parser.add_argument("pictures", type=Path)
    parser.add_argument("--dataset", type=Path)
    parser.add_argument("--themes", default=",".join(THEMES))
    parser.add_argument("--sizes", default="1024x700,1600x1000")
    parser.add_argument("--scales", default="1,2")
    parser.add_argument("--language", default="en", help="such as de")
    parser.add_argument("--study", type=Path, help="session with a study to show")
    wanted = parser.parse_args()
    wanted.pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SLUICE_SESSIONS"] = folder
        application = QApplication([])
        application.setStyle("Fusion")
        application.setFont(window_font())
        speak(application, QLocale(wanted.language))
        camera = Camera(
            application,
            wanted.pictures,
            tuple(wanted.themes.split(",")),
            tuple(QSize(*map(int, size.split("x"))) for size in wanted.sizes.split(",")),
            tuple(map(int, wanted.scales.split(","))),
        )
        settings = QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat)
        window = MainWindow(settings, application)
        window.show()
        photograph(camera, window, wanted.dataset, wanted.study)
        window.close()
        camera.wait(lambda: not window.busy, "the window's end")


if __name__ == "__main__":
    main()
