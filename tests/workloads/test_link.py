"""What is counted on the way to a server is what the server's own log and another proxy counted."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from driving import need_drivers, open_job, performed
from lab_servers import CACHE
from patience import PATIENCE, until

from core.lab.lab_client import Lab, throw_away_lab
from core.lab.lab_folder import ServerState
from core.language import InvalidParameter, report_to_nobody
from core.measure import make_dataset
from workloads.shared.link import LinkParameters, linked
from workloads.shared.servers import counted_on_wire
from workloads.shared.sockets import Carried, Connections
from workloads.tiles.make_layer import LayerShape
from workloads.transfer.tree_datasets import TreeShape

DIRECTLY = LinkParameters()
FAR = LinkParameters(round_trip=0.002)
KEYS = {"access_key": "lab:s3/access-key", "secret_key": "lab:s3/secret-key"}


class Peer:
    """A server that a test answers for by hand."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]

    def connected(self) -> tuple[socket.socket, socket.socket]:
        """The client's end and the server's."""
        client = socket.create_connection(("127.0.0.1", self.port))
        server, _ = self.listener.accept()
        return client, server

    def speak(self, ends: tuple[socket.socket, socket.socket], sent: int, answered: int) -> None:
        client, server = ends
        for one, other, size in ((client, server, sent), (server, client, answered)):
            one.sendall(bytes(size))
            assert len(other.recv(size, socket.MSG_WAITALL)) == size


@pytest.fixture
def peer() -> Iterator[Peer]:
    made = Peer()
    with closing(made.listener):
        yield made


linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of sockets")


@linux
def test_that_bytes_are_counted_of_open_connections_from_the_beginning_on(peer: Peer) -> None:
    before = peer.connected()
    peer.speak(before, 50, 60)
    with Connections("127.0.0.1", peer.port, alone=True) as counted:
        peer.speak(before, 5, 6)
        after = peer.connected()
        peer.speak(after, 1000, 70_000)
        assert counted.carried() == Carried(70_006, 1005, 1, 2)
        assert counted.carried() == Carried(70_006, 1005, 1, 2)
    for end in (*before, *after):
        end.close()


@linux
def test_that_what_was_closed_counts_too_seen_before_or_not(peer: Peer) -> None:
    with Connections("127.0.0.1", peer.port, alone=True) as counted:
        kept = peer.connected()
        counted.carried()
        for _ in range(3):
            ends = peer.connected()
            peer.speak(ends, 10, 20)
            for end in ends:
                end.close()
        until(lambda: counted.carried().sent == 30)
        carried = counted.carried()
        assert carried.connections == 1
        assert 60 <= carried.received <= 63  # and the kernel's number for each end
        for end in kept:
            end.close()


SPEAKER = """
import socket, sys
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as client:
    client.sendall(bytes(10))
    sys.stdin.read()
"""


@linux
def test_that_what_another_process_closes_meanwhile_is_not_counted(peer: Peer) -> None:
    asked = [sys.executable, "-c", SPEAKER, str(peer.port)]
    with subprocess.Popen(asked, stdin=subprocess.PIPE) as other:
        server, _ = peer.listener.accept()
        assert len(server.recv(10, socket.MSG_WAITALL)) == 10
        with Connections("127.0.0.1", peer.port, alone=True) as counted:
            other.communicate()
            server.close()
            mine = peer.connected()
            peer.speak(mine, 1, 2)
            for end in mine:
                end.close()
            until(lambda: counted.carried().sent > 0)
            assert counted.carried().sent == 1


@linux
def test_that_of_several_processes_none_counts_what_it_has_not_seen(peer: Peer) -> None:
    address = f"http://127.0.0.1:{peer.port}"
    with linked(address, DIRECTLY, processes=2) as link:
        kept = peer.connected()
        assert link.counted()["connections"] == 1
        for end in peer.connected():
            end.close()
        until(lambda: not link.counted())
        assert "closed unseen" in link.notes[0]
        for end in kept:
            end.close()


def test_that_a_link_of_nothing_is_the_server_itself(peer: Peer) -> None:
    for address in (
        f"http://127.0.0.1:{peer.port}/data",
        "s3://bucket/prefix",
        "https://127.0.0.1/x",
    ):
        with linked(address, DIRECTLY) as link:
            assert link.address == address


def test_that_nothing_is_put_in_front_of_an_encrypted_server() -> None:
    with pytest.raises(InvalidParameter, match="it is encrypted"), linked("https://there/x", FAR):
        pass


@pytest.mark.parametrize(
    "form", ["http://127.0.0.1:{port}/a/b.tif", "s3://bucket/a?endpoint=http://127.0.0.1:{port}"]
)
def test_that_a_proxy_s_address_has_the_form_of_the_server_s(peer: Peer, form: str) -> None:
    with linked(form.format(port=peer.port), FAR) as link:
        (port,) = {
            int(part) for part in link.address.replace("/", ":").split(":") if part.isdigit()
        }
        assert link.address == form.format(port=port)
        assert port != peer.port
        client = socket.create_connection(("127.0.0.1", port))
        server, _ = peer.listener.accept()
        peer.speak((client, server), 100, 200)
        counts = link.counted()
        client.close()
        server.close()
    assert (counts["sent bytes"], counts["wire bytes"], counts["connections"]) == (100, 200, 1)


STARTER = """
from core.lab.trial_proxy import TrialProxy
proxy = TrialProxy("127.0.0.1", 9, {"latency": 0.001})
print(proxy.port, flush=True)
input()
"""


def test_that_a_proxy_ends_with_who_started_it_however_that_dies() -> None:
    starter = subprocess.Popen(
        [sys.executable, "-c", STARTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with starter:
        assert starter.stdout is not None
        port = int(starter.stdout.readline())
        socket.create_connection(("127.0.0.1", port)).close()
        os.kill(starter.pid, signal.SIGKILL)

    def is_gone() -> bool:
        with suppress(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port)).close()
            return False
        return True

    until(is_gone)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Servers with logs, and a proxy in front of S3 that counts apart from what is tested."""
    folder = tmp_path_factory.mktemp("lab")
    files = folder / "files"
    files.mkdir()
    (files / "data").write_bytes(random.Random(1).randbytes(1 << 20))
    options: dict[str, dict[str, Any]] = {
        "s3": {"access_log": True},
        "proxy": {"of": "s3"},
        "http": {"folder": str(files), "access_log": True},
    }
    with throw_away_lab(folder) as lab, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLUICE_CACHE", CACHE)
        lab.prepare(list(options))
        list(lab.start(list(options), options=options, deadline=PATIENCE))
        patch.setenv("SLUICE_LAB", str(folder))
        yield lab


def server(lab: Lab, name: str) -> ServerState:
    return next(one for one in lab.servers() if one.name == name)


BYTES = ("wire bytes", "sent bytes")
ENDED = 8
"""Connections at most that a client has closed meanwhile."""


def so_far(lab: Lab) -> Mapping[str, float]:
    """Requests by the log of S3; bytes by the proxy in front of it."""
    counts = {one.name: one.counted for one in lab.servers()}
    of_proxy = counts["proxy"]
    return {
        "requests": counts["s3"]["requests"],
        "wire bytes": of_proxy["bytes down"],
        "sent bytes": of_proxy["bytes up"],
    }


def of_web_server(lab: Lab) -> Mapping[str, float]:
    counts = server(lab, "http").counted
    return {name: counts[name] for name in ("requests", "connections", *BYTES)}


def gain(
    look: Callable[[], Mapping[str, float]], before: Mapping[str, float], requests: float
) -> Mapping[str, float]:
    """What was counted since then, once the log has as many requests: it is written later."""
    until(lambda: look()["requests"] >= before["requests"] + requests)
    return {key: count - before[key] for key, count in look().items()}


def asked_in_all() -> float:
    return counted_on_wire()["requests in all"]


both_ways = pytest.mark.parametrize("round_trip", [0.0, 0.001], ids=["directly", "far away"])


@pytest.mark.lab("s3", "http")
@both_ways
@pytest.mark.parametrize(
    ("client", "direction"),
    [("boto3", "read"), ("s3fs", "read"), ("obstore", "read"), ("boto3", "write")],
)
def test_that_tiles_are_counted_as_the_server_s_own_log_has_them(
    lab: Lab,
    made_once: Callable[[str, object], Path],
    round_trip: float,
    client: str,
    direction: str,
) -> None:
    need_drivers("tiles", store="s3", address="s3://tiles", client=client)
    path = made_once("tile-layer", LayerShape(columns=4, rows=3, tile_size=16, holes=0.25, level=1))
    asked = {"client": client, "direction": direction}
    values = {"store": "s3", "address": server(lab, "proxy").address, **asked, **KEYS}
    open_job("tiles", path, **values).close()  # it places the layer
    log, wire = so_far(lab), asked_in_all()
    with closing(open_job("tiles", path, **values, round_trip=round_trip, threads=2)) as job:
        with job.worker(0) as steps:
            for item in job.items:
                performed(steps, item)
        counted, ours = job.link.counted(), asked_in_all() - wire
        theirs = gain(lambda: so_far(lab), log, ours)
        assert job.counters()["connections"] >= 1
    assert ours == theirs["requests"] >= len(job.items)
    assert counted.get("requests", theirs["requests"]) == theirs["requests"]
    assert {name: counted[name] for name in BYTES} == {name: theirs[name] for name in BYTES}


@pytest.mark.lab("s3", "http")
@pytest.mark.parametrize(
    ("client", "direction", "round_trip"),
    [
        ("boto3", "up", 0.0),
        ("boto3", "down", 0.0),
        ("boto3", "down", 0.001),
        ("s3fs", "up", 0.0),
        ("s3fs", "down", 0.001),
        ("obstore", "up", 0.0),
        ("obstore", "down", 0.001),
        ("s3-sync", "up", 0.001),
        pytest.param("s5cmd", "down", 0.001, marks=pytest.mark.tool("s5cmd")),
    ],
)
def test_that_transfers_are_counted_as_the_server_s_own_log_has_them(
    lab: Lab,
    made_once: Callable[[str, object], Path],
    round_trip: float,
    client: str,
    direction: str,
) -> None:
    need_drivers("transfer", client=client)
    path = made_once("file-tree", TreeShape(size=1 << 10))
    values = {"client": client, "address": server(lab, "proxy").address}
    values |= {"direction": direction, "part_size": 8 << 20, **KEYS}
    with closing(open_job("transfer", path, **values, round_trip=round_trip, threads=2)) as job:
        with job.worker(0) as steps:
            log, wire = so_far(lab), asked_in_all()
            done = performed(steps, job.items[0])
            ours = asked_in_all() - wire
            counted = job.counters()
            theirs = gain(lambda: so_far(lab), log, counted.get("requests", ours))
        assert not [*job.faults(0, done)]
    if client in ("boto3", "s3fs"):
        assert ours == theirs["requests"] > 0
    assert counted.get("requests", theirs["requests"]) == theirs["requests"] > 0
    assert counted["sent bytes"] == theirs["sent bytes"]
    # obstore closes some of its connections, and the kernel counts the end of such a one.
    assert 0 <= counted["wire bytes"] - theirs["wire bytes"] <= (0 if round_trip else ENDED)
    assert any("requests are not counted" in note for note in job.notes) is (
        client == "obstore" and not round_trip
    )


@pytest.mark.lab("s3", "http")
@pytest.mark.parametrize(
    "client", ["s3-sync", pytest.param("s5cmd", marks=pytest.mark.tool("s5cmd"))]
)
def test_that_it_is_said_what_a_program_transfers_is_not_counted_and_how_it_would_be(
    lab: Lab, made_once: Callable[[str, object], Path], client: str
) -> None:
    need_drivers("transfer", client=client)
    path = made_once("file-tree", TreeShape(size=1 << 10))
    values = {"client": client, "address": server(lab, "s3").address, "direction": "up", **KEYS}
    with closing(open_job("transfer", path, **values)) as job:
        assert job.notes == [
            f"requests and bytes are not counted: {client} is another program",
            "a proxy counts what a client does not tell, and may be slower: add --link-bandwidth 1TB",
        ]


@linux
@pytest.mark.lab("s3", "http")
@both_ways
def test_that_plain_http_is_counted_as_the_server_s_own_log_has_it(
    lab: Lab, round_trip: float
) -> None:
    log = of_web_server(lab)
    with linked(server(lab, "http").address, LinkParameters(round_trip=round_trip)) as link:
        place = urlsplit(link.address).netloc
        clients = [HTTPConnection(place, timeout=PATIENCE) for _ in range(3)]
        for number in range(30):
            client = clients[number % 3]
            client.request("GET", "/data", headers={"Range": f"bytes={number}-{70 * number}"})
            assert len(client.getresponse().read()) == 69 * number + 1
        counted = link.counted()
        for client in clients:
            client.close()
    theirs = gain(lambda: of_web_server(lab), log, 30)
    assert counted.get("requests", 30) == 30
    for name in ("connections", *BYTES):
        assert counted[name] == theirs[name]


@linux
@pytest.mark.lab("s3", "http")
@both_ways
@pytest.mark.parametrize("client", ["http", "obstore"])
def test_that_a_remote_file_is_counted_as_the_server_s_own_log_has_it(
    svfsc: None, lab: Lab, tmp_path: Path, round_trip: float, client: str
) -> None:
    need_drivers("sparse-remote", source="server", address="http://there/data", client=client)
    web = server(lab, "http")
    (tmp_path / "data").write_bytes((Path(web.options["folder"]) / "data").read_bytes())
    values = {"source": "server", "client": client, "address": f"{web.address}data"}
    log = of_web_server(lab)
    with closing(
        open_job("sparse-remote", tmp_path, **values, round_trip=round_trip, accesses=50)
    ) as job:
        with job.worker(0) as steps:
            for item in job.items:
                assert not job.check(item, performed(steps, item))
        counted, bytes_ = job.counters(), job.counts_so_far()
    theirs = gain(lambda: of_web_server(lab), log, counted["requests a pass"] + 1)
    assert theirs["requests"] == counted["requests a pass"] + 1  # and one for its size
    assert counted["connections"] <= theirs["connections"]  # those that it has not closed again
    closed = theirs["connections"] - counted["connections"]
    assert bytes_["sent bytes"] == theirs["sent bytes"]
    assert 0 <= bytes_["wire bytes"] - theirs["wire bytes"] <= closed


@pytest.fixture(scope="module")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, object], Path]:
    """A dataset of a kind and a shape, made when it is first asked for."""
    folder = tmp_path_factory.mktemp("made")

    def make(kind: str, shape: Any) -> Path:
        path = folder / kind
        if not path.exists():
            make_dataset(kind, shape, path, report_to_nobody)
        return path

    return make
