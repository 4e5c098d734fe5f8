"""Where no server is the limit, the answer over threads says that the client is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from driving import need_drivers
from lab_servers import behind_proxy
from store_conformance import Site

from core.analysis.diagnosis import Cause
from core.cli import main

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
