"""A session is compared with what hyperfine has measured, also along a scan of a parameter."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import building
import pytest
from test_compare_command import session

from core.tell.cli import main
from core.vocabulary import Result, open_dataset, specify

RUN = "tool -T{threads} -{level:1..9} {dataset}"
STEADY = (0.98, 1.0, 1.02, 0.99, 1.01, 1.0, 0.985, 1.015)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "data"
    file.write_text("some")
    return file


def result(data: Path, rate: float, **values: Any) -> Result:
    """Eight trials of about so many runs a second."""
    spec = specify("command", open_dataset(data), {"run": RUN.replace("tool", "echo"), **values})
    trials = tuple(
        building.trial(
            spec, index=index, rate=factor * rate, seconds=100.0 * spec.load.threads, unit="run"
        )
        for index, factor in enumerate(STEADY)
    )
    return building.result(spec, trials)


def scan(path: Path, *entries: tuple[Mapping[str, str], Sequence[float]], **more: Any) -> str:
    """A file as hyperfine writes it; each entry has its parameters and its times."""
    found = [
        {
            "command": f"tool {' '.join(parameters.values())}".strip(),
            "mean": 1.0,
            "times": list(times),
            "exit_codes": [0] * len(times),
            **({"parameters": parameters} if parameters else {}),
            **more,
        }
        for parameters, times in entries
    ]
    path.write_text(json.dumps({"results": found}))
    return str(path)


def times(seconds: float) -> list[float]:
    return [seconds * factor for factor in STEADY]


def test_that_a_scan_of_threads_is_the_baseline_of_a_sweep(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = session(
        tmp_path / "a.sluice",
        *(result(data, rate, threads=threads) for threads, rate in ((1, 10.0), (2, 40.0))),
    )
    theirs = scan(
        tmp_path / "h.json",
        *(({"threads": str(threads)}, times(0.1 / threads)) for threads in (1, 2, 4)),
    )
    assert main(["compare", theirs, ours]) in (0, 4)
    told = capsys.readouterr()
    first, second = told.out.splitlines()
    assert "1 thread" in first
    assert "tool 1 (hyperfine 1)" in first
    assert re.match(r"2 threads is faster than tool 2 \(hyperfine 1\): 2\.0\d× ", second)
    assert "The machine and the data of hyperfine 1 are not known." in second
    assert "1 of A have no counterpart" in told.err


@pytest.mark.parametrize(("load", "said"), [(0.1, False), (20.0, True)])
def test_that_it_is_said_if_the_machine_was_busy_here(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], load: float, said: bool
) -> None:
    ours = session(tmp_path / "a.sluice", result(data, 5.0), load=load)
    theirs = scan(tmp_path / "h.json", ({}, times(0.1)))
    assert main(["compare", theirs, ours]) == 3
    assert ("load 20.0, cores 8. Wait until" in capsys.readouterr().out) == said


def test_that_one_command_without_parameters_is_compared_with_one_result(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = session(tmp_path / "a.sluice", result(data, 5.0))
    theirs = scan(tmp_path / "h.json", ({}, times(0.1)))
    assert main(["compare", theirs, ours, "--json"]) == 3
    (verdict,) = json.loads(capsys.readouterr().out)["verdicts"]
    assert verdict["kind"] == "slower"
    assert verdict["ratio"] == pytest.approx(0.5, rel=0.02)


def test_that_a_parameter_of_another_name_is_told(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = session(tmp_path / "a.sluice", result(data, 5.0))
    theirs = scan(tmp_path / "h.json", ({"T": "1"}, times(1)), ({"T": "2"}, times(1)))
    assert main(["compare", theirs, ours]) == 2
    told = capsys.readouterr().err
    assert "hyperfine 1 varies T, which is no parameter here (name it as the placeholder" in told
    assert "threads" in told


def test_that_it_is_asked_which_of_several_is_meant(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = session(
        tmp_path / "a.sluice",
        *(result(data, 5.0, threads=n, values=f"level={m}") for n in (1, 2) for m in (1, 3)),
    )
    theirs = scan(tmp_path / "h.json", *(({"threads": n}, times(0.2)) for n in "12"))
    assert main(["compare", theirs, ours]) == 2
    told = capsys.readouterr().err
    assert "2 results here could be meant by tool 1 (say which, such as #level=1)" in told
    assert main(["compare", theirs, f"{ours}#level=3"]) in (0, 4)
    assert "2 of" not in capsys.readouterr().err


def test_that_a_command_that_failed_is_no_baseline(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = session(tmp_path / "a.sluice", result(data, 5.0))
    theirs = scan(tmp_path / "h.json", ({}, [0.1, 0.2]), exit_codes=[3, 3])
    assert main(["compare", theirs, ours]) == 4
    told = capsys.readouterr().out
    assert "The baseline has no values: 2 of 2 runs did not exit with 0." in told


def test_that_runs_that_failed_are_left_out_of_a_baseline_which_says_so(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = session(tmp_path / "a.sluice", result(data, 10.0))
    some = [9.0, 9.0, *times(0.2)]
    codes = [3, 3, *[0] * len(times(0.2))]
    theirs = scan(tmp_path / "h.json", ({}, some), exit_codes=codes)
    assert main(["compare", theirs, ours]) == 0
    told = capsys.readouterr().out
    assert "2.00×" in told
    assert f"2 of {len(some)} runs did not exit with 0, and are left out" in " ".join(told.split())


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--again"], "--again cannot repeat what another program measured"),
        (["--metric", "p99"], "another program's results have only a throughput"),
        (["--repeats", "3"], "--repeats belongs to --again"),
    ],
)
def test_that_options_without_meaning_are_refused(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], told: str
) -> None:
    ours = session(tmp_path / "a.sluice", result(data, 5.0))
    theirs = scan(tmp_path / "h.json", ({}, times(0.1)))
    assert main(["compare", theirs, ours, *options]) == 2
    assert told in capsys.readouterr().err


def test_that_a_file_without_a_measurement_is_told(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = session(tmp_path / "a.sluice", result(data, 5.0))
    assert main(["compare", scan(tmp_path / "h.json"), ours]) == 2
    assert "has no measurement" in capsys.readouterr().err


def test_that_the_baseline_comes_first(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = session(tmp_path / "a.sluice", result(data, 5.0))
    theirs = scan(tmp_path / "h.json", ({}, times(0.1)))
    assert main(["compare", ours, theirs]) == 2
    assert "is no session: results of another program can only be A" in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("hyperfine") is None, reason="hyperfine is not installed")
def test_that_a_real_scan_of_hyperfine_is_read(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs = tmp_path / "h.json"
    command = ["hyperfine", "--shell=none", "--runs", "3", "--export-json", str(theirs)]
    command += ["--parameter-scan", "threads", "1", "2", "sleep 0.0{threads}"]
    subprocess.run(command, check=True, capture_output=True)
    ours = session(
        tmp_path / "a.sluice",
        *(result(data, 100.0 / threads, threads=threads) for threads in (1, 2)),
    )
    assert main(["compare", str(theirs), ours]) in (0, 3, 4)
    told = capsys.readouterr().out
    assert "sleep 0.01 (hyperfine 1)" in told
    assert "sleep 0.02 (hyperfine 1)" in told


def of_fio(path: Path, *, block: int, rate: float, rw: str = "randread", **options: str) -> str:
    side = {"total_ios": 1000, "iops": rate, "bw_bytes": rate * block, "runtime": 1000}
    direction = "write" if "write" in rw else "read"
    job = {"jobname": "a", direction: side, "job options": {"rw": rw, **options}}
    path.write_text(json.dumps({"fio version": "fio-3.33", "jobs": [job]}) * 5)
    return str(path)


def blocks(data: Path, rate: float, **values: Any) -> Result:
    values = {"block_size": 4096, "access": "random"} | values
    spec = specify("raw", open_dataset(data), values)
    trials = tuple(
        building.trial(spec, index=index, rate=factor * rate, seconds=100.0, unit="block")
        for index, factor in enumerate(STEADY)
    )
    return building.result(spec, trials)


@pytest.mark.parametrize(
    ("asked", "code", "told"),
    [
        ({"block": 4096, "rw": "randread", "invalidate": "0"}, 3, "B is slower than a · read"),
        ({"block": 4096, "rw": "randread"}, 3, "Fio-3.33 read from storage, not out of the page"),
        ({"block": 4096, "rw": "read"}, 3, "Fio-3.33 measured with access sequential, not random"),
        ({"block": 8192, "rw": "randread"}, 4, "blocks of 8.0 KiB, the candidate of 4.0 KiB"),
        ({"block": 4096, "rw": "randwrite"}, 4, "The baseline writes, the candidate reads"),
        ({"block": 4096, "rw": "randread", "bsrange": "1k-7k"}, 4, "blocks of several sizes"),
    ],
)
def test_that_operations_of_fio_are_compared_with_blocks_of_their_size(
    data: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    asked: dict[str, Any],
    code: int,
    told: str,
) -> None:
    theirs = of_fio(tmp_path / "f.json", rate=1000.0, **asked)
    ours = session(tmp_path / "a.sluice", blocks(data, 500.0))
    assert main(["compare", theirs, ours]) == code
    assert told in capsys.readouterr().out


def test_that_reads_in_flight_of_fio_are_compared_with_as_many_of_ours(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = {"ioengine": "io_uring", "iodepth": "10", "direct": "1"}
    theirs = of_fio(tmp_path / "f.json", rate=1000.0, block=4096, **asked)
    ours = session(
        tmp_path / "a.sluice",
        *(blocks(data, 50.0 * depth, direct=True, queue_depth=depth) for depth in (1, 10, 16)),
    )
    assert main(["compare", theirs, ours]) == 3
    told = capsys.readouterr().out
    assert "B is slower than a · read (fio-3.33): 0.500×" in told
    assert "measured with" not in told
    assert "not out of the page cache" not in told
