"""Whole trials of tiles: placed, measured, audited, swept, and advised about."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from driving import need_drivers
from hostile_server import hostile, refusal
from lab_servers import CACHE, behind_proxy
from patience import PATIENCE
from store_conformance import Site, trial

from core.lab.lab_client import throw_away_lab
from core.measure import Cancel, leftovers
from core.run.task import task_of_plan
from core.tell.cli import main
from core.vocabulary import (
    Cause,
    Completed,
    Failed,
    Plan,
    TrialEnded,
    build,
    describe,
    open_dataset,
    specify,
)
from workloads.tiles.stores import BY_NAME
from workloads.tiles.tile_parameters import TileParameters
from workloads.tiles.tiles_workload import TilesOfImagery

TILES = 18


@pytest.mark.parametrize("processes", [1, 2])
def test_that_a_request_is_read_whole_from_a_layer_that_the_engine_has_placed(
    folder: Path, cache: Path, processes: int
) -> None:
    done = trial(folder, processes=processes)
    assert done.outcome == Completed()
    assert done.operations == 24
    (layer,) = (cache / "tiles").iterdir()
    assert len(list(layer.iterdir())) == TILES + 1


@pytest.mark.parametrize("processes", [1, 2])
def test_that_what_is_written_is_audited_and_gone_afterwards(
    folder: Path, cache: Path, processes: int
) -> None:
    done = trial(folder, direction="write", processes=processes)
    assert done.outcome == Completed()
    assert list((cache / "tiles").iterdir()) == []
    assert leftovers() == ()


def test_that_one_damaged_tile_leaves_no_completed_trial(folder: Path, cache: Path) -> None:
    assert trial(folder).outcome == Completed()
    (layer,) = (cache / "tiles").iterdir()
    tile = next(file for file in sorted(layer.iterdir()) if file.name != "manifest")
    damaged = bytearray(tile.read_bytes())
    damaged[len(damaged) // 2] ^= 0xFF
    tile.write_bytes(damaged)
    done = trial(folder, depth="fetch")
    assert done.wrong == 1
    assert "other content than was written" in str(done.complaints)


def test_that_what_s3_refuses_ends_the_trial_in_its_words_with_what_to_do(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_drivers("tiles", store="s3", address="s3://tiles")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "access-of-the-chain")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret-of-the-chain")
    with hostile() as server:
        said = "The difference between the request time and the server's time is too large."
        server.answers.append(refusal(403, "RequestTimeTooSkewed", said))
        done = trial(folder, store="s3", address=server.address("s3"))
    assert isinstance(done.outcome, Failed)
    assert said.rstrip(".") in describe(done.outcome)
    assert "set this machine's clock" in describe(done.outcome)


@pytest.mark.parametrize("direction", ["read", "write"])
def test_that_settings_take_turns_with_one_client_each_and_a_layer_of_their_own(
    folder: Path, cache: Path, tmp_path: Path, direction: str
) -> None:
    dataset = open_dataset(folder)
    specs = tuple(
        specify("tiles", dataset, {"direction": direction, "threads": threads, "duration": 0.4})
        for threads in (1, 2)
    )
    plan = Plan(title="two", specs=specs, repeats=1, turns="auto")
    events = list(task_of_plan(plan).carry_out(Cancel()))
    trials = [one.trial for one in events if isinstance(one, TrialEnded)]
    assert [one.outcome for one in trials] == [Completed(), Completed()]
    assert all(len(one.turns) > 1 and not one.wrong and not one.apart for one in trials)
    assert len(list((cache / "tiles").iterdir())) == (direction == "read")


def test_that_a_request_that_is_a_job_of_spark_s_takes_no_turns() -> None:
    tiles = TilesOfImagery()
    assert tiles.takes_turns(build(TileParameters, {"reader": "collection"}))
    assert not tiles.takes_turns(build(TileParameters, {"reader": "rdd"}))


@pytest.mark.lab("s3")
def test_that_requests_and_refusals_are_counted_as_the_servers_themselves_count_them(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_drivers("tiles", store="s3", address="s3://tiles")
    monkeypatch.setenv("SLUICE_LAB", str(tmp_path / "lab"))
    options = {"s3": {"access_log": True}, "proxy": {"of": "s3", "rate": 100.0, "burst": 5}}
    with throw_away_lab(tmp_path / "lab") as lab:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SLUICE_CACHE", CACHE)
            lab.prepare(["s3", "proxy"])
            list(lab.start(["s3", "proxy"], options=options, deadline=PATIENCE))
        before = {one.name: one.counted for one in lab.servers()}
        values = {
            "store": "s3",
            "address": next(one.address for one in lab.servers() if one.name == "proxy"),
            **(BY_NAME["s3"].login or {}),
            "threads": 4,
            "duration": 0.4,
            "warm_up": 0.1,
            "backoff_base": 0.01,
            "attempts": 100,
        }
        dataset = open_dataset(folder)
        clients = [one for one in ("boto3", "s3fs", "obstore") if find_spec(one)]
        specs = [
            specify("tiles", dataset, values | {"direction": way, "client": client})
            for way in ("read", "write")
            for client in clients
        ]
        plan = Plan(title="counted", specs=tuple(specs), repeats=1, turns="auto")
        events = list(task_of_plan(plan).carry_out(Cancel()))
        after = {one.name: one.counted for one in lab.servers()}
    trials = [one.trial for one in events if isinstance(one, TrialEnded)]
    assert [one.outcome for one in trials] == [Completed()] * len(specs)
    requests, refused = (
        sum(one.counters[name] for one in trials) for name in ("requests in all", "refused in all")
    )
    assert refused > 0
    assert requests == after["proxy"]["requests"] - before["proxy"]["requests"]
    assert refused == after["proxy"]["503"] - before["proxy"]["503"]
    assert requests - refused == after["s3"]["requests"] - before["s3"]["requests"]
    clocked = sum(one.counters["requests"] for one in trials)
    assert 0 < clocked < requests
    carried = sum(one.counters["wire bytes"] for one in trials)
    assert 0 < carried < after["proxy"]["bytes down"] - before["proxy"]["bytes down"]


BRIEF = ("--duration", "500ms", "--warm-up", "100ms", "--no-floor")


@pytest.mark.slow
@pytest.mark.lab("s3")
def test_that_without_a_limit_of_the_server_s_the_client_is_said_to_be_the_limit(
    layer_folder: Path, s3_site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    need_drivers("tiles", store="s3", address="s3://tiles")
    keys = [f"--{name.replace('_', '-')}={value}" for name, value in s3_site.parameters.items()]
    given = ["--dataset", str(layer_folder), "--session", str(tmp_path / "tuned.sluice"), *keys]
    with behind_proxy(tmp_path / "proxy", s3_site.address, latency=0.005) as address:
        place = ["--store=s3", f"--address={address}"]
        assert (
            main(
                [
                    "measure",
                    "tiles",
                    "threads=1,4,16",
                    "--repeats=3",
                    *place,
                    *given,
                    *BRIEF,
                    "--json",
                ]
            )
            == 0
        )
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (found,) = [one["diagnosis"] for one in events if one["type"] == "diagnosed"]
    # One thread of Python's at a time keeps a core busy, whichever of the two is seen of it.
    assert found["cause"] in (Cause.GIL.value, Cause.CPU.value), found
    # Where it is seen that other programs had the cores, that is what there is to say first.
    crowded = any("other programs took" in one for one in found["evidence"])
    wanted = "machine is quiet" if crowded else "more cores"
    assert "processes" in found["advice"] or wanted in found["advice"], found
