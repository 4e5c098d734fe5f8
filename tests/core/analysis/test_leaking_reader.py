"""A real trial of a reader that leaks."""

from __future__ import annotations

import re
from pathlib import Path

import building
from one_trial import one_trial

from core.analysis.within_trials import doubts_within
from core.catalog.load import Load
from core.catalog.registry import open_dataset
from core.plan.spec import RunSpec


def test_that_a_reader_that_keeps_its_files_open_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(b"some data")
    spec = RunSpec(
        workload="rigged_bottlenecks:LeakingReader",
        version=1,
        parameters={"note": ""},
        load=Load(duration=3.0, warm_up=0.1),
        dataset=open_dataset(tmp_path / "data"),
    )
    doubt, *_ = doubts_within(building.result(spec, [one_trial(spec)]))
    assert re.search(r"Open files grow by \d+ a second", doubt.text)
