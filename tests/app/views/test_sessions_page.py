"""Every run in one list: found, opened, compared, thrown away."""

from __future__ import annotations

from pathlib import Path

import building
import pytest
from kept_sessions import kept
from pytestqt.qtbot import QtBot

from app.shell.window import MainWindow
from app.shell.workbench import Workbench
from app.views.sessions_page import SessionsPage
from core import Session, report_to_nobody, sessions_folder
from core.desk import Listed
from core.run.recording import _alone_at

pytestmark = pytest.mark.window


@pytest.fixture
def browser(qtbot: QtBot, workbench: Workbench) -> SessionsPage:
    """Open, before there is any session."""
    workbench.show_page("sessions")
    shown = workbench.sessions.browser
    assert shown is not None
    looked(qtbot, shown)
    return shown


def looked(qtbot: QtBot, browser: SessionsPage) -> list[str]:
    """The names that are listed when the folder has been looked at once more."""
    with qtbot.waitSignal(browser.listed):
        browser.look()
    return [one.name for one in browser.shown()]


def answers(browser: SessionsPage) -> list[str]:
    return [browser.list.answers[one][0].text for one in browser.list.runs]


def choose(browser: SessionsPage, name: str) -> None:
    (run,) = [one for one in browser.list.runs if one.name == name]
    browser.list.setCurrentItem(browser.list.item_of(run))


def test_that_sessions_come_with_their_answers_and_are_found_by_them(
    qtbot: QtBot, workbench: Workbench, browser: SessionsPage
) -> None:
    kept("one", "The old disk", rate=100.0)
    kept("two", "The new disk", rate=987.0)
    assert sorted(looked(qtbot, browser)) == ["The new disk", "The old disk"]
    qtbot.waitUntil(lambda: browser.list.answers.keys() >= {*browser.list.runs})
    assert any("987" in answer for answer in answers(browser)), answers(browser)
    browser.search.setText("987")
    assert [one.name for one in browser.shown()] == ["The new disk"]
    browser.search.setText("OLD disk")
    assert [one.name for one in browser.shown()] == ["The old disk"]
    browser.search.setText("no such words")
    assert browser.shown() == []
    assert not any(button.isEnabled() for button in browser.buttons.values())


def test_that_every_run_is_a_row_and_is_found_by_machine_work_and_day(
    qtbot: QtBot, browser: SessionsPage
) -> None:
    path = kept("one")
    with Session.open(path) as session:
        spec = building.spec(workload="raw", parameters={"block": 8192})
        plan = building.plan((spec,), title="larger blocks")
        again = session.begin_run(plan, building.environment(cpu_model="Z80"), {}, ("sluice",))
        session.append(again, building.trial(spec, rate=5.0))
        session.end_run(again, "completed")
    assert looked(qtbot, browser) == ["one", "one"]
    for words in ("z80", "larger"):
        browser.search.setText(words)
        assert [one.run for one in browser.shown()] == [again]
    browser.search.setText("")
    assert len(browser.shown()) == 2


def test_that_two_selected_runs_are_compared_the_older_first(
    qtbot: QtBot, workbench: Workbench, browser: SessionsPage
) -> None:
    kept("slow", rate=100.0)
    kept("fast", rate=200.0)
    looked(qtbot, browser)
    choose(browser, "slow")
    assert not browser.buttons["compare"].isEnabled()
    browser.list.selectAll()
    assert not browser.buttons["open"].isEnabled()
    browser.buttons["compare"].click()
    views = workbench.views
    assert views.currentWidget() is views.comparison
    qtbot.waitUntil(lambda: "1.99" in views.comparison.text() or "2.0" in views.comparison.text())


def test_that_the_chosen_session_is_opened(
    qtbot: QtBot, workbench: Workbench, browser: SessionsPage
) -> None:
    path = kept("one")
    looked(qtbot, browser)
    choose(browser, "one")
    browser.buttons["open"].click()
    qtbot.waitUntil(lambda: workbench.held.place == path)


def test_that_a_removed_session_lies_in_the_wastebasket(
    qtbot: QtBot,
    workbench: Workbench,
    browser: SessionsPage,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data-home"))
    path = kept("one")
    kept("two")
    looked(qtbot, browser)
    choose(browser, "one")
    browser.remove_selected()
    qtbot.waitUntil(lambda: [one.name for one in browser.shown()] == ["two"])
    assert not path.exists()
    basket = tmp_path / "data-home" / "Trash" / "files"
    assert [file.name for file in basket.iterdir()] == [path.name]


def test_that_without_a_wastebasket_a_session_stays_and_what_to_do_is_said(
    qtbot: QtBot, browser: SessionsPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    path = kept("one")
    looked(qtbot, browser)
    choose(browser, "one")
    browser.remove_selected()
    qtbot.waitUntil(lambda: "delete the file by hand" in browser.said())
    assert f"{path} cannot be moved to the wastebasket" in browser.said()
    assert path.exists()


def test_that_recent_sessions_are_opened_from_the_menu(
    qtbot: QtBot, window: MainWindow, workbench: Workbench
) -> None:
    menus = [one.menu() for menu in window.menus.whole.actions() for one in menu.menu().actions()]
    (recent,) = [menu for menu in menus if menu is not None and "recent" in menu.title()]
    recent.aboutToShow.emit()
    (none,) = recent.actions()
    assert not none.isEnabled()
    paths = [kept("one"), kept("fast & slow")]
    for path in paths:
        with qtbot.waitSignal(workbench.measuring.summed_up):
            workbench.sessions.open(path)
    workbench.show_page("start")
    runs = workbench.start.runs
    qtbot.waitUntil(lambda: len(runs.runs) == len(runs.answers) == len(paths))
    recent.aboutToShow.emit()
    newest, oldest = recent.actions()
    assert newest.text().startswith("fast && slow – ")
    assert oldest.text().startswith("one – ")
    oldest.trigger()
    qtbot.waitUntil(lambda: workbench.held.place == paths[0])


def test_that_what_is_open_or_measured_or_damaged_is_told(
    qtbot: QtBot, workbench: Workbench, browser: SessionsPage
) -> None:
    path = kept("open")
    with qtbot.waitSignal(workbench.measuring.summed_up):
        workbench.sessions.open(path)
    broken = sessions_folder() / "broken.sluice"
    broken.write_bytes(b"no session at all")
    looked(qtbot, browser)
    choose(browser, "open")
    assert browser.buttons["open"].isEnabled()
    assert not browser.buttons["remove"].isEnabled()
    browser.remove_selected()
    assert path.exists()
    choose(browser, "broken")
    assert "not a" in browser.list.currentItem().toolTip()  # type: ignore[union-attr]
    assert browser.buttons["remove"].isEnabled()


def test_that_a_session_that_is_being_measured_stays_where_it_is(
    qtbot: QtBot, browser: SessionsPage
) -> None:
    path = kept("one", how="")
    looked(qtbot, browser)
    choose(browser, "one")
    with Session.read(path) as session, _alone_at(session, session.runs()[-1].id):
        browser.remove_selected()
        qtbot.waitUntil(lambda: "being measured right now" in browser.said())
    assert path.exists()
    (one,) = Listed.in_folder(path.parent, report_to_nobody)
    one.require_idle()  # a run that was killed holds nothing any more
