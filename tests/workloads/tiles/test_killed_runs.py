"""kill -9 of real runs, of their children and of a server: nothing is left in any store.

`tests/benchmarks/bench_kills.py` does the same fifty times and with all stores.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import fuzzing
import pytest
from driving import need_drivers
from killable_stores import VARIABLES, VICTIMS, WITHOUT_SERVER, in_files, target_of
from killing import PARENT, Killing, Target, draw_kills
from patience import PATIENCE
from store_conformance import Site

from core.lab.keeper_messages import Started
from core.lab.lab_client import Lab, throw_away_lab

KILLS = {"file": WITHOUT_SERVER, "s3": VICTIMS[::-1], "cassandra": (PARENT,)}
"""The suite's other tests need the Cassandra that they share."""
COUNT = 6
LONG_BEFORE_ITS_END = ("loading", "preparing")
"""Phases of a trial that writes, after which its sweep is further away than any kill comes late."""


@pytest.fixture(scope="module")
def own_s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A lab with a server that may be killed."""
    with throw_away_lab(tmp_path_factory.mktemp("own")) as lab:
        lab.prepare(["s3"])
        answers = list(lab.start(["s3"], deadline=PATIENCE))
        assert any(isinstance(one, Started) for one in answers), answers
        yield lab


@pytest.fixture
def targets(
    own_s3: Lab,
    servers: Lab,
    cassandra_site: Site,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[dict[str, Target]]:
    for name in VARIABLES:  # so that they are gone afterwards
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path / "state"))
    (s3,) = own_s3.servers()
    (cassandra,) = (one for one in servers.servers() if one.name == "cassandra")
    found = {
        "file": in_files(tmp_path / "tiles"),
        "s3": target_of(s3, own_s3.place.folder, kill_server=True),
        "cassandra": target_of(cassandra, servers.place.folder, kill_server=False),
    }
    with ExitStack() as held:
        for one in found.values():
            if one.server is not None:
                held.callback(one.server.end)
        yield found


@pytest.mark.fuzz
@pytest.mark.lab("s3", "cassandra")
def test_that_nothing_is_left_of_runs_that_were_killed_or_whose_server_was(
    targets: dict[str, Target], layer_folder: Path, tmp_path: Path
) -> None:
    for name in targets:
        need_drivers("tiles", store=name, address="/somewhere")
    folder = tmp_path / "killing"
    folder.mkdir()
    killing = Killing(folder, layer_folder, tmp_path / "state")
    kills = draw_kills(KILLS, fuzzing.rounds(COUNT), fuzzing.drawn(7))
    done = [killing.run(kill, targets[kill.store]) for kill in kills]
    assert [str(one) for one in done if one.left] == []
    for one in done:
        if one.hit and one.kill.victim == PARENT and one.kill.phase in LONG_BEFORE_ITS_END:
            assert one.listed == 1, str(one)
    assert any(one.listed for one in done)
