"""`compare` as a pipeline sees it: what it takes, what it prints and how it exits."""

from __future__ import annotations

import re
from pathlib import Path

import building
import msgspec
import pytest

from core.language import listed
from core.run import Session
from core.tell.cli import main
from core.tell.tables.result_tables import metric_cell
from core.vocabulary import Result

STEADY = (1000.0, 1004.0, 998.0, 1002.0, 997.0, 1001.0)


def session(path: Path, *results: Result, load: float = 0.1, study: str = "") -> str:
    """A session with the trials of these results as one run."""
    specs = [result.spec for result in results]
    with Session.create(path) as opened:
        plan = building.plan(specs, repeats=len(results[0].trials), study=study)
        machine = building.environment(load_average=(load, 0.2, 0.3))
        run = opened.begin_run(plan, machine, {}, ["sluice"])
        by_spec = {result.spec.digest: iter(result.trials) for result in results}
        for slot in plan.slots():
            trial = next(by_spec[slot.spec.digest])
            opened.append(run, msgspec.structs.replace(trial, index=slot.index, block=slot.block))
        opened.end_run(run, "completed")
    return str(path)


def rated(factor: float, cache: str = "lru", threads: int = 1) -> Result:
    rates = (factor * rate for rate in STEADY)
    return building.good(building.spec(parameters={"cache": cache}, threads=threads), *rates)


@pytest.mark.parametrize(
    ("factor", "code", "word"),
    [(1.5, 0, "faster"), (1.0001, 0, "same"), (0.6, 3, "slower")],
)
def test_that_the_exit_code_gates_a_pipeline(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], factor: float, code: int, word: str
) -> None:
    before, after = session(tmp_path / "a", rated(1.0)), session(tmp_path / "b", rated(factor))
    assert main(["compare", before, after]) == code
    assert word in capsys.readouterr().out


def test_that_undecided_and_invalid_are_neither_good_nor_a_failure(tmp_path: Path) -> None:
    wild = building.good(
        building.spec(parameters={"cache": "lru"}), 500, 1500, 600, 1400, 900, 1100
    )
    wrong = rated(1.0)
    trials = [
        msgspec.structs.replace(wrong.trials[0], outcome=building.invalid()[1].trials[0].outcome)
    ]
    wrong = msgspec.structs.replace(wrong, trials=(*trials, *wrong.trials[1:]))
    steady = session(tmp_path / "a", rated(1.0))
    assert main(["compare", steady, session(tmp_path / "b", wild)]) == 4
    assert main(["compare", steady, session(tmp_path / "c", wrong)]) == 4


def test_that_parts_of_one_session_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = session(
        tmp_path / "a",
        *(rated(1.0, "none", threads) for threads in (1, 2)),
        *(rated(2.0, "lru", threads) for threads in (1, 2)),
    )
    assert main(["compare", f"{place}#cache=none", "#cache=lru"]) == 0
    assert "2 pairs: 2 faster." in capsys.readouterr().out
    assert main(["compare", f"{place}#cache=lru,threads=2", "#cache=none,threads=1"]) == 3


@pytest.mark.parametrize(
    ("metric", "shown", "unit"),
    [
        ("throughput", "throughput", "[a-z]s/s"),
        ("byte_rate", "bytes", "[kM]B/s"),
        ("p50", "p50", "[µm]s"),
        ("p999", "p99.9", "[µm]s"),
    ],
)
def test_that_beside_the_ratio_stands_what_it_is_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], metric: str, shown: str, unit: str
) -> None:
    sides = rated(1.0, "none"), rated(2.0, "lru")
    place = session(tmp_path / "a", *sides)
    main(["compare", f"{place}#cache=none", "#cache=lru", "--metric", metric])
    printed = capsys.readouterr().out.splitlines()
    (titles,) = (line for line in printed if "baseline" in line)
    row = printed[printed.index(titles) + 2]
    assert titles.count(shown) == 2
    for side in sides:
        assert metric_cell(side, metric).text in row
    assert len(re.findall(unit, row)) >= 2


def test_that_of_several_pairs_a_busy_machine_is_said_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = [
        rated(2.0 if cache == "lru" else 1.0, cache, count)
        for cache in ("none", "lru")
        for count in (1, 2)
    ]
    for load, said in ((0.1, 0), (20.0, 1)):
        place = session(tmp_path / f"{load}", *results, load=load)
        assert main(["compare", f"{place}#cache=none", "#cache=lru"]) == 0
        printed = capsys.readouterr().out
        assert printed.count("load 20.0, cores 8") == said
        assert printed.count("Wait until the machine is quiet") == said


def test_that_json_holds_the_verdicts_and_the_code(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    place = session(tmp_path / "a", rated(1.0, "none"), rated(2.0, "lru"))
    assert main(["compare", f"{place}#cache=lru", "#cache=none", "--json"]) == 3
    told = msgspec.json.decode(capsysbinary.readouterr().out)
    assert told["exit_code"] == 3
    assert told["verdicts"][0]["kind"] == "slower"
    assert "is slower than" in told["verdicts"][0]["sentence"]


@pytest.mark.parametrize(
    ("second", "told"),
    [
        ("#cache", "write name=value"),
        ("#cache=pool", "no result with cache=pool"),
        ("#colour=red", "no result has a parameter"),
        ("#run=x", "not the number of a run"),
        ("#cell=nothing", "has no cell"),
        ("nowhere.sluice", "nowhere.sluice"),
    ],
)
def test_that_a_side_that_is_nothing_is_a_usage_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], second: str, told: str
) -> None:
    place = session(tmp_path / "a", rated(1.0, "none"), rated(2.0, "lru"))
    assert main(["compare", f"{place}#cache=lru", second]) == 2
    assert told in capsys.readouterr().err


def test_that_cells_of_a_study_are_named_by_their_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = rated(1.0, "none"), rated(10.0, "lru")
    place = session(tmp_path / "study", *results, study="seqrepo-fd-cache")
    assert main(["compare", f"{place}#cell=none, 1 thread", "#cell=lru, 1 thread"]) == 0
    assert "cache LRU, no lock is faster than cache none: 10.0×" in capsys.readouterr().out


def programs(tmp_path: Path, *commands: str, **beside: str) -> str:
    """A session in which each of these programs is as much faster than the one before."""
    return session(
        tmp_path / "programs",
        *(
            building.good(
                building.spec("command", parameters={"run": run, **beside}),
                *(2**at * rate for rate in STEADY),
            )
            for at, run in enumerate(commands)
        ),
    )


@pytest.mark.parametrize(
    "second",
    [
        "gzip -1 -c {dataset}",
        "cut -f1,2 {dataset}",
        "sort -t, -k=2,x=3 {dataset}",
        "awk '#a==1' {dataset}",
        "echo " + "long " * 1000,
        '"my, program"',
    ],
)
def test_that_the_programs_of_a_sweep_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], second: str
) -> None:
    place = programs(tmp_path, "cat {dataset}", second, "true")
    quoted = listed(second)
    assert main(["compare", f"{place}#run=cat {{dataset}}", f"#run={quoted}"]) == 0
    assert main(["compare", f"{place}#run=1,run={quoted}", "#run=1,run=cat {dataset}"]) == 3
    assert "is slower than" in capsys.readouterr().out


def test_that_what_is_advised_where_two_could_be_meant_picks_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = "sort '-k1,x=2' -t,x=2 {dataset}"
    place, second = programs(tmp_path, first, "gzip -1 -c {dataset}"), "#run=gzip -1 -c {dataset}"
    assert main(["compare", f"{place}#threads=1", second]) == 2
    (advised,) = re.findall(r"such as (#.*)\)$", capsys.readouterr().err.strip())
    assert advised == f"#run={listed(first)}"
    assert main(["compare", f"{place}{advised}", second]) == 0


def test_that_a_placeholder_of_the_users_own_is_picked_though_it_is_called_cell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = session(
        tmp_path / "a",
        *(
            building.good(
                building.spec("command", parameters={"run": "look {cell}", "cell": cell}),
                *(factor * rate for rate in STEADY),
            )
            for factor, cell in ((1.0, "axon, long"), (2.0, "glia"))
        ),
    )
    assert main(["compare", f"{place}#cell=axon, long", "#cell=glia"]) == 0
    assert "cell glia is faster than cell axon, long" in capsys.readouterr().out


def test_that_where_no_pair_has_equal_parameters_those_that_differ_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = session(tmp_path / "a", rated(1.0), rated(2.0, threads=2))
    after = session(tmp_path / "b", rated(1.0, "none", 4), rated(2.0, "none"))
    assert main(["compare", before, after]) == 2
    assert "they differ in cache" in capsys.readouterr().err
