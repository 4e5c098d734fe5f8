"""The machine's noise is part of every trial: kept, tabulated, exported and reported."""

from __future__ import annotations

import io
from pathlib import Path

import building
import msgspec
import pytest

from core.host.machine_noise import MachineNoise
from core.output.exchange import format_named
from core.output.exchange.json_format import parse_json
from core.output.exchange.trial_tables import columns_of
from core.output.report import report_tables
from core.result.result import Trial
from core.session import Session
from core.tables.result_tables import tabulate_trials

pytestmark = pytest.mark.quick

SPEC = building.spec()
NOISE = MachineNoise(seconds=2.0, cores=4, others=2.0, steal=0.4, throttles=3, load_before=1.5)
NOISY = building.trial(SPEC, noise=NOISE)
OLDER = building.trial(SPEC, index=1)
RESULT = building.result(SPEC, [NOISY, OLDER])


def test_that_a_session_keeps_the_noise_and_reads_trials_from_before_it(tmp_path: Path) -> None:
    with Session.create(tmp_path / "a.sluice") as session:
        run = session.begin_run(building.plan([SPEC], repeats=2), building.environment(), {}, [])
        session.append(run, NOISY)
        session.append(run, OLDER)
        assert [trial.noise for trial in session.trials(run)] == [NOISE, None]
    body = msgspec.json.decode(msgspec.json.encode(OLDER))
    del body["noise"]
    assert msgspec.convert(body, Trial).noise is None


def test_that_the_table_of_trials_has_the_share_of_others() -> None:
    cells = tabulate_trials([RESULT]).column("others")
    assert [cell.value for cell in cells] == [0.25, None]
    assert cells[0].text.startswith("25")


def test_that_rows_of_an_export_have_all_of_the_noise() -> None:
    noisy, older = (
        {column.name: column.value(RESULT, trial) for column in columns_of([RESULT])}
        for trial in RESULT.trials
    )
    assert noisy["others_share"] == 0.25
    assert noisy["steal_share"] == pytest.approx(0.05)
    assert noisy["throttles"] == 3
    assert noisy["load_before"] == 1.5
    assert noisy["throttled_share"] is noisy["overheated"] is older["others_share"] is None


def test_that_an_export_as_json_gives_the_noise_back() -> None:
    stream = io.BytesIO()
    format_named("json").export([RESULT], stream)
    assert [one.noise for one in parse_json(stream.getvalue())[0].trials] == [NOISE, None]


def test_that_a_report_has_the_share_of_others_of_each_trial() -> None:
    grid = report_tables.trials_grid([RESULT], {SPEC.digest: "it"})
    place = grid.titles.index("Others")
    assert [row[place] for row in grid.rows] == ["25 %", "–"]
    assert place in grid.right
    assert grid.titles.index("Ending") not in grid.right
