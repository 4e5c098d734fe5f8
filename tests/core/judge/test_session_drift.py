"""What earlier sessions tell of drift, and which of them are no past of what is compared."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import building
import msgspec
import pytest

from core.judge import past_of
from core.measure import sessions_folder
from core.run import Session, earlier_results
from core.vocabulary import Environment, Result

past = partial(past_of, earlier_results)
STEADY = (1000.0, 1010.0, 990.0)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SLUICE_SESSIONS", str(tmp_path))
    sessions_folder().mkdir()
    return sessions_folder()


def at(day: int, rates: Sequence[float] = STEADY, **load: Any) -> Result:
    """A result that was measured on some day."""
    found = building.good(building.spec(**load), *rates)
    trials = [
        msgspec.structs.replace(one, started=one.started + 86_400.0 * day) for one in found.trials
    ]
    return msgspec.structs.replace(found, trials=tuple(trials))


def kept(path: Path, *results: Result, environment: Environment | None = None) -> Path:
    """A session with each of these results as a run."""
    with Session.create(path) as session:
        for result in results:
            plan = building.plan([result.spec], repeats=len(result.trials))
            run = session.begin_run(plan, environment or building.environment(), {}, ["sluice"])
            for trial in result.trials:
                session.append(run, trial)
            session.end_run(run, "completed")
    return path


def sessions(past: Sequence[Sequence[Sequence[float]]]) -> list[int]:
    """How many sessions of each thing there are."""
    return [len(kind) for kind in past]


def test_that_every_earlier_run_of_either_setting_is_past(folder: Path) -> None:
    kept(folder / "a.sluice", at(1), at(2), at(3, threads=4))
    kept(folder / "b.sluice", at(4))
    found = past(at(8), at(9, threads=4), "throughput")
    assert sorted(sessions(found)) == [1, 3]
    assert {len(logs) for kind in found for logs in kind} == {3}


def test_that_the_two_results_themselves_are_no_past(folder: Path) -> None:
    kept(folder / "a.sluice", at(1), at(2), at(3))
    assert sessions(past(at(1), at(2), "throughput")) == [1]


def test_that_another_machine_other_versions_and_wrong_data_are_no_past_of_it(folder: Path) -> None:
    updated = at(3)
    trials = [msgspec.structs.replace(one, versions={"pysam": "0.24"}) for one in updated.trials]
    kept(folder / "a.sluice", at(1), msgspec.structs.replace(updated, trials=tuple(trials)))
    kept(folder / "b.sluice", at(2), environment=building.environment(machine_id="other"))
    kept(folder / "c.sluice", at(4), environment=building.environment(affinity_cores=2))
    of = building.spec()
    kept(folder / "d.sluice", building.result(of, [building.trial(of, started=1.0, wrong=2)]))
    assert sorted(sessions(past(at(8), at(9), "throughput"))) == [1, 1]


def test_that_what_cannot_be_read_is_left_out(folder: Path) -> None:
    whole = kept(folder / "a.sluice", at(1)).read_bytes()
    (folder / "b.sluice").write_bytes(whole[: len(whole) // 2])
    (folder / "c.sluice").write_text("no session")
    (folder / "d.sluice").mkdir()
    assert sessions(past(at(8), at(9), "throughput")) == [1]


def test_that_no_folder_is_no_past(folder: Path) -> None:
    folder.rmdir()
    assert past(at(8), at(9), "throughput") == ()


def test_that_sessions_elsewhere_are_looked_through_where_they_are_named(
    folder: Path, tmp_path: Path
) -> None:
    elsewhere = kept(tmp_path / "mine.sluice", at(1), at(2))
    kept(folder / "a.sluice", at(3))
    named = partial(earlier_results, sessions=[elsewhere, elsewhere, folder / "a.sluice"])
    assert sessions(past_of(named, at(8), at(9), "throughput")) == [3]
