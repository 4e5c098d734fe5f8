"""What comes back from files that Sluice or another program wrote."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import building
import pytest

from core.language import UsageError
from core.tell.cli import main
from core.tell.exchange import format_named
from core.tell.exchange.imported import Imported, read

pytestmark = pytest.mark.quick


def read_text(tmp_path: Path, content: str | bytes) -> Any:
    path = tmp_path / "x.json"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read(path)


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
    ("codes", "values", "ending"),
    [
        ([0, 1, 0], (1.0, 0.25), "1 of 3 runs did not exit with 0, and are left out"),
        ([1, None, 1], (1.0, 0.5, 0.25), "3 of 3 runs did not exit with 0"),
    ],
)
def test_that_times_of_runs_whose_exit_codes_were_ignored_are_told(
    tmp_path: Path,
    codes: list[int | None],
    values: tuple[float, ...],
    ending: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    entry = {"command": "x", "times": [1.0, 2.0, 4.0], "exit_codes": codes}
    (found,) = read_text(tmp_path, json.dumps({"results": [entry]}))
    assert (found.values, found.ending) == (values, ending)
    assert found.comparable is (0 in codes)
    assert main(["import", str(tmp_path / "x.json")]) == 0
    assert ending in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("entry", "ending"),
    [
        ({"times": []}, "no single times were exported"),
        ({"times": [0.0]}, "a time is not above 0 (measure with --shell=none)"),
    ],
)
def test_that_a_failed_command_has_no_throughput(
    tmp_path: Path, entry: dict[str, Any], ending: str
) -> None:
    (found,) = read_text(tmp_path, json.dumps({"results": [{"command": "x"} | entry]}))
    assert (found.values, found.ending) == ((), ending)


def test_that_our_hyperfine_export_comes_back_with_its_endings(tmp_path: Path) -> None:
    results = (building.good(building.spec(threads=2), 400.0, 500.0), *building.invalid())
    format_named("hyperfine").export(results, tmp_path / "x.hyperfine.json")
    found = read(tmp_path / "x.hyperfine.json")
    assert all(isinstance(one, Imported) for one in found)
    good, bad, *_ = (one for one in found if isinstance(one, Imported))
    assert good.values == pytest.approx((400.0, 500.0))
    assert (bad.values, bad.ending) == ((), "wrong data in 12: 3 of 5 bases differ, 9,000 failed")


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


@pytest.mark.parametrize(
    ("told", "options", "size"),
    [
        ({"io_bytes": 60_000, "bw_bytes": 6_000_000}, {}, "6000"),
        ({"io_bytes": 59_000, "bw_bytes": 5_900_000}, {"bs": "6000"}, "6000"),
        ({"io_bytes": 600_000, "bw_bytes": 60_000_000}, {"bs": "60000"}, "60000"),
        ({"bw_bytes": 60_000_000}, {"blocksize": "60000"}, "60000"),
        ({"bw": 3999}, {}, "4096"),
        ({"bw": 3999}, {"bs": "4k"}, "4096"),
        ({"io_bytes": 59_000, "bw_bytes": 5_900_000}, {"bsrange": "1k-8k"}, None),
    ],
)
def test_that_fio_s_blocks_have_the_size_that_they_had(
    tmp_path: Path, told: dict[str, Any], options: dict[str, str], size: str | None
) -> None:
    read_side = {"total_ios": 10, "iops": 1000.0} | told
    job = {"jobname": "odd", "job options": options, "read": read_side}
    found = read_text(tmp_path, json.dumps({"jobs": [job]}))
    assert found[0].parameters.get("block_size") == size


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
        assert (one.values, one.ending) == ((), "ended with error 5 (Input/output error)")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "cannot be imported"),
        ("hello", "cannot be imported"),
        ("[1, 2]", "cannot be imported"),
        ("{}", "is no JSON export of Sluice, hyperfine or fio"),
        ('{"results": 5}', "cannot be imported"),
        ('{"results": [{"command": "x", "times": ["a"]}]}', "cannot be imported"),
        ('{"results": [{"command": 3}]}', "cannot be imported"),
        ('{"jobs": [{}]}', "cannot be imported"),
        ('{"format": "other"}', "the format 'other' is not known"),
        (
            '{"format": "sluice-results", "version": 99}',
            "version 99, and this Sluice knows up to 3",
        ),
        ('{"format": "sluice-results", "version": 2}', "version 2, from before Sluice 1.0"),
        ('{"format": "sluice-results", "version": 3}', "cannot be imported"),
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


def fio_file(*jobs: dict[str, Any], **more: Any) -> str:
    return json.dumps({"fio version": "fio-3.33", "jobs": list(jobs), **more}, indent=2)


def run_of(milliseconds: int, at: int) -> str:
    """A document about a job that has run for so long, written at so many milliseconds."""
    job = fio_job("a", 100.0)
    job["read"] |= {"total_ios": milliseconds // 10, "runtime": milliseconds}
    return fio_file(job, timestamp_ms=at)


@pytest.mark.parametrize(
    ("before", "behind"),
    [("fio-3.33\nStarting 1 process\n", ""), ("", "\na: (groupid=0): err= 0:\n  read: IOPS=9\n")],
)
def test_that_the_report_beside_fios_json_is_passed_over(
    tmp_path: Path, before: str, behind: str
) -> None:
    found = read_text(tmp_path, before + fio_file(fio_job("a", 1000.0)) + behind)
    assert [one.values for one in found] == [(1000.0,), (1000.0 * 4096,)]


@pytest.mark.parametrize(
    ("seconds", "starts", "whole"),
    [((1, 4), (5_000, 5_000), 4), ((2, 2), (5_000, 7_000), 4), ((1, 4), (0, 0), 4)],
)
def test_that_clones_of_fio_count_over_the_time_from_the_first_start_to_the_last_end(
    tmp_path: Path, seconds: Sequence[int], starts: Sequence[int], whole: int
) -> None:
    """As in the line that fio has for their group; a sum of their rates was never reached."""
    jobs = []
    for took, start in zip(seconds, starts, strict=True):
        job = fio_job("a", 1000.0)
        job["read"] |= {"runtime": 1000 * took, "total_ios": 1000 * took}
        jobs.append(job | ({"job_start": start} if start else {}))
    operations, volume = read_text(tmp_path, fio_file(*jobs))
    assert operations.values == (1000.0 * sum(seconds) / whole,)
    assert volume.values == (4096_000.0 * sum(seconds) / whole,)


def test_that_of_the_documents_of_one_fio_run_the_last_counts(tmp_path: Path) -> None:
    intervals = [run_of(180, 1_000), run_of(1180, 2_000), run_of(2001, 2_830)]
    found = read_text(tmp_path, "\n".join(intervals))
    assert [len(one.values) for one in found] == [1, 1]


def test_that_fio_runs_in_one_file_are_repetitions(tmp_path: Path) -> None:
    runs = [run_of(1000, 1_000), run_of(1001, 2_040), run_of(1002, 3_080)]
    found = read_text(tmp_path, "".join(runs))
    assert [len(one.values) for one in found] == [3, 3]


def test_that_one_failed_fio_run_of_several_is_told(tmp_path: Path) -> None:
    (one,) = read_text(
        tmp_path, fio_file(fio_job("a", 10.0)) + fio_file(fio_job("a", 10.0, error=28))
    )
    told = "1 of 2 runs ended with error 28 (No space left on device)"
    assert (one.values, one.ending) == ((), told)


def test_that_fio_jobs_without_figures_say_why(tmp_path: Path) -> None:
    idle = fio_job("idle", 0.0)
    idle["read"] = idle["write"]
    brief = fio_job("brief", 0.0)
    found = read_text(tmp_path, fio_file(idle, brief))
    assert [(one.label, one.values, one.ending) for one in found] == [
        ("brief · read", (), "too short for a rate"),
        ("idle", (), "no operation was done"),
    ]


def test_that_fio_operations_reported_together_come_back(tmp_path: Path) -> None:
    job = fio_job("a", 1000.0)
    job = {"jobname": "a", "mixed": job["read"], "job options": {"rw": "randrw"}}
    (operations, _) = read_text(tmp_path, fio_file(job))
    assert (operations.label, operations.values) == ("a · mixed", (1000.0,))
    assert not operations.reads


def test_that_fio_2_comes_back_in_bytes_and_seconds(tmp_path: Path) -> None:
    side = {
        "io_bytes": 4096,
        "bw": 4000,
        "iops": 1000,
        "runtime": 1024,
        "clat": {"percentile": {"50.000000": 12, "99.000000": 250, "0.00": 0}},
        "total_ios": 1024,
    }
    job = {"jobname": "a", "groupid": 0, "error": 0, "read": side}
    told = json.dumps({"fio version": "fio-2.2.10", "jobs": [job]})
    operations, volume = read_text(tmp_path, told)
    assert volume.values == (4000 * 1024.0,)
    assert operations.latencies == pytest.approx({"p50": 12e-6, "p99": 250e-6})


def test_that_latencies_of_fio_come_in_where_enough_operations_tell(tmp_path: Path) -> None:
    first, second = fio_job("a", 100.0), fio_job("a", 100.0)
    told = {"50.000000": 1000, "99.000000": 2000, "99.900000": 3000}
    first["read"] |= {"clat_ns": {"N": 5000, "percentile": told}}
    second["read"] |= {"clat_ns": {"N": 5000, "percentile": told | {"99.000000": 9000}}}
    operations, _ = read_text(tmp_path, fio_file(first, second))
    assert operations.latencies == pytest.approx({"p50": 1e-6, "p99": 9e-6})


def test_that_jobs_of_fio_servers_are_told_apart(tmp_path: Path) -> None:
    stats = [fio_job("a", 10.0) | {"hostname": host, "port": 8765} for host in ("one", "two")]
    stats.append(fio_job("All clients", 20.0))
    told = {
        "fio version": "fio-3.33",
        "global options": [
            {"hostname": "one", "port": 8765, "rw": "randread", "numjobs": "4"},
            {"hostname": "two", "port": 8765, "rw": "read"},
        ],
        "client_stats": stats,
    }
    found = [one for one in read_text(tmp_path, json.dumps(told)) if one.unit == "operation"]
    assert [(one.label, one.values) for one in found] == [
        ("All clients · read", (20.0,)),
        ("one · a · read", (10.0,)),
        ("two · a · read", (10.0,)),
    ]
    assert [one.parameters["threads"] for one in found] == ["1", "4", "1"]
    assert [one.parameters["access"] for one in found[1:]] == ["random", "sequential"]


def test_that_files_without_a_measurement_are_refused(tmp_path: Path) -> None:
    for content in ('{"results": []}', '{"fio version": "fio-3.33", "jobs": []}'):
        with pytest.raises(UsageError, match="has no measurement"):
            read_text(tmp_path, content)


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({"times": [0.0], "exit_codes": [2]}, "a time is not above 0"),
        ({"times": []}, "no single times were exported"),
    ],
)
def test_that_an_import_without_figures_shows_the_reason_and_no_zeros(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], entry: dict[str, Any], told: str
) -> None:
    (tmp_path / "x.json").write_text(json.dumps({"results": [{"command": "tool"} | entry]}))
    assert main(["import", str(tmp_path / "x.json")]) == 1
    shown = capsys.readouterr().out
    assert told in shown
    assert "0 " not in shown.replace(told, "")


def test_that_an_import_with_figures_shows_them_beside_their_latencies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    job = fio_job("a", 1000.0)
    job["read"] |= {"clat_ns": {"N": 5000, "percentile": {"50.000000": 94_720}}}
    (tmp_path / "x.json").write_text(fio_file(job, fio_job("b", 5.0, error=5)))
    assert main(["import", str(tmp_path / "x.json")]) == 0
    shown = capsys.readouterr().out
    assert "94.7 µs" in shown
    assert "ended with error 5 (Input/output error)" in shown
