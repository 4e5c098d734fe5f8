"""How long a run took does not depend on the clock on the wall."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import building
import hostile_sessions
import pytest

from core.cli import main
from core.session import Session

DAY = 86_400.0


def test_that_a_clock_that_is_set_back_makes_no_run_end_before_it_began(tmp_path: Path) -> None:
    def set_back() -> Iterator[float]:
        now = 1_770_000_000.0
        while True:
            yield now
            now -= DAY

    clock = set_back()
    spec = building.spec()
    with Session.create(tmp_path / "x.sluice", clock=lambda: next(clock)) as session:
        run = session.begin_run(building.plan([spec]), building.environment(), {}, ("run",))
        session.append(run, building.trial(spec))
        session.end_run(run, "completed")
        found = session.run(run)
    assert found.ended is not None
    assert found.ended >= found.started
    assert found.seconds is not None
    assert 0 <= found.seconds < DAY / 2


def test_that_a_session_of_before_shows_no_negative_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = hostile_sessions.make(
        tmp_path / "x.sluice", hostile_sessions.ODD["ended before it began"]
    )
    assert main(["show", str(path)]) == 0
    heading = next(line for line in capsys.readouterr().out.splitlines() if "run 1:" in line)
    assert re.fullmatch(r"run 1: a sweep, [0-9-]+ [0-9:]+, 4 trials, completed", heading)
    with Session.read(path) as session:
        assert session.run(1).seconds is None
