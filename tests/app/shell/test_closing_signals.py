"""Signals end a window as they end a command: what was measured is kept."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from marking import marked, still_there
from patience import PATIENCE
from window_process import OPENING, wait_for, window_of

from core import Session
from core.result.outcome import Cancelled

pytestmark = pytest.mark.window
MEASURING = (
    OPENING
    + """
from core.trial.trial_events import MomentTaken


HOUR = {"duration": [3600.0], "warm_up": [0.0]}

class Measuring(Looking):
    data, told = sys.argv.pop(), False

    def furnish(self):
        workbench = super().furnish()
        workbench.measuring.happened.connect(self.tell)
        form = {"workload": "raw", "floor": False, "repeats": 3}
        workbench.setup.restore(form | {"rows": {"rare": HOUR}, "dataset": self.data})
        return workbench

    def look(self):
        if self.workbench.ready:
            self.timer.stop()
            self.workbench.run.start()

    def tell(self, events):
        moments = [one.moment for one in events if isinstance(one, MomentTaken)]
        if not self.told and any(sum(one.operations) for one in moments):
            self.told = True
            print("measuring", flush=True)

sys.exit(main(Measuring))
"""
)
IDLE = (
    OPENING
    + """
class Idle(Looking):
    def look(self):
        self.timer.stop()
        print("there", flush=True)

sys.exit(main(Idle))
"""
)


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
    ids=["SIGINT", "SIGTERM", "SIGHUP"],
)
def test_that_a_signal_ends_a_window_that_measures_and_keeps_what_was_measured(
    number: signal.Signals, code: int, data: Path, tmp_path: Path
) -> None:
    with window_of(MEASURING, tmp_path, str(data)) as (popen, mark):
        wait_for(popen, "measuring")
        assert len(marked(mark)) > 1  # the window, and the children that it measures in
        popen.send_signal(number)
        _, errors = popen.communicate(timeout=PATIENCE)
    assert (popen.returncode, errors) == (code, "")
    assert not still_there(mark, PATIENCE)
    (path,) = (tmp_path / "sluice_sessions").rglob("*.sluice")
    with Session.read(path) as session:
        (run,) = session.runs()
        (trial,) = session.trials(run.id)
    assert run.how == "cancelled"
    assert isinstance(trial.outcome, Cancelled)
    assert trial.operations > 0


def test_that_a_signal_ends_a_window_in_which_nothing_happens(tmp_path: Path) -> None:
    with window_of(IDLE, tmp_path) as (popen, _):
        wait_for(popen, "there")
        popen.send_signal(signal.SIGTERM)
        _, errors = popen.communicate(timeout=PATIENCE)
    assert (popen.returncode, errors) == (143, "")


def test_that_under_nohup_a_terminal_that_closes_leaves_the_window_open(tmp_path: Path) -> None:
    def ignore() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    with window_of(IDLE, tmp_path, preexec_fn=ignore) as (popen, _):
        wait_for(popen, "there")
        popen.send_signal(signal.SIGHUP)
        popen.send_signal(signal.SIGTERM)
        _, errors = popen.communicate(timeout=PATIENCE)
    assert (popen.returncode, errors) == (143, "")
