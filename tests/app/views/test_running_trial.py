"""The line that says how far a run is."""

from __future__ import annotations

import building
import pytest
from pytestqt.qtbot import QtBot

from app.views.running_trial import PhaseStrip
from core import RunProgress
from core.execution.events import Decided, RunPlanned
from core.trial.trial_events import RoundBegun, TrialStarted

pytestmark = pytest.mark.window

SPECS = [building.spec(threads=threads) for threads in (1, 2, 4)]


def test_that_the_line_says_how_many_settings_are_decided(qtbot: QtBot) -> None:
    strip = PhaseStrip()
    qtbot.addWidget(strip)
    watch = RunProgress()
    for event in (
        RunPlanned(plan=building.plan(SPECS, repeats=2), trials=6, seconds=9.0),
        *(TrialStarted(index=at, block=0, of=6, spec=spec) for at, spec in enumerate(SPECS)),
        RoundBegun(number=0, left=30, trials=(0, 1, 2)),
    ):
        watch.take(event)
    strip.show_watch(watch)
    assert strip.text() == "measuring: round 1 of 30 · trial 1 of 6 · 3 settings in turns"
    watch.take(Decided(specs=(SPECS[2].digest,)))
    strip.show_watch(watch)
    assert strip.text().endswith(" · 3 settings in turns · 2 of 3 settings still open")
