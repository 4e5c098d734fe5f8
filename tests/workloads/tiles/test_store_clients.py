"""What the clients of Cassandra and Accumulo count and tell, without their servers."""

from __future__ import annotations

import random
import struct
from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from core.language import InvalidParameter, SluiceError, Unavailable
from workloads.tiles.stores import BY_NAME
from workloads.tiles.stores.store import Opening, Store
from workloads.tiles.tile_parameters import TileParameters

FORMS = {
    "cassandra": "cassandra://host:port/keyspace",
    "hdfs": "hdfs://host:port/path",
    "accumulo": "accumulo://zookeeper:port/instance/namespace",
}


def opening(store: str, address: str, **given: Any) -> Opening:
    return Opening(
        address=address,
        layer="layer",
        threads=1,
        parameters=TileParameters(store=store, **given),
        tally=lambda name, by: None,
    )


def store_at(name: str, address: str, **given: Any) -> Store:
    pytest.importorskip(BY_NAME[name].drivers[0].module)
    return BY_NAME[name].open(opening(name, address, **given))


@pytest.mark.parametrize("name", FORMS)
def test_that_an_address_of_another_store_is_refused_with_the_form(name: str) -> None:
    with pytest.raises(InvalidParameter) as refusal:
        store_at(name, "s3://bucket/prefix")
    assert FORMS[name] in refusal.value.remedy


@pytest.mark.parametrize(
    ("name", "path"), [("cassandra", "keyspace"), ("hdfs", "path"), ("accumulo", "instance/space")]
)
def test_that_nobody_listening_is_a_clear_error_before_the_clock(
    name: str, path: str, closed_port: int
) -> None:
    with pytest.raises(SluiceError, match=rf"127\.0\.0\.1:{closed_port}.*[Rr]efused"):
        store_at(name, f"{name}://127.0.0.1:{closed_port}/{path}", timeout=30.0)


def test_that_stores_on_one_hdfs_share_a_client_which_is_no_other_process_s() -> None:
    """Kept connections end with the client that opened them, and break the reads of another."""
    pytest.importorskip("hdfs_native")
    from workloads.tiles.stores.hdfs_store import _shared_client

    one = _shared_client("127.0.0.1:9", 1000, "", 1)
    assert _shared_client("127.0.0.1:9", 1000, "", 1) is one
    assert _shared_client("127.0.0.1:9", 1000, "", 2) is not one
    assert _shared_client("127.0.0.1:9", 2000, "", 1) is not one


@pytest.mark.parametrize(
    ("took", "asleep"), [(0.011, 0), (0.513, 0.5), (1.2, 0.5), (1.52, 1.5), (3.6, 3.5)]
)
def test_that_of_a_close_on_hdfs_what_the_client_slept_is_known(took: float, asleep: float) -> None:
    pytest.importorskip("hdfs_native")
    from workloads.tiles.stores.hdfs_store import asleep_in_close

    assert asleep_in_close(took) == asleep


def test_that_missing_jars_are_told_with_the_command_that_fetches_them(open_port: int) -> None:
    with pytest.raises(Unavailable, match=r"core lab start accumulo"):
        store_at("accumulo", f"accumulo://127.0.0.1:{open_port}/instance/space")


@pytest.mark.parametrize(
    ("ask", "counted"),
    [
        (lambda policy: policy.on_read_timeout(None, 1, 1, 1, False, 0), 1),
        (lambda policy: policy.on_read_timeout(None, 1, 1, 0, False, 0), 0),
        (lambda policy: policy.on_read_timeout(None, 1, 1, 1, False, 1), 0),
        (lambda policy: policy.on_write_timeout(None, 1, "SIMPLE", 1, 0, 0), 0),
        (lambda policy: policy.on_unavailable(None, 1, 1, 0, 0), 1),
        (lambda policy: policy.on_unavailable(None, 1, 1, 0, 1), 0),
    ],
)
def test_that_the_driver_s_repetitions_are_counted(ask: Callable[[Any], Any], counted: int) -> None:
    pytest.importorskip("cassandra")
    from cassandra.policies import RetryPolicy

    from workloads.tiles.stores.cassandra_store import CountedRetries

    tallies: Counter[str] = Counter()
    policy = CountedRetries(lambda name, by: tallies.update({name: by}))
    assert ask(policy) == ask(RetryPolicy())
    assert tallies == ({"retries": counted, "requests": counted} if counted else {})


def test_that_a_refused_login_is_told_in_the_server_s_words() -> None:
    pytest.importorskip("cassandra")
    from cassandra import AuthenticationFailed

    from workloads.tiles.stores.cassandra_store import refused

    failure = SimpleNamespace(errors={"here": AuthenticationFailed("password is incorrect")})
    told = refused("here:1", failure)  # type: ignore[arg-type]
    assert "refuses the login: password is incorrect" in told.cause
    assert "user and password" in told.remedy


@pytest.mark.parametrize(
    "said",
    [
        "ProtocolError returned from server while using explicitly set client protocol_version 66",
        '<Error from server: code=000a [Protocol error] message="Beta version of the protocol">',
        "Cannot downgrade protocol version below minimum supported version: 3",
    ],
)
def test_that_a_server_that_refuses_the_protocol_does_not_pass_for_one_that_is_missing(
    said: str,
) -> None:
    pytest.importorskip("cassandra")
    from cassandra import DriverException

    from workloads.tiles.stores.cassandra_store import refused

    failure = SimpleNamespace(errors={"here": DriverException(said)})
    told = refused("here:1", failure)  # type: ignore[arg-type]
    assert told.cause == f"Cassandra at here:1 cannot be talked to: {said}"
    assert "version" in told.remedy


def test_that_what_crosses_from_java_is_taken_apart() -> None:
    from workloads.tiles.stores.accumulo_store import unpacked

    draw = random.Random(1)
    tiles = [(draw.randrange(-(2**63), 2**63), draw.randbytes(size)) for size in (0, 1, 900)]
    chunk = b"".join(struct.pack(">qi", key, len(tile)) + tile for key, tile in tiles)
    assert list(unpacked(chunk)) == tiles
