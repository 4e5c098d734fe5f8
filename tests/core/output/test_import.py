"""What comes back from files that Sluice or another program wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import building
import pytest

from core.errors import UsageError
from core.output.export import export
from core.output.import_ import Imported, read

pytestmark = pytest.mark.quick


def read_text(tmp_path: Path, content: str | bytes) -> Any:
    path = tmp_path / "x.json"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read(path)


def test_that_our_own_export_comes_back_as_results(tmp_path: Path) -> None:
    results = (building.good(building.spec(threads=2), 1 / 3, 500.0), *building.invalid())
    export(results, tmp_path / "x.json")
    assert read(tmp_path / "x.json") == results


def test_that_hyperfine_1_comes_back_as_runs_per_second(tmp_path: Path) -> None:
    told = {
        "results": [
            {
                "command": "sleep 0.5",
                "mean": 0.5,
                "stddev": None,
                "median": 0.5,
                "user": 0.0,
                "system": 0.0,
                "min": 0.25,
                "max": 0.5,
                "times": [0.5, 0.25],
                "exit_codes": [0, 0],
                "parameters": {"n": "1"},
            }
        ]
    }
    assert read_text(tmp_path, json.dumps(told)) == (
        Imported(
            label="sleep 0.5",
            unit="run",
            values=(2.0, 4.0),
            source="hyperfine 1",
            parameters={"n": "1"},
        ),
    )


def test_that_hyperfine_2_comes_back_as_runs_per_second(tmp_path: Path) -> None:
    def measured(seconds: float) -> dict[str, Any]:
        return {"time_wall_clock": {"value": seconds, "unit": "second"}, "exit_code": 0}

    entry = {"command": "sleep 1", "name": "one", "measurements": [measured(0.5), measured(1.0)]}
    told = {"schema_version": 2, "primary_metric": "time_wall_clock", "results": [entry]}
    assert read_text(tmp_path, json.dumps(told)) == (
        Imported(label="one", unit="run", values=(2.0, 1.0), source="hyperfine 2"),
    )


@pytest.mark.parametrize(
    ("entry", "ending"),
    [
        ({"times": [1.0, 2.0], "exit_codes": [0, 1]}, "1 of 2 runs did not exit with 0"),
        ({"times": [1.0], "exit_codes": [None]}, "1 of 1 runs did not exit with 0"),
        ({"times": []}, "no single times were exported"),
        ({"times": [0.0]}, "a time is not above 0"),
    ],
)
def test_that_a_failed_command_has_no_throughput(
    tmp_path: Path, entry: dict[str, Any], ending: str
) -> None:
    (found,) = read_text(tmp_path, json.dumps({"results": [{"command": "x"} | entry]}))
    assert (found.values, found.ending) == ((), ending)


def test_that_our_hyperfine_export_comes_back_with_its_endings(tmp_path: Path) -> None:
    results = (building.good(building.spec(threads=2), 400.0, 500.0), *building.invalid())
    export(results, tmp_path / "x.hyperfine.json")
    found = read(tmp_path / "x.hyperfine.json")
    assert all(isinstance(one, Imported) for one in found)
    good, bad, *_ = (one for one in found if isinstance(one, Imported))
    assert good.values == pytest.approx((400.0, 500.0))
    assert (bad.values, bad.ending) == ((), "wrong data in 12: 3 of 5 bases differ, 9,000 errors")


def fio_job(name: str, iops: float, error: int = 0, group: int = 0) -> dict[str, Any]:
    idle = {"total_ios": 0, "iops": 0.0, "bw_bytes": 0}
    return {
        "jobname": name,
        "groupid": group,
        "error": error,
        "read": {"total_ios": 10, "iops": iops, "bw_bytes": int(iops * 4096)},
        "write": idle,
        "trim": idle,
    }


def test_that_fio_comes_back_as_operations_and_bytes_per_second(tmp_path: Path) -> None:
    told = {
        "fio version": "fio-3.33",
        "jobs": [
            fio_job("random", 1000.0),
            fio_job("random", 500.0),
            fio_job("random", 7.0, group=1),
        ],
    }
    content = "note: both iodepth >= 1 and synchronous I/O engine are selected\n" + json.dumps(told)
    found = read_text(tmp_path, content)
    assert [(one.label, one.unit, one.values) for one in found] == [
        ("random · read", "operation", (1500.0,)),
        ("random · read", "byte", (1500.0 * 4096,)),
        ("random · read", "operation", (7.0,)),
        ("random · read", "byte", (7.0 * 4096,)),
    ]
    assert {one.source for one in found} == {"fio-3.33"}


def test_that_a_failed_fio_job_has_no_throughput(tmp_path: Path) -> None:
    told = {"fio version": "fio-3.33", "jobs": [fio_job("r", 1000.0), fio_job("r", 9.0, error=5)]}
    for one in read_text(tmp_path, json.dumps(told)):
        assert (one.values, one.ending) == ((), "ended with error 5")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "cannot be imported"),
        ("hello", "cannot be imported"),
        ("[1, 2]", "cannot be imported"),
        ("{}", "is no JSON export of Sluice, hyperfine or fio"),
        ('{"results": 5}', "cannot be imported"),
        ('{"results": [{"command": "x", "times": ["a"]}]}', "cannot be imported"),
        ('{"jobs": [{}]}', "cannot be imported"),
        ('{"format": "other"}', "the format 'other' is not known"),
        (
            '{"format": "sluice-results", "version": 99}',
            "version 99, and this Sluice knows up to 2",
        ),
        ('{"format": "sluice-results", "version": 1}', "cannot be imported"),
        (b'{"\xff": 1}', "cannot be imported"),
        ("[" * 100_000, "cannot be imported"),
        ('{"results": ' * 100_000, "cannot be imported"),
    ],
)
def test_that_what_cannot_be_imported_is_told_in_one_line(
    tmp_path: Path, content: str | bytes, words: str
) -> None:
    with pytest.raises(UsageError, match=words) as raised:
        read_text(tmp_path, content)
    assert "\n" not in str(raised.value)


def test_that_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read(tmp_path / "nowhere.json")
