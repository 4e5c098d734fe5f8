"""Actions on the visible plots: read their data, copy it, write pictures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from PySide6.QtCore import QObject, QPoint, QThreadPool
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from app.style import dialogs
from app.style.menus import Menu
from app.work.question import Question

if TYPE_CHECKING:
    from app.plots.base.figure import Data, Figure
    from app.views.tabs import RunViews
    from app.work.held_session import HeldSession

type Picture = Literal["png", "svg"]


class PlotActions(QObject):
    """Actions on the plots of the visible tab, in a menu beside the tabs."""

    def __init__(self, views: RunViews, held: HeldSession, pool: QThreadPool) -> None:
        super().__init__(views)
        self._views = views
        self._held = held
        self._copying = Question(pool, self)
        self._copying.answered.connect(lambda text: QGuiApplication.clipboard().setText(text))
        copied = self.tr("Copied")
        self._copying.answered.connect(lambda _: held.done.emit(copied))
        self.button = QPushButton(f"{self.tr('Plot')} ▾")
        self.button.setToolTip(self.tr("Data and pictures of the plots (Ctrl+D: data)"))
        self.button.setProperty("part", "plain")
        menu = self._menu(self.button)
        menu.actions()[0].setShortcut("Ctrl+D")
        self.button.setMenu(menu)
        views.setCornerWidget(self.button)
        views.currentChanged.connect(self._refresh)
        views.menu_wanted.connect(self._offer)
        self._refresh()

    @property
    def figures(self) -> tuple[Figure, ...]:
        return self._views.figures()

    def _refresh(self) -> None:
        self.button.setEnabled(bool(self.figures))

    def _menu(self, parent: QPushButton | RunViews, figure: Figure | None = None) -> QMenu:
        menu = Menu(parent)
        chosen = (figure,) if figure else None
        menu.addAction(self.tr("Show the &data…"), partial(self.show_data, chosen))
        menu.addAction(self.tr("Copy the &summary"), partial(self.copy_summary, chosen))
        menu.addSeparator()
        menu.addAction(self.tr("Export as &PNG…"), partial(self.choose_export, "png", figure))
        menu.addAction(self.tr("Export as S&VG…"), partial(self.choose_export, "svg", figure))
        return menu

    def _offer(self, figure: Figure | None, where: QPoint) -> None:
        menu = self._menu(self._views, figure)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(where)

    def show_data(self, figures: Sequence[Figure] | None = None) -> None:
        """Open the data of some plots, or of all visible ones."""
        from app.plots.base.figure import DataDialog

        if chosen := figures or self.figures:
            dialog = DataDialog(chosen, self._views)
            dialog.copy_wanted.connect(self.copy_data)
            dialog.open()

    def copy_summary(self, figures: Sequence[Figure] | None = None) -> None:
        text = "\n".join(figure.summary() for figure in figures or self.figures)
        QGuiApplication.clipboard().setText(text)

    def copy_data(self, data: Data) -> None:
        """Put the data of a plot on the clipboard as CSV; a long history takes a moment."""

        def text(_: object) -> str:
            from core import csv_text  # on the pool's thread

            return csv_text(data.plain_titles, map(data.plain_row, range(len(data))))

        self._copying.ask(text)

    def choose_export(self, form: Picture, figure: Figure | None = None) -> None:
        """Ask for a path, and write a picture of one plot or of all visible ones."""
        if not self.figures:
            return
        title = self.tr("Export the plot as {}").format(form.upper())
        stem = f"{self._held.stem} {self._chosen(figure).title.lower().replace('/', ' ')}"
        if (path := dialogs.place_for(self._views, title, stem, f".{form}")) is not None:
            self.export(form, path, figure)

    def export(self, form: Picture, path: Path, figure: Figure | None = None) -> None:
        """Write a picture of one plot or of all visible ones."""
        from app.plots.base.figure import png, svg

        subject = self._chosen(figure)
        drawn = png(subject.widget) if form == "png" else svg(subject.widget, subject.title)
        self._held.write(path, drawn)

    def _chosen(self, figure: Figure | None) -> Figure | _VisiblePlots:
        """The subject of a picture: one plot, or all visible ones together."""
        figures = self.figures
        if figure is not None or len(figures) == 1:
            return figure or figures[0]
        return _VisiblePlots(self._views.currentWidget(), self._views.title())


class _VisiblePlots(NamedTuple):
    widget: QWidget
    title: str
