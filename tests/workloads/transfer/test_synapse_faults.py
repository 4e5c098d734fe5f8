"""A Synapse service that is busy, breaks connections or dies: right bytes, or a clear outcome."""

from __future__ import annotations

import json
import os
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from driving import need_drivers
from lab_servers import served
from marking import arguments_of
from patience import PATIENCE
from transferring import FILES, transfer, trial

from core.lab.keeper_messages import Started
from core.lab.lab_client import Lab, throw_away_lab
from core.lab.lab_folder import ServerState
from core.measure import leftovers, reveal
from core.measure.machine.lab_records import lab_credentials
from core.vocabulary import Crashed, Failed, Moment, TimedOut

pytestmark = [
    pytest.mark.lab("synapse"),
    # of functions that the client keeps until its next version
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

CLIENTS = ("synapse-sync", "synapse-walk")
UP, DOWN = "PUT /part", "GET /file"
COUNT = 8
"""Files of the small tree."""
TOKEN = "SLUICE_TEST_TOKEN"


@pytest.fixture(params=CLIENTS)
def client(request: pytest.FixtureRequest) -> str:
    need_drivers("transfer", client=request.param)
    return str(request.param)


@pytest.fixture
def some_files(tmp_path: Path) -> Path:
    root = tmp_path / "some"
    for number in range(COUNT):
        path = root / f"folder-{number % 2}" / f"file-{number}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"%d" % number * 500)
    return root


def ports_of(server: ServerState) -> Mapping[str, int]:
    """Those of the service and of the storage, as its processes were told."""
    (told, *_) = (psutil.Process(pid).cmdline()[-1] for pid in server.processes.values())
    settings = json.loads(told)
    return {"service": settings["service_port"], "storage": settings["storage_port"]}


@contextmanager
def ordered(server: ServerState, *orders: Mapping[str, object]) -> Iterator[None]:
    """These faults befall the next requests of the stand-in, and none is left afterwards."""
    ports = ports_of(server)
    of_storage = [one for one in orders if one["route"] in (UP, DOWN)]
    rest = [one for one in orders if one not in of_storage]
    _order(ports["storage"], of_storage)
    _order(ports["service"], rest)
    try:
        yield
    finally:
        for port in ports.values():
            _order(port, [])


def _order(port: int, orders: list[Mapping[str, object]]) -> None:
    headers = {"Authorization": f"Bearer {reveal('lab:synapse/token')}"}
    asked = urllib.request.Request(
        f"http://127.0.0.1:{port}/lab/faults", json.dumps(orders).encode(), headers
    )
    with urllib.request.urlopen(asked, timeout=PATIENCE):
        pass


@pytest.mark.parametrize(
    ("direction", "fault", "route"),
    [
        ("up", "throttled", "POST /file/v1/file/multipart"),
        ("up", "unavailable", "POST /repo/v1/entity"),
        ("up", "dropped", UP),
        ("up", "expired", UP),
        ("down", "throttled", "POST /file/v1/fileHandle/batch"),
        ("down", "unavailable", DOWN),
        ("down", "dropped", DOWN),
        ("down", "expired", DOWN),
    ],
)
def test_that_every_file_arrives_from_a_service_that_fails_for_a_while(
    servers: Lab,
    synapse: Mapping[str, Any],
    some_files: Path,
    client: str,
    direction: str,
    fault: str,
    route: str,
) -> None:
    asked = {**synapse, "client": client, "direction": direction}
    if direction == "down":  # the tree is placed
        transfer(some_files, **asked)
    server, order = served(servers, "synapse"), {"fault": fault, "route": route, "times": 1}
    with ExitStack() as held:  # from when all is open: our own client reads there before
        done = transfer(
            some_files,
            before=lambda: held.enter_context(ordered(server, order)),
            threads=4,
            **asked,
        )
    assert done.complaints == {}
    assert done.meter.faults == []
    assert done.meter.done_operations == COUNT
    assert done.meter.bytes == sum(path.stat().st_size for path in some_files.rglob("file-*"))
    token = reveal("lab:synapse/token")
    assert token not in str(done)


@pytest.fixture
def busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mapping[str, Any]]:
    """A stand-in of the test's own that refuses one request in twenty."""
    monkeypatch.setenv("SLUICE_LAB", str(tmp_path / "lab"))
    options = {"synapse": {"unavailable": 0.05}}
    with throw_away_lab(tmp_path / "lab") as lab:
        answers = lab.start(["synapse"], options=options, deadline=PATIENCE)
        (server,) = (one.server for one in answers if isinstance(one, Started))
        yield {"address": server.address, "token": "lab:synapse/token"}


def test_that_every_file_arrives_though_one_request_in_twenty_is_refused(
    busy: Mapping[str, Any], some_files: Path, client: str
) -> None:
    done = transfer(some_files, threads=4, **busy, client=client, direction="up")
    assert done.complaints == {}
    assert done.meter.faults == []
    assert done.meter.done_operations == COUNT
    assert done.meter.tallies["503"] >= 1


def test_that_of_a_storage_that_falls_silent_what_arrived_is_known(
    servers: Lab, synapse: Mapping[str, Any], tree: Path, client: str
) -> None:
    stall = 6.0
    asked = {**synapse, "client": client, "direction": "up"}
    while True:  # it must come as far as to the transfer, however busy the machine is
        order = {"fault": "stalled", "route": UP, "times": 1000}
        with ordered(served(servers, "synapse"), order):
            done = trial(tree, **asked, stall=stall)
        assert isinstance(done.outcome, TimedOut)
        if done.outcome.stage == "measuring" or stall > PATIENCE:
            break
        stall *= 4
    assert done.outcome.stalled
    assert not done.valid
    assert done.counters["files arrived"] == done.operations
    assert done.counters["files missing"] == FILES - done.operations > 0
    assert done.wrong == done.unverified == 0
    assert not any(secret in str(done) for secret in lab_credentials()["synapse"].values())


@pytest.fixture
def mortal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServerState]:
    """A stand-in of the test's own, which may be killed: its token is known then, too."""
    monkeypatch.setenv("SLUICE_LAB", str(tmp_path / "lab"))
    with throw_away_lab(tmp_path / "lab") as lab:
        answers = lab.start(["synapse"], deadline=PATIENCE)
        (server,) = (one.server for one in answers if isinstance(one, Started))
        monkeypatch.setenv(TOKEN, reveal("lab:synapse/token"))
        yield server


def test_that_of_a_service_that_dies_the_rest_is_never_called_done_and_nothing_is_left(
    mortal: ServerState, tree: Path
) -> None:
    need_drivers("transfer", client="synapse-sync")
    service = psutil.Process(mortal.processes["service"])  # it knows if another has the number

    def kill(moment: Moment) -> None:
        if sum(moment.operations):
            with suppress(psutil.NoSuchProcess):  # it is dead already
                service.kill()

    asked = {"address": mortal.address, "token": f"env:{TOKEN}", "client": "synapse-sync"}
    stall = 2.0
    while True:  # it must come as far as to the transfer, however busy the machine is
        done = trial(tree, kill, **asked, direction="up", threads=1, stall=stall)
        if done.operations or stall > PATIENCE:
            break
        stall *= 4
    assert isinstance(done.outcome, TimedOut | Failed), done.outcome
    assert not done.valid
    assert 0 < done.operations < FILES
    assert done.wrong == 0
    assert leftovers() == ()  # what was on a server of the lab went with it
    assert os.environ[TOKEN] not in str(done)


def test_that_of_a_killed_client_what_the_service_has_is_looked_at(
    servers: Lab, synapse: Mapping[str, Any], tree: Path, client: str
) -> None:
    def kill(moment: Moment) -> None:
        if sum(moment.operations):
            for child in psutil.Process().children():
                with suppress(psutil.NoSuchProcess):  # it is dead already
                    if "core.measure.trial.bootstrap" in arguments_of(child):
                        child.kill()

    assert served(servers, "synapse").address
    done = trial(tree, kill, **synapse, client=client, direction="up", threads=1)
    assert isinstance(done.outcome, Crashed)
    assert done.counters["files arrived"] >= done.operations > 0
    assert done.counters["files arrived"] + done.counters["files missing"] == FILES
    assert done.wrong == done.unverified == 0
    assert not done.valid
