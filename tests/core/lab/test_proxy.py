"""The proxy: late, limited and exact, and otherwise a wire."""

from __future__ import annotations

import http.client
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from patience import PATIENCE
from serving import serving

from core.lab.keeper_messages import NotStarted, Started
from core.lab.lab_client import Lab
from core.lab.lab_folder import ServerState


class Web(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.served = 0
        self.connections = 0
        self.lock = threading.Lock()

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connections += 1
        super().process_request(request, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Web

    def do_GET(self) -> None:
        self.answer(b"x" * int(self.path[1:] or 2))

    def do_PUT(self) -> None:
        self.answer(str(len(self.rfile.read(int(self.headers["Content-Length"])))).encode())

    def do_HEAD(self) -> None:
        self.answer(b"xx")

    def answer(self, body: bytes) -> None:
        with self.server.lock:
            self.server.served += 1
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def web() -> Iterator[Web]:
    with serving(Web()) as server:
        yield server


type Open = Callable[..., tuple[str, int]]


@pytest.fixture
def proxy(lab: Lab) -> Open:
    def start(port: int, **options: float) -> tuple[str, int]:
        chosen = {"proxy": {"of": f"127.0.0.1:{port}", **options}}
        answers = list(lab.start(["proxy"], options=chosen, deadline=PATIENCE))
        (state,) = (one.server for one in answers if isinstance(one, Started))
        host, found = state.address.split(":")
        return host, int(found)

    return start


def counted(lab: Lab) -> ServerState:
    (state,) = lab.servers()
    return state


def get(connection: http.client.HTTPConnection, path: str = "/", method: str = "GET") -> Any:
    connection.request(method, path)
    answer = connection.getresponse()
    return answer.status, answer.read(), answer


def test_that_bodies_of_any_size_pass_unchanged_both_ways(web: Web, proxy: Open, lab: Lab) -> None:
    connection = http.client.HTTPConnection(*proxy(web.server_port), timeout=PATIENCE)
    size = 30_000_000
    assert get(connection, f"/{size}")[1] == b"x" * size
    connection.request("PUT", "/", body=bytes(size))
    assert connection.getresponse().read() == str(size).encode()
    assert web.connections == 1  # it was kept alive
    connection.close()
    found = counted(lab).counted
    assert found["requests"] == 2
    assert found["503"] == 0
    assert int(found["bytes up"]) > size
    assert int(found["bytes down"]) > size


def test_that_what_is_not_http_passes_with_its_half_close(proxy: Open) -> None:
    sent = random.Random(7).randbytes(3_000_000)
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def echo_at_the_end() -> None:
            with listening.accept()[0] as asker:
                while piece := asker.recv(65536):
                    heard.append(piece)
                asker.sendall(b"".join(heard)[::-1])

        thread = threading.Thread(target=echo_at_the_end)
        thread.start()
        place = proxy(listening.getsockname()[1], latency=0.02, jitter=0.01)
        with socket.create_connection(place, PATIENCE) as asked:
            asked.sendall(sent)
            asked.shutdown(socket.SHUT_WR)
            back = b""
            while piece := asked.recv(65536):
                back += piece
        thread.join()
    assert back == sent[::-1]


def test_that_every_round_trip_is_late_by_the_latency(web: Web, proxy: Open) -> None:
    connection = http.client.HTTPConnection(*proxy(web.server_port, latency=0.2), timeout=PATIENCE)
    for number in range(3):
        begun = time.monotonic()
        assert get(connection)[0] == 200
        # To open a connection takes one, too.
        assert time.monotonic() - begun >= (0.2 if number else 0.4)
    connection.close()


def test_that_bytes_come_no_faster_than_the_bandwidth(web: Web, proxy: Open) -> None:
    place = proxy(web.server_port, bandwidth=2_000_000)
    connections = [http.client.HTTPConnection(*place, timeout=PATIENCE) for _ in range(2)]
    begun = time.monotonic()
    for connection in connections:
        connection.request("GET", "/500000")
    for connection in connections:
        assert len(connection.getresponse().read()) == 500_000
        connection.close()
    assert time.monotonic() - begun >= 0.5 * 0.99


def test_that_requests_above_the_rate_are_answered_as_s3_does(
    web: Web, proxy: Open, lab: Lab
) -> None:
    place = proxy(web.server_port, rate=0.001, burst=3)
    connection = http.client.HTTPConnection(*place, timeout=PATIENCE)
    found = [get(connection) for _ in range(5)]
    assert [status for status, _, _ in found] == [200, 200, 200, 503, 503]
    assert b"<Code>SlowDown</Code>" in found[-1][1]
    assert found[-1][2].headers["Content-Type"] == "application/xml"
    assert get(connection, method="HEAD")[:2] == (503, b"")
    connection.request("PUT", "/", body=bytes(2_000_000))
    assert connection.getresponse().read().startswith(b"<?xml")
    assert web.served == 3
    assert web.connections == 1
    connection.close()
    assert counted(lab).counted["requests"] == 7
    assert counted(lab).counted["503"] == 4


def test_that_the_rate_is_exact_for_many_connections(web: Web, proxy: Open, lab: Lab) -> None:
    place = proxy(web.server_port, rate=0.001, burst=40)
    seen: list[int] = []

    def ask() -> None:
        connection = http.client.HTTPConnection(*place, timeout=PATIENCE)
        seen.extend(get(connection)[0] for _ in range(10))
        connection.close()

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == [200] * 40 + [503] * 120
    assert web.served == 40
    assert counted(lab).counted["503"] == 120


def test_that_pipelined_requests_are_answered_in_order(web: Web, proxy: Open) -> None:
    place = proxy(web.server_port, rate=0.001, burst=2, latency=0.01, jitter=0.01)
    with socket.create_connection(place, PATIENCE) as asked:
        asked.sendall(b"GET /1 HTTP/1.1\r\nHost: x\r\n\r\n" * 4)
        asked.shutdown(socket.SHUT_WR)
        text = b""
        while piece := asked.recv(65536):
            text += piece
    assert [int(part[:3]) for part in text.split(b"HTTP/1.1 ")[1:]] == [200, 200, 503, 503]


def test_that_who_expects_to_go_on_is_refused_before_the_body(web: Web, proxy: Open) -> None:
    with socket.create_connection(proxy(web.server_port, rate=0.001, burst=1), PATIENCE) as asked:
        head = b"PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
        asked.sendall(head)
        assert asked.recv(1000).startswith(b"HTTP/1.1 100 ")
        asked.sendall(b"12345")
        answer = b""
        while not answer.endswith(b"\r\n\r\n5"):
            answer += asked.recv(1000)
        asked.sendall(head)
        refused = b""
        while piece := asked.recv(1000):
            refused += piece
    assert refused.startswith(b"HTTP/1.1 503 ")
    assert b"Connection: close" in refused


def test_that_connections_above_the_limit_are_closed(web: Web, proxy: Open, lab: Lab) -> None:
    place = proxy(web.server_port, connections=2)
    kept = [http.client.HTTPConnection(*place, timeout=PATIENCE) for _ in range(2)]
    for connection in kept:
        assert get(connection)[0] == 200
    with socket.create_connection(place, PATIENCE) as refused, suppress(ConnectionResetError):
        assert refused.recv(10) == b""
    assert counted(lab).counted["refused connections"] == 1
    for connection in kept:
        assert get(connection)[0] == 200
        connection.close()


def test_that_a_server_that_is_gone_is_seen_as_gone(proxy: Open, lab: Lab) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    asked = socket.create_connection(proxy(port), PATIENCE)
    with asked, suppress(ConnectionResetError):
        assert asked.recv(10) == b""
    assert counted(lab).counted["unreachable"] == 1


def test_that_the_proxy_stands_in_front_of_a_server_of_the_lab(lab: Lab) -> None:
    answers = list(
        lab.start(
            ["proxy", "rigged_servers:SERVING"],
            options={"proxy": {"of": "serving"}},
            deadline=PATIENCE,
        )
    )
    states = {one.server.name: one.server for one in answers if isinstance(one, Started)}
    host, port = states["proxy"].address.removeprefix("rigged://").split(":")
    assert states["proxy"].address != states["serving"].address
    assert list(states["proxy"].secrets) == ["lab:proxy/password"]
    with socket.create_connection((host, int(port)), PATIENCE) as asked:
        assert int(asked.recv(100)) == states["serving"].processes["serve"]


def test_that_a_proxy_of_nothing_is_a_mistake_of_the_user(lab: Lab) -> None:
    (told,) = (one for one in lab.start(["proxy"]) if isinstance(one, NotStarted))
    assert told.exit_code == 2
    assert "--of" in told.remedy


def test_that_a_proxy_with_other_options_must_be_stopped_first(web: Web, lab: Lab) -> None:
    def start(rate: float) -> list[Any]:
        chosen = {"proxy": {"of": f"127.0.0.1:{web.server_port}", "rate": rate}}
        return list(lab.start(["proxy"], options=chosen, deadline=PATIENCE))

    start(5.0)
    assert isinstance(start(5.0)[-1], Started)
    told = start(6.0)[-1]
    assert isinstance(told, NotStarted)
    assert told.remedy == "stop it first: python -m core lab stop proxy"
