"""Cassandra: its connections, requests that wait for room, and a disk that becomes full.

The server whose disk is full is the module's own.  It refuses writes of users where it was told how
full its disk may be; else it ends.
"""

from __future__ import annotations

import dataclasses
import re
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from driving import need_drivers
from patience import PATIENCE
from serving import Running, running
from small_disk import fill, small_disk
from store_conformance import Site, new_layer, trial

from core.lab.kits import kit_of
from core.lab.recipe import Kit, Recipe, Server
from core.lab.recipe import Site as ServerSite
from core.lab.servers.cassandra import CASSANDRA, KEYSPACE, USER
from core.language import report_to_nobody
from core.vocabulary import Completed, Failed, Trial, describe
from workloads.tiles.make_layer import LayerShape, make_layer


@pytest.fixture(autouse=True)
def driver() -> None:
    need_drivers("tiles", store="cassandra", address="somewhere")


SIZE = 256 << 20
"""Bytes of the disk."""
BALLAST, MOST = bytes(50_000), 1200
"""Of which a few hundred are more than Cassandra may have, and all of them less than the disk."""
PASSWORD = "SLUICE_TEST_FULL"
GUARDED = """
data_disk_usage_percentage_warn_threshold: 1
data_disk_usage_percentage_fail_threshold: 5
"""


def guarded(kit: Kit, site: ServerSite) -> Server:
    """Cassandra that looks often how full its disk is, and refuses writes before it is full."""
    server = CASSANDRA.start(kit, site)
    with (site.folder / "cassandra.yaml").open("a") as settings:
        settings.write(GUARDED)
    (command,) = server.commands
    java, *options = command.argv
    often = "-Dcassandra.disk_usage.monitor_interval_ms=200"
    looking = dataclasses.replace(command, argv=(java, often, *options))
    return dataclasses.replace(server, commands=(looking,))


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with small_disk(tmp_path_factory.mktemp("small") / "disk", SIZE) as folder:
        yield folder


def started(recipe: Recipe, folder: Path) -> Any:
    return running(recipe, kit_of(recipe, report_to_nobody), folder)


@pytest.fixture(scope="module")
def cassandra(disk: Path) -> Iterator[Running]:
    need_drivers("tiles", store="cassandra", address="somewhere")
    with started(dataclasses.replace(CASSANDRA, start=guarded), disk) as found:
        make_user_who_is_guarded(found)
        yield found


def make_user_who_is_guarded(cassandra: Running) -> None:
    """One who is no superuser: these may fill the disk all the same."""
    from cassandra.auth import PlainTextAuthProvider
    from cassandra.cluster import Cluster

    login = PlainTextAuthProvider(USER, cassandra.server.secrets["password"])
    port = cassandra.site.ports["main"]
    with Cluster(["127.0.0.1"], port=port, auth_provider=login, protocol_version=5) as cluster:
        asking = cluster.connect()
        asking.execute("CREATE ROLE guarded WITH PASSWORD = 'guarded' AND LOGIN = true")
        asking.execute(f"GRANT ALL PERMISSIONS ON KEYSPACE {KEYSPACE} TO guarded")


def cassandra_as(cassandra: Running, user: str) -> Site:
    login = {"user": user, "password": f"env:{PASSWORD}", "timeout": PATIENCE}
    return Site("cassandra", cassandra.server.address, login)


@pytest.fixture
def guarded_site(cassandra: Running, monkeypatch: pytest.MonkeyPatch) -> Site:
    """Cassandra for a user whose writes it may refuse."""
    monkeypatch.setenv(PASSWORD, "guarded")
    return cassandra_as(cassandra, "guarded")


@pytest.fixture
def layer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path / "state"))
    return made(tmp_path / "layer", columns=6, rows=4)


def made(path: Path, columns: int, rows: int) -> Path:
    path.mkdir()
    shape = LayerShape(columns=columns, rows=rows, tile_size=16, holes=0.0, level=1)
    make_layer(shape, path, report_to_nobody)
    return path


def write_until_refused(site: Site) -> Exception:
    """What is raised once the disk is as full as it may be."""
    with site.opened("ballast") as store:
        for key in range(MOST):
            try:
                store.put(key, BALLAST)
            except store.failures as refused:
                return refused
    raise AssertionError("nothing was refused")


def said_of(done: Trial) -> list[str]:
    """What is told of a trial that could not do all it was to do."""
    if isinstance(done.outcome, Failed):
        return [describe(done.outcome)]
    assert done.outcome == Completed()
    return [one.text for one in done.complaints]


@pytest.mark.slow
@pytest.mark.lab("cassandra")
def test_that_a_cassandra_as_full_as_it_may_be_says_so_and_still_serves_what_it_has(
    guarded_site: Site, layer: Path
) -> None:
    assert trial(layer, **guarded_site.values()).valid  # it is placed there, and read
    write_until_refused(guarded_site)
    done = trial(layer, **guarded_site.values(direction="write"))
    assert done.outcome == Completed()
    assert done.errors
    assert (done.operations, done.wrong, done.throughput) == (0, 0, None)
    for told in said_of(done):
        assert re.search("disk usage exceeds", told)
        assert "make room where the store keeps its data" in told
    assert (again := trial(layer, **guarded_site.values())).valid, again.outcome


@pytest.mark.slow
@pytest.mark.lab("cassandra")
def test_that_a_cassandra_that_cannot_write_any_more_is_told_with_where_to_look(
    cassandra: Running, disk: Path, layer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PASSWORD, cassandra.server.secrets["password"])
    fill(disk, 0)
    done = trial(layer, **cassandra_as(cassandra, USER).values(direction="write", timeout=10.0))
    assert (done.valid, done.wrong) == (False, 0)
    said = said_of(done)
    assert said
    for told in said:
        assert re.search("look whether the server still runs|start the server", told), told


class Answer(NamedTuple):
    success: bool
    result_or_exc: Any


def full(times: int = 1) -> Exception:
    from cassandra.cluster import NoHostAvailable
    from cassandra.connection import ConnectionBusy

    return NoHostAvailable("full", {n: ConnectionBusy("overloaded") for n in range(times)})


def gone() -> Exception:
    from cassandra.cluster import NoHostAvailable
    from cassandra.connection import ConnectionBusy

    return NoHostAvailable("gone", {1: ConnectionBusy("overloaded"), 2: OSError("refused")})


class Client:
    """Answers with its argument once it was asked often enough; counts the pauses."""

    def __init__(self, errors: Sequence[Exception]) -> None:
        self._errors = list(errors)
        self.pauses: list[float] = []
        self.asked: list[int] = []

    def one(self) -> str:
        if self._errors:
            raise self._errors.pop(0)
        return "answer"

    def many(self, arguments: Sequence[tuple[int]]) -> list[Answer]:
        self.asked.append(len(arguments))
        return [
            Answer(False, self._errors.pop(0))
            if number % 2 and self._errors
            else Answer(True, number)
            for (number,) in arguments
        ]


def patience(client: Client, seconds: float = 60.0) -> Any:
    from workloads.tiles.stores.cassandra_patience import Patience

    return Patience(seconds, client.pauses.append)


def test_that_a_request_waits_for_room() -> None:
    from workloads.tiles.stores.cassandra_patience import one_answer

    client = Client([full(), full(2), full()])
    assert one_answer(client.one, patience(client)) == "answer"
    assert client.pauses == sorted(client.pauses)
    assert len(client.pauses) == 3


def test_that_only_those_are_asked_again_that_found_no_room_and_the_order_is_kept() -> None:
    from workloads.tiles.stores.cassandra_patience import all_answers

    client = Client([full(), full(), full(), full()])
    arguments = [(number,) for number in range(7)]
    answers = all_answers(client.many, arguments, patience(client))
    assert [answer.result_or_exc for answer in answers] == list(range(7))
    assert client.asked == [7, 3, 1]


def test_that_a_server_that_is_gone_is_told_at_once() -> None:
    from workloads.tiles.stores.cassandra_patience import all_answers, one_answer

    for error in (gone(), ValueError("other")):
        client = Client([error])
        with pytest.raises(type(error)):
            one_answer(client.one, patience(client))
        client = Client([error])
        with pytest.raises(type(error)):
            all_answers(client.many, [(0,), (1,)], patience(client))
        assert client.pauses == []


def test_that_no_request_waits_longer_than_it_may_take() -> None:
    from workloads.tiles.stores.cassandra_patience import all_answers, one_answer

    client = Client([full()] * 9)
    with pytest.raises(type(full())):
        one_answer(client.one, patience(client, 0.0))
    with pytest.raises(type(full())):
        all_answers(client.many, [(1,)], patience(client, 0.0))
    assert client.pauses == []


@pytest.mark.lab("cassandra")
def test_that_no_request_is_held_back_until_the_server_acknowledges_another(
    cassandra_site: Site,
) -> None:
    """Else a single thread waits 40 ms for each write, and threads seem to gain."""
    with cassandra_site.opened(new_layer()) as store:
        opened: Any = store
        pools = opened._session.get_pools()
        sockets = [one._socket for pool in pools for one in pool.get_connections()]
        assert sockets
        for each in sockets:
            assert each.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
