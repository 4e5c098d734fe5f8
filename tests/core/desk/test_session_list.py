"""The runs of a folder's sessions, listed and put into one table."""

from __future__ import annotations

from pathlib import Path

import building

from core.desk import Listed, Origin
from core.language import report_to_nobody
from core.run import Session
from core.tell.run_results import RunsBeside, Shown


def written(path: Path, *rates: float, title: str = "") -> Path:
    """A session of one run with a trial of each of these rates."""
    specs = [building.spec(threads=threads) for threads in range(1, max(len(rates), 1) + 1)]
    with Session.create(path, title) as session:
        run = session.begin_run(building.plan(specs), building.environment(), {}, [])
        for at, rate in enumerate(rates):
            session.append(run, building.trial(specs[at], index=at, rate=rate))
    return path


def damaged(path: Path) -> Path:
    path.write_bytes(b"no session")
    return path


def test_that_all_runs_with_trials_count_and_what_cannot_be_read_has_its_reason(
    tmp_path: Path,
) -> None:
    one, without = written(tmp_path / "one.sluice", 100.0, 300.0), written(tmp_path / "two.sluice")
    bad = damaged(tmp_path / "bad.sluice")
    short = RunsBeside.of([one, without, bad], whole=False)
    assert (short.count, short.runs, short.table) == (1, (), None)
    assert list(short.faults) == [bad]
    assert "bad.sluice" in short.faults[bad]
    whole = RunsBeside.of([one, without, bad], whole=True)
    assert (whole.count, whole.faults) == (short.count, short.faults)
    ((origin, results),) = whole.runs
    assert origin == Origin(one, 1)
    assert [round(result.trials[0].throughput or 0) for result in results] == [100, 300]
    assert whole.table is not None
    assert len(whole.table.rows) == 2


def test_that_only_runs_with_new_trials_are_read_again(tmp_path: Path) -> None:
    still, going = written(tmp_path / "a.sluice", 1.0), written(tmp_path / "b.sluice", 2.0)
    first = RunsBeside.of([still, going], whole=True)
    with Session.open(going) as session:
        session.append(1, building.trial(building.spec(threads=1), index=1, rate=4.0))
    again = RunsBeside.of([still, going], first, whole=True)
    before, now = (dict(one.runs) for one in (first, again))
    assert now[Origin(still, 1)][0] is before[Origin(still, 1)][0]
    assert [len(one[Origin(going, 1)][0].trials) for one in (before, now)] == [1, 2]


def test_that_sessions_are_told_apart_by_as_much_of_their_path_as_it_takes(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    paths = [written(tmp_path / name, 1.0) for name in ("a.sluice", "b.sluice", "x/a.sluice")]
    table = RunsBeside.of(paths, whole=True).table
    assert table is not None
    names = [cell.text.split(" · ")[0] for cell in table.column("run")]
    assert names == [str(paths[0]), "b", str(paths[2])]
    alone = RunsBeside.of(paths[:1], whole=True).table
    assert alone is not None
    assert [cell.text.split(" · ")[0] for cell in alone.column("run")] == ["1"]


def test_that_the_newest_run_is_listed_first_and_a_bad_file_says_why(tmp_path: Path) -> None:
    for name in ("old", "new"):
        written(tmp_path / f"{name}.sluice", 1.0, title=f"the {name} one")
    bad = damaged(tmp_path / "bad.sluice")
    found = Listed.in_folder(tmp_path, report_to_nobody)
    assert [one.name for one in found if not one.fault] == ["the new one", "the old one"]
    ((path, fault),) = [(one.path, one.fault) for one in found if one.fault]
    assert path == bad
    assert "bad.sluice" in fault
    assert Listed.in_folder(tmp_path / "nowhere", report_to_nobody) == ()


def test_that_a_run_is_found_by_any_words_that_the_list_shows(tmp_path: Path) -> None:
    written(tmp_path / "night.sluice", 100.0, title="On the Train")
    (one,) = Listed.in_folder(tmp_path, report_to_nobody)
    assert one.has(["train", "night"], "")
    assert one.has(["snapshot"], "")
    assert one.has(["fastest"], "the fastest is 1")
    assert not one.has(["train", "plane"], "")
    headline, _ = Shown.answer_of(one)
    assert headline.text


def test_that_a_session_without_a_run_was_not_measured(tmp_path: Path) -> None:
    Session.create(tmp_path / "empty.sluice").close()
    (one,) = Listed.in_folder(tmp_path, report_to_nobody)
    headline, _ = Shown.answer_of(one)
    assert (one.run, headline.text) == (0, "nothing was measured")
