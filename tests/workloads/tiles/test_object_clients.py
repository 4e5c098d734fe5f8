"""What clients of objects make of answers that are wrong, late or cut off: an error in a line.

`boto3` and `http.client` by themselves take another range for the one that was asked for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.util import find_spec

import pytest
from hostile_server import Answer, HostileServer, refusal

from core.language import InvalidParameter, SluiceError
from workloads.shared.objects import (
    BY_NAME,
    CLIENTS,
    ObjectClient,
    Place,
    Repeats,
    client_for,
)
from workloads.shared.servers import S3Access, remedy_of, s3_address, status_of

WHOLE = b"0123456789" * 100
WAYS = [(client.name, server) for client in CLIENTS for server in client.speaks]
S3_WAYS = [client for client, server in WAYS if server == "s3"]
LISTED = Answer(200, b"<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>")

type Open = Callable[..., ObjectClient]


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLUICE_TEST_KEY", "access")
    monkeypatch.setenv("SLUICE_TEST_SECRET", "secret")


@pytest.fixture
def opened(server: HostileServer, counted: Counter[str]) -> Iterator[Open]:
    """Opens a client on the server, which is closed at the end."""
    clients: list[ObjectClient] = []

    def open_one(client: str, of: str) -> ObjectClient:
        entry = BY_NAME[client]
        if any(find_spec(driver.module) is None for driver in entry.drivers):
            pytest.skip(f"{client} is not installed")
        if client == "s3fs":
            server.answers.append(LISTED)
        place = place_of(server.url, of)
        clients.append(entry.open(place, lambda name, by: counted.update({name: int(by)})))
        server.asked.clear()
        counted.clear()
        return clients[-1]

    yield open_one
    for client in clients:
        client.close()


def place_of(url: str, of: str) -> Place:
    if of == "http":
        return Place(url=f"{url}/", connections=4, timeout=20.0)
    access = S3Access(
        address=s3_address(f"s3://bucket/data?endpoint={url}"),
        access_key="env:SLUICE_TEST_KEY",
        secret_key="env:SLUICE_TEST_SECRET",
        region="",
        path_style=True,
    )
    return Place(s3=access, connections=4, timeout=20.0)


def part(first: int, last: int, **other: str) -> Answer:
    """The range of the whole that an honest server gives."""
    headers = {"Content-Range": f"bytes {first}-{last}/{len(WHOLE)}", **other}
    return Answer(206, WHOLE[first : last + 1], headers=headers)


@pytest.mark.parametrize(("client", "of"), WAYS)
def test_that_a_range_is_what_was_asked_for(
    opened: Open, server: HostileServer, counted: Counter[str], client: str, of: str
) -> None:
    objects = opened(client, of)
    server.answers.append(part(20, 29))
    assert objects.get_range("one", 20, 10) == WHOLE[20:30]
    assert len(server.asked) == counted["requests"] == 1


WRONG = {
    "all of it": Answer(200, WHOLE),
    "another range": part(30, 39),
    "a shorter one": part(20, 25),
    "another range by its name": Answer(
        206, WHOLE[20:30], headers={"Content-Range": f"bytes 40-49/{len(WHOLE)}"}
    ),
    "no name": Answer(206, WHOLE[20:30]),
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize(("client", "of"), WAYS)
def test_that_another_range_is_an_error_in_one_line(
    opened: Open, server: HostileServer, client: str, of: str, wrong: str
) -> None:
    objects = opened(client, of)
    server.answers.append(WRONG[wrong])
    with pytest.raises(objects.failures) as raised:
        objects.get_range("one", 20, 10)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(("client", "of"), WAYS)
def test_that_an_object_that_is_cut_off_is_an_error_that_passes(
    opened: Open, server: HostileServer, client: str, of: str
) -> None:
    objects = opened(client, of)
    whole = Answer(200, WHOLE, headers={"Last-Modified": "Mon, 30 Nov 2026 09:00:00 GMT"})
    head = [whole] if client == "s3fs" else []
    server.answers.extend([*head, Answer(200, WHOLE, cut=100, headers=whole.headers)])
    server.answers.extend([*head, whole])
    with pytest.raises(objects.failures) as raised:
        objects.get("one")
    assert "\n" not in str(raised.value)
    assert status_of(raised.value) == 0
    assert objects.get("one") == WHOLE


@pytest.mark.parametrize(("client", "of"), WAYS)
def test_that_an_object_that_is_not_there_is_none(
    opened: Open, server: HostileServer, client: str, of: str
) -> None:
    assert opened(client, of).get("one") is None


@pytest.mark.parametrize(("client", "of"), [way for way in WAYS if way[0] in ("obstore", "http")])
def test_that_what_is_fetched_is_counted_once_with_all_the_others(
    opened: Open, server: HostileServer, counted: Counter[str], client: str, of: str
) -> None:
    objects = opened(client, of)
    server.answers.extend([Answer(200, WHOLE)] * 3)
    assert [objects.fetch("one") for _ in range(3)] == [WHOLE] * 3
    for _ in range(2):
        objects.settle()
        assert counted["requests"] == 3


@pytest.mark.parametrize(("client", "of"), WAYS)
def test_that_a_refusal_in_passing_is_counted_and_repeated(
    opened: Open, server: HostileServer, counted: Counter[str], client: str, of: str
) -> None:
    objects = opened(client, of)
    server.answers.extend([refusal(503, "SlowDown", "Slow down."), part(0, 9)])
    repeats = Repeats(3, 0.001, lambda name, by: counted.update({name: int(by > 0)}))
    got = repeats.perform(lambda: objects.get_range("one", 0, 10), objects.failures)
    assert got == WHOLE[:10]
    assert (counted["requests"], counted["refusals"], counted["retries"]) == (2, 1, 1)


@pytest.mark.parametrize(
    ("status", "code", "remedy"),
    [(403, "SignatureDoesNotMatch", "secret_key"), (404, "NoSuchBucket", "create the bucket")],
)
@pytest.mark.parametrize("client", S3_WAYS)
def test_that_what_s3_says_is_said_with_what_to_do(
    opened: Open, server: HostileServer, client: str, status: int, code: str, remedy: str
) -> None:
    objects = opened(client, "s3")
    server.answers.append(refusal(status, code, "Words of the server."))
    with pytest.raises(objects.failures, match=r"Words of the server") as raised:
        objects.get_range("one", 0, 10)
    assert "\n" not in str(raised.value)
    assert remedy in remedy_of(raised.value)


def test_that_a_redirect_is_not_followed_but_named(opened: Open, server: HostileServer) -> None:
    objects = opened("http", "http")
    server.answers.append(Answer(301, headers={"Location": "http://elsewhere/one"}))
    with pytest.raises(objects.failures, match=re.escape("http://elsewhere/one")):
        objects.get("one")
    assert len(server.asked) == 1


@pytest.mark.parametrize(("client", "of"), WAYS)
def test_that_nobody_listening_is_said_with_what_to_do(
    closed_port: int, client: str, of: str
) -> None:
    entry = BY_NAME[client]
    for driver in entry.drivers:
        pytest.importorskip(driver.module)
    place = place_of(f"http://127.0.0.1:{closed_port}", of)
    if client == "s3fs":  # it asks when it is opened
        with pytest.raises(SluiceError) as refused:
            entry.open(place, lambda name, by: None)
        assert "listens there" in refused.value.remedy
        return
    objects = entry.open(place, lambda name, by: None)
    with closing(objects), pytest.raises(objects.failures) as raised:
        objects.get("one")
    assert "\n" not in str(raised.value)
    assert "listens there" in remedy_of(raised.value)


@pytest.mark.parametrize(("client", "of"), [("boto3", "http"), ("s3fs", "http"), ("http", "s3")])
def test_that_a_client_that_does_not_speak_a_protocol_is_refused_with_those_that_do(
    client: str, of: str
) -> None:
    with pytest.raises(InvalidParameter) as raised:
        client_for(client, of)
    assert raised.value.name == "client"
    assert "obstore" in raised.value.remedy
