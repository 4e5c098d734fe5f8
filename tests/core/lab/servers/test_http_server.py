"""nginx as the lab starts it: what clients of plain http see, and what it counts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from patience import PATIENCE
from serving import Running

from core.lab.kits import kit_of
from core.lab.recipe import Server, Site
from core.lab.server_processes import RunningServer
from core.lab.server_table import free_ports
from core.lab.servers.http import HTTP
from core.language import UsageError, report_to_nobody
from core.measure import Supervisor

pytestmark = pytest.mark.lab("http")
of_http = pytest.mark.parametrize("server", ["http"], indirect=True)
WHOLE = bytes(range(256)) * 128


def asked(
    connection: HTTPConnection, method: str, path: str, body: bytes | None = None, span: str = ""
) -> tuple[HTTPResponse, bytes]:
    headers = {"Range": f"bytes={span}"} if span else {}
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    return answer, answer.read()


@pytest.fixture
def connection(server: Running) -> Iterator[HTTPConnection]:
    parts = urlsplit(server.server.address)
    made = HTTPConnection(str(parts.hostname), parts.port, timeout=PATIENCE)
    yield made
    made.close()


@of_http
@pytest.mark.parametrize(
    ("span", "status", "range_", "body"),
    [
        ("", 200, None, WHOLE),
        ("10-19", 206, "bytes 10-19/32768", WHOLE[10:20]),
        ("-5", 206, "bytes 32763-32767/32768", WHOLE[-5:]),
        ("32760-99999", 206, "bytes 32760-32767/32768", WHOLE[-8:]),
        ("32768-", 416, "bytes */32768", None),
    ],
)
def test_that_whole_files_and_ranges_are_served(
    connection: HTTPConnection, span: str, status: int, range_: str | None, body: bytes | None
) -> None:
    assert asked(connection, "PUT", "/layer/1", WHOLE)[0].status in (201, 204)
    answer, content = asked(connection, "GET", "/layer/1", span=span)
    assert (answer.status, answer.getheader("Content-Range")) == (status, range_)
    assert body is None or content == body


@of_http
def test_that_a_folder_is_written_listed_and_removed(connection: HTTPConnection) -> None:
    for name in ("2", "3"):
        asked(connection, "PUT", f"/folder/{name}", b"content")
    listed = json.loads(asked(connection, "GET", "/folder/")[1])
    assert {one["name"]: one["size"] for one in listed} == {"2": 7, "3": 7}
    assert asked(connection, "DELETE", "/folder/2")[0].status == 204
    assert asked(connection, "GET", "/folder/2")[0].status == 404
    assert asked(connection, "DELETE", "/folder/")[0].status == 204
    assert asked(connection, "GET", "/folder/")[0].status == 404


@of_http
def test_that_it_listens_on_loopback_alone(server: Running) -> None:
    assert set(server.listening()) == {("127.0.0.1", server.site.ports["main"])}


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[tuple[Server, Path]]:
    """A folder of somebody's, served and counted."""
    folder = tmp_path / "it's $mine"
    folder.mkdir()
    (folder / "one").write_bytes(WHOLE)
    site_folder = tmp_path / "site"
    site_folder.mkdir()
    site = Site(
        folder=site_folder,
        logs=tmp_path / "logs",
        ports=free_ports(["main"]),
        secrets={},
        options={"folder": str(folder), "access_log": True},
    )
    server = HTTP.start(kit_of(HTTP, report_to_nobody), site)
    with Supervisor() as supervisor:
        running = RunningServer(server, supervisor, site=site, secrets={}, tell_ended=lambda: None)
        try:
            running.wait_until_ready(PATIENCE, lambda: False)
            yield server, folder
        finally:
            running.stop()


def test_that_requests_bytes_and_connections_are_counted_exactly(
    shelf: tuple[Server, Path],
) -> None:
    server, _ = shelf
    assert server.status is not None
    before = server.status()
    assert before["requests"] == 0
    port, received = urlsplit(server.address).port, 0
    for _ in range(2):
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        for span in ("", "0-99", "5-5"):
            received += len(asked(connection, "GET", "/one", span=span)[1])
        connection.close()
    while (counted := server.status())["requests"] != 6:  # it writes when an answer is sent
        pass
    assert counted["connections"] == 2
    assert counted["body bytes"] == received == 2 * (len(WHOLE) + 100 + 1)
    assert float(counted["wire bytes"]) > received
    assert float(counted["sent bytes"]) > 0


def test_that_a_folder_of_somebody_s_stays_as_it_is(shelf: tuple[Server, Path]) -> None:
    server, folder = shelf
    connection = HTTPConnection("127.0.0.1", urlsplit(server.address).port, timeout=PATIENCE)
    for method, path in (("PUT", "/two"), ("DELETE", "/one")):
        assert asked(connection, method, path, b"other")[0].status == 405
    connection.close()
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == {"one": WHOLE}


def test_that_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    site = Site(
        folder=tmp_path,
        logs=tmp_path,
        ports=free_ports(["main"]),
        secrets={},
        options={"folder": str(tmp_path / "none")},
    )
    with pytest.raises(UsageError, match="no folder to serve") as raised:
        HTTP.start(kit_of(HTTP, report_to_nobody), site)
    assert raised.value.remedy
