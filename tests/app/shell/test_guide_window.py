"""The user guide in the window: found in Help, read, followed and searched."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSettings, Qt, QUrl
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.shell.help_windows import GuideWindow
from app.shell.window import MainWindow
from app.style.theme import THEMES, Appearance
from core import GuidePage, TimePlot

pytestmark = pytest.mark.window


def action(window: MainWindow, title: str) -> QAction:
    actions = [one for menu in window.menus.whole.actions() for one in menu.menu().actions()]
    (found,) = (one for one in actions if one.text() == title)
    return found


def test_that_help_opens_the_guide_once(qtbot: QtBot, window: MainWindow) -> None:
    guides = set()
    for _ in range(2):
        action(window, "&User guide").trigger()
        qtbot.waitUntil(window.menus.guide.isVisible)
        guides.add(window.menus.guide)
    assert len(guides) == 1


@pytest.fixture
def guide(qtbot: QtBot, qapp: QApplication, settings: QSettings) -> Iterator[GuideWindow]:
    """The guide beside an empty window."""
    parent = QWidget()
    qtbot.addWidget(parent)
    guide = GuideWindow(parent, Appearance(qapp, settings, parent))
    guide.show()
    yield guide
    guide.close()


def heading(guide: GuideWindow) -> str:
    return guide.page.document().begin().text()


def test_that_help_and_the_first_page_open_the_guide_and_only_one(
    qtbot: QtBot, window: MainWindow
) -> None:
    action(window, "&User guide").trigger()
    guide = window.menus.guide
    qtbot.waitUntil(guide.isVisible)
    assert heading(guide) == "First steps"
    guide.hide()
    buttons = window.workbench.start.findChildren(QPushButton)
    (more,) = (one for one in buttons if one.text() == "Read the user guide")
    window.workbench.show_page("start")
    qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(guide.isVisible)
    assert window.findChildren(GuideWindow) == [guide]


def test_that_every_page_can_be_chosen_and_is_shown_with_its_lists(guide: GuideWindow) -> None:
    for row, page in enumerate(GuidePage.all()):
        guide.list.setCurrentRow(row)
        assert heading(guide) == page.title == guide.list.currentItem().text()
        assert "{{" not in guide.page.toPlainText()
    guide.list.setCurrentRow(3)
    assert "lru-locked" in guide.page.toPlainText()


def test_that_pictures_of_the_guide_are_shown(guide: GuideWindow) -> None:
    places = re.findall(r"!\[[^]]*\]\(([^)]+)\)", GuidePage.all()[0].source)
    assert places
    for place in places:
        image = guide.page.loadResource(2, QUrl(place))
        assert 300 < image.width() <= 680


def test_that_a_link_leads_to_its_page_and_heading(guide: GuideWindow) -> None:
    guide.follow(QUrl("07-troubleshooting.md"))
    assert heading(guide) == "Troubleshooting"
    assert guide.page.verticalScrollBar().value() == 0
    guide.follow(QUrl("07-troubleshooting.md#sessions"))
    assert guide.page.verticalScrollBar().value() > 0
    guide.follow(QUrl("03-cannot-tell.md"))
    assert guide.page.verticalScrollBar().value() == 0


def test_that_searching_goes_on_to_the_pages_that_follow(qtbot: QtBot, guide: GuideWindow) -> None:
    guide.search.setFocus()
    qtbot.keyClicks(guide.search, "salvage")
    seen = set()
    for _ in range(20):
        qtbot.keyClick(guide.search, Qt.Key.Key_Return)
        assert guide.page.textCursor().selectedText().lower() == "salvage"
        seen.add(heading(guide))
    assert {"Troubleshooting", "Glossary"} <= seen


def test_that_words_that_are_nowhere_are_marked(qtbot: QtBot, guide: GuideWindow) -> None:
    qtbot.keyClicks(guide.search, "xyzzy")
    qtbot.keyClick(guide.search, Qt.Key.Key_Return)
    assert guide.search.property("wrong") is True
    qtbot.keyClicks(guide.search, "y")
    assert guide.search.property("wrong") is False


def test_that_links_have_the_colour_of_the_theme(
    qtbot: QtBot, qapp: QApplication, settings: QSettings
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    appearance = Appearance(qapp, settings, parent)
    guide = GuideWindow(parent, appearance)
    guide.list.setCurrentRow(1)
    for theme in THEMES:
        appearance.choose(theme.name)
        place = guide.page.document().find("What “cannot tell” means")
        assert place.charFormat().isAnchor()
        assert place.charFormat().foreground().color().name() == theme.roles["act"]


def test_that_tabs_plots_and_buttons_of_the_window_are_explained(window: MainWindow) -> None:
    views = window.workbench.views
    first, results = GuidePage.all()[0].source, GuidePage.all()[1].source
    for place in range(views.count()):
        assert f"## The tab {views.tabText(place)}\n" in results
    for quantity in TimePlot.all(["retries"]):
        assert f"- **{quantity.called}**: " in results
    texts = {one.text().strip("▶ ") for one in window.workbench.findChildren(QPushButton)}
    for pressed in re.findall(r"Press \*\*([^*]+)\*\*", first)[:2]:
        assert pressed in texts
