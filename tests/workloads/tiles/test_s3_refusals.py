"""What S3 refuses: repeated, counted while it happens, or told with what to do."""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from driving import need_drivers
from hostile_server import ABSENT, SLOW_DOWN, Answer, HostileServer, refusal
from store_conformance import Site

from core.language import InvalidParameter, SluiceError, remembered
from core.measure import Cancel
from core.run.task import task_of_plan
from core.vocabulary import Completed, Plan, TrialEnded, describe, open_dataset, specify
from workloads.shared.servers import s3_address
from workloads.tiles.layer_in_store import open_store

BODY = b"tile" * 1000
FINE = Answer(200, BODY)
TOO_MANY = refusal(429, "TooManyRequests", "Too many.")


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    need_drivers("tiles", store="s3", address="s3://tiles")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "access-of-the-chain")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret-of-the-chain")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


@pytest.fixture
def tally(counted: Counter[str]) -> Callable[[str, float], None]:
    def add(name: str, by: float) -> None:
        counted[name] += by  # type: ignore[assignment]

    return add


def site_of(server: HostileServer, **parameters: object) -> Site:
    quick = {"backoff_base": 0.001, **parameters}
    return Site("s3", server.address("s3"), quick)


@pytest.mark.parametrize("refused", [SLOW_DOWN, TOO_MANY, refusal(500, "InternalError", "Oh.")])
def test_that_a_refusal_in_passing_is_repeated_and_counted(
    server: HostileServer,
    counted: Counter[str],
    tally: Callable[[str, float], None],
    refused: Answer,
) -> None:
    with site_of(server).opened("layer", tally=tally) as store:
        server.answers.extend([refused, refused, FINE])
        assert store.get(7) == BODY
    assert server.asked[1:] == ["GET /bucket/data/layer/7"] * 3
    assert counted["requests"] == len(server.asked)
    assert counted["retries"] == 2
    assert counted["refusals"] == (0 if refused.status == 500 else 2)
    assert 0 < counted["backoff seconds"] <= 0.001 + 0.002


def test_that_a_server_that_is_busy_when_the_store_is_opened_is_asked_again(
    server: HostileServer,
) -> None:
    server.answers.extend([SLOW_DOWN, SLOW_DOWN, SLOW_DOWN, ABSENT, FINE])
    with site_of(server).opened("layer") as store:
        assert store.get(7) == BODY
    assert len(server.asked) == 5


def test_that_the_wait_doubles_from_the_base(
    server: HostileServer, counted: Counter[str], tally: Callable[[str, float], None]
) -> None:
    waits: list[float] = []

    def noted(name: str, by: float) -> None:
        if name == "backoff seconds":
            waits.append(by)

    with site_of(server).opened("layer", tally=noted) as store:
        for _ in range(40):
            server.answers.extend([SLOW_DOWN, SLOW_DOWN, SLOW_DOWN, FINE])
            store.get(1)
    for number, most in enumerate((0.001, 0.002, 0.004)):
        found = waits[number::3]
        assert most / 2 < max(found) <= most
        assert min(found) < most / 2


def test_that_after_the_last_attempt_the_refusal_is_told_in_s3_s_words(
    server: HostileServer, counted: Counter[str], tally: Callable[[str, float], None]
) -> None:
    with site_of(server, attempts=3).opened("layer", tally=tally) as store:
        server.answers.extend([SLOW_DOWN] * 3)
        with pytest.raises(Exception, match=r"SlowDown.*Please reduce your request rate"):
            store.get(7)
    assert (counted["refusals"], counted["retries"]) == (3, 2)


def test_that_one_attempt_is_never_repeated(
    server: HostileServer, counted: Counter[str], tally: Callable[[str, float], None]
) -> None:
    with site_of(server, attempts=1).opened("layer", tally=tally) as store:
        server.answers.append(SLOW_DOWN)
        with pytest.raises(Exception, match="SlowDown"):
            store.get(7)
    assert counted == {"requests": len(server.asked), "refusals": 1}


@pytest.mark.parametrize("mode", ["standard", "legacy", "adaptive"])
def test_that_botocore_s_own_repetitions_are_counted(
    server: HostileServer, counted: Counter[str], tally: Callable[[str, float], None], mode: str
) -> None:
    with site_of(server, retry_mode=mode, attempts=3).opened("layer", tally=tally) as store:
        server.answers.extend([SLOW_DOWN, FINE])
        assert store.get(7) == BODY
    assert (counted["refusals"], counted["retries"]) == (1, 1)
    assert counted["requests"] == len(server.asked)


def test_that_an_object_cut_on_the_way_is_fetched_again(
    server: HostileServer, counted: Counter[str], tally: Callable[[str, float], None]
) -> None:
    with site_of(server).opened("layer", tally=tally) as store:
        server.answers.extend([Answer(200, BODY, cut=100), FINE])
        assert store.get(7) == BODY
    assert counted["retries"] == 1


def test_that_a_hole_is_not_asked_for_twice(server: HostileServer) -> None:
    with site_of(server).opened("layer") as store:
        before = len(server.asked)
        assert store.get(7) is None
        assert len(server.asked) == before + 1


def test_that_a_bucket_that_vanished_is_no_hole(server: HostileServer) -> None:
    with site_of(server).opened("layer") as store:
        server.answers.append(refusal(404, "NoSuchBucket", "No such bucket."))
        with pytest.raises(Exception, match="NoSuchBucket"):
            store.get(7)


@pytest.mark.parametrize(
    ("status", "code", "remedy"),
    [
        (403, "RequestTimeTooSkewed", "clock"),
        (403, "SignatureDoesNotMatch", "secret_key"),
        (403, "InvalidAccessKeyId", "access_key"),
        (403, "AccessDenied", "access_key"),
        (404, "NoSuchBucket", "bucket"),
        (400, "AuthorizationHeaderMalformed", "region"),
        (503, "SlowDown", "fewer threads"),
        (403, "AnotherServersName", "access_key"),
        (404, "XAdminUserNotFound", "access_key"),
    ],
)
def test_that_what_stands_in_the_way_is_told_before_the_clock_in_s3_s_words(
    server: HostileServer, status: int, code: str, remedy: str
) -> None:
    asked = 3 if status == 503 else 1  # what may pass is asked for again, twice here
    server.answers.extend([refusal(status, code, "Words of the server.")] * asked)
    with pytest.raises(SluiceError, match=rf"{code}.*Words of the server") as raised:
        site_of(server, attempts=2).open("layer")
    assert remedy in raised.value.remedy
    assert len(server.asked) == asked


def test_that_a_port_where_nobody_listens_is_told_with_the_endpoint() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(SluiceError, match=f"127.0.0.1:{port}") as raised:
            Site("s3", f"s3://tiles?endpoint=http://127.0.0.1:{port}").open("layer")
    assert "listens" in raised.value.remedy


def test_that_keys_of_the_chain_are_kept_out_of_all_texts(server: HostileServer) -> None:
    with site_of(server).opened("layer"):
        assert {"access-of-the-chain", "secret-of-the-chain"} <= set(remembered())


def test_that_one_key_without_the_other_is_refused(
    server: HostileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_KEY", "access")
    with pytest.raises(InvalidParameter, match="secret_key"):
        site_of(server, access_key="env:A_KEY").open("layer")


def test_that_given_keys_come_before_those_of_the_chain(
    server: HostileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_KEY", "given/access+key")
    monkeypatch.setenv("A_SECRET", "given secret")
    with site_of(server, access_key="env:A_KEY", secret_key="env:A_SECRET").opened("layer"):
        assert {"given/access+key", "given secret"} <= set(remembered())


def listing(name: str, inside: str = "") -> Answer:
    """A list as S3 gives it, of one page."""
    return Answer(200, f"<{name}><IsTruncated>false</IsTruncated>{inside}</{name}>".encode())


def test_that_removing_ends_uploads_in_parts_that_were_cut_off(server: HostileServer) -> None:
    upload = "<Upload><Key>data/layer/5</Key><UploadId>abc</UploadId></Upload>"
    with site_of(server).opened("layer") as store:
        server.answers.extend(
            [
                ABSENT,
                listing("ListMultipartUploadsResult", upload),
                Answer(204),
                listing("ListBucketResult"),
            ]
        )
        assert store.remove() == 0
    assert "DELETE /bucket/data/layer/5?uploadId=abc" in server.asked


def test_that_removing_goes_on_until_nothing_is_listed(server: HostileServer) -> None:
    def page(first: int) -> Answer:
        keys = (f"data/layer/{key}" for key in range(first, first + 3))
        return listing(
            "ListBucketResult", "".join(f"<Contents><Key>{k}</Key></Contents>" for k in keys)
        )

    with site_of(server).opened("layer") as store:
        uploads = refusal(501, "NotImplemented", "There are no uploads in parts here.")
        done = listing("DeleteResult")
        server.answers.extend(
            [ABSENT, uploads, page(0), done, page(3), done, listing("ListBucketResult")]
        )
        assert store.remove() == 6


def test_that_an_object_that_s3_does_not_remove_is_named(server: HostileServer) -> None:
    inside = "<Error><Key>data/layer/5</Key><Code>AccessDenied</Code><Message>No.</Message></Error>"
    contents = "<Contents><Key>data/layer/5</Key></Contents>"
    with site_of(server).opened("layer") as store:
        server.answers.extend(
            [
                ABSENT,
                listing("ListMultipartUploadsResult"),
                listing("ListBucketResult", contents),
                listing("DeleteResult", inside),
            ]
        )
        with pytest.raises(SluiceError, match=r"data/layer/5.*No\."):
            store.remove()


@pytest.mark.parametrize(
    "address",
    [
        "",
        "tiles",
        "http://tiles",
        "s3:///prefix",
        "s3://tiles?region=x",
        "s3://tiles?endpoint=127.0.0.1:9",
        "s3://tiles?endpoint=http://me:pass-word@127.0.0.1:9",
    ],
)
def test_that_an_address_that_is_no_place_in_s3_is_refused_without_its_credentials(
    address: str,
) -> None:
    with pytest.raises(InvalidParameter) as raised:
        s3_address(address)
    assert raised.value.remedy
    assert "pass-word" not in str(raised.value)


def test_that_a_place_has_bucket_prefix_and_endpoint() -> None:
    place = s3_address("s3://tiles/some/where/?endpoint=https://host:9000")
    assert (place.bucket, place.prefix, place.endpoint) == (
        "tiles",
        "some/where/",
        "https://host:9000",
    )
    assert s3_address("s3://tiles").prefix == ""


def test_that_a_store_that_answers_late_is_waited_for_and_named(server: HostileServer) -> None:
    server.fault = "paused"
    told: list[str] = []

    def hear(doing: str, *_: object) -> None:
        told.append(doing)
        server.over.set()

    with closing(open_store(site_of(server).asked(), "layer", report=hear)) as store:
        assert store.get(7) is None
    assert told[0] == f"waiting for the store s3 at {server.address('s3')}: 2 s"


def test_that_a_store_that_fails_is_asked_once_and_the_others_are_measured(
    server: HostileServer, folder: Path, cache: Path
) -> None:
    server.answers.append(refusal(403, "AccessDenied", "Not you."))
    dataset = open_dataset(folder)
    stores = ({"store": "file"}, site_of(server).values())
    specs = [
        specify("tiles", dataset, {"direction": "write", "duration": 0.1, "threads": n} | store)
        for store in stores
        for n in (1, 2)
    ]
    plan = Plan(title="two stores", specs=tuple(specs), turns="auto")
    events = task_of_plan(plan).carry_out(Cancel())
    trials = [one.trial for one in events if isinstance(one, TrialEnded)]
    ends = {one.spec_digest: one.outcome for one in trials}
    assert [ends[spec.digest] for spec in specs[:2]] == [Completed()] * 2
    assert all("Not you" in describe(ends[spec.digest]) for spec in specs[2:])
    assert len(server.asked) == 1
