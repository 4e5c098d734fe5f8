"""The line that says how far a run is."""

from __future__ import annotations

import building
import pytest
from pytestqt.qtbot import QtBot

from app.views.running_trial import CurrentFigures, PhaseStrip
from core import Event, RunProgress
from core.execution.events import Decided, RunPlanned
from core.trial.trial_events import MomentTaken, RoundBegun, TrialEnded, TrialStarted

pytestmark = pytest.mark.window

SPECS = [building.spec(threads=threads) for threads in (1, 2, 4)]


def test_that_the_line_says_how_many_settings_are_open(qtbot: QtBot) -> None:
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


def test_that_the_figures_are_those_of_one_setting_at_a_time_and_name_it(qtbot: QtBot) -> None:
    figures = CurrentFigures()
    qtbot.addWidget(figures)
    slow, fast = (
        building.trial(SPECS[at], index=at, rate=rate).moments
        for at, rate in enumerate((1000.0, 5000.0))
    )
    watch = RunProgress()

    def take(*events: Event) -> None:
        for event in events:
            watch.take(event)
            figures.show_newest(watch)

    take(RunPlanned(plan=building.plan(SPECS[:2]), trials=2, seconds=9.0))
    take(*(TrialStarted(index=at, block=0, of=2, spec=SPECS[at]) for at in (0, 1)))
    for place in (1, 2):
        take(MomentTaken(index=0, moment=slow[place]), MomentTaken(index=1, moment=fast[place]))
    assert figures.name == "threads 1"
    slower = figures.texts()["Throughput"]
    take(TrialEnded(trial=building.trial(SPECS[0], index=0)))
    assert figures.texts()["Throughput"] == slower
    for place in (3, 4):
        take(MomentTaken(index=1, moment=fast[place]))
    assert figures.name == "threads 2"
    assert figures.texts()["Throughput"] != slower
    figures.clear()
    assert figures.name == ""
    assert set(figures.texts().values()) == {"–"}
