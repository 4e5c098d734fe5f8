"""The window over hostile sessions, and its offer to salvage a damaged one."""

from __future__ import annotations

import os
import time
from itertools import chain
from pathlib import Path

import hostile_sessions
import pytest
from hostile_sessions import ODD, UNSOUND, UNSOUND_WITHIN, mutations
from peaks import CAN_FORGET, peak, reset_peak, resident
from PySide6.QtWidgets import QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from app.shell.workbench import Workbench
from core.run import Session

pytestmark = pytest.mark.window

WANTED = int(os.environ.get("SLUICE_HOSTILE", "0"))
"""Sessions to open; 0: some of those that were thought of, and a few random ones."""
MOST_MEMORY = 300 << 20
LONGEST = 5.0


def boxes(workbench: Workbench) -> list[QMessageBox]:
    return [box for box in workbench.findChildren(QMessageBox) if box.isVisible()]


@pytest.mark.skipif(not CAN_FORGET, reason="peaks are those of Linux")
def test_that_no_hostile_session_leaves_the_window_asking_or_broken(
    qtbot: QtBot, workbench: Workbench, tmp_path: Path
) -> None:
    told: list[str] = []
    most, longest = 0, 0.0
    workbench.held.opened.connect(lambda _: told.append("opened"))
    workbench.held.damaged.connect(lambda *_: told.append("damaged"))
    workbench.held.failed.connect(lambda *_: told.append("failed"))
    crafted = list((UNSOUND | UNSOUND_WITHIN | ODD).items())
    chosen = crafted if WANTED else crafted[1::5]
    others = mutations(seed=3, count=max(WANTED - len(crafted), 4))
    for number, (_, change) in enumerate(chain(chosen, others)):
        told.clear()
        path = hostile_sessions.make(tmp_path / f"{number}.sluice", change)
        reset_peak()
        before, begun = resident(), time.process_time()
        workbench.sessions.open(path)
        qtbot.waitUntil(lambda: bool(told) and not workbench.busy)
        for place in range(workbench.views.count()):
            workbench.views.setCurrentIndex(place)
        workbench.grab()
        qtbot.waitUntil(lambda: not workbench.busy)
        for box in boxes(workbench):
            box.close()
        workbench.sessions.new()
        most, longest = max(most, peak() - before), max(longest, time.process_time() - begun)
    print(f"most memory beside the window's own {most >> 20} MiB, longest {longest:.1f} s of CPU")
    assert most <= MOST_MEMORY
    if WANTED:
        assert longest <= LONGEST


def test_that_a_damaged_session_can_be_salvaged_by_a_button(
    qtbot: QtBot, workbench: Workbench, tmp_path: Path
) -> None:
    path = tmp_path / "night.sluice"
    hostile_sessions.sound(path)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) * 9 // 10])
    with qtbot.waitSignal(workbench.held.damaged):
        workbench.sessions.open(path)
    (box,) = boxes(workbench)
    assert "night.sluice is damaged" in box.informativeText()
    assert "What can still be read can be copied into a new session." in box.informativeText()
    (salvage,) = [one for one in box.findChildren(QPushButton) if one.text() == "Salvage"]
    with qtbot.waitSignal(workbench.held.opened):
        salvage.click()
    qtbot.waitUntil(lambda: not workbench.busy)
    with Session.read(tmp_path / "night salvaged.sluice") as saved:
        assert saved.runs()
    assert path.read_bytes() == content[: len(content) * 9 // 10]


def test_that_what_never_was_a_session_is_told_and_not_offered_to_be_salvaged(
    qtbot: QtBot, workbench: Workbench, tmp_path: Path
) -> None:
    path = tmp_path / "letter.sluice"
    path.write_text("Dear reader,")
    with qtbot.waitSignal(workbench.held.failed) as failed:
        workbench.sessions.open(path)
    assert "letter.sluice is not a session" in failed.args[1]
    (box,) = boxes(workbench)
    assert "Salvage" not in [one.text() for one in box.findChildren(QPushButton)]
    box.close()
