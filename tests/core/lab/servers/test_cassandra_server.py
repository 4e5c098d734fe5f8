"""Cassandra as its recipe starts it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from serving import Running

from core.lab.servers.cassandra import KEYSPACE, USER

pytestmark = [
    pytest.mark.lab("cassandra"),
    pytest.mark.parametrize("server", ["cassandra"], indirect=True),
]


@contextmanager
def session(server: Running, user: str, password: str) -> Iterator[Any]:
    from cassandra.auth import PlainTextAuthProvider
    from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile
    from cassandra.policies import RoundRobinPolicy

    cluster = Cluster(
        ["127.0.0.1"],
        port=server.site.ports["main"],
        auth_provider=PlainTextAuthProvider(user, password),
        protocol_version=5,
        execution_profiles={
            EXEC_PROFILE_DEFAULT: ExecutionProfile(load_balancing_policy=RoundRobinPolicy())
        },
    )
    try:
        yield cluster.connect()
    finally:
        cluster.shutdown()


def test_that_the_user_of_the_lab_writes_and_reads(server: Running) -> None:
    with session(server, USER, server.server.secrets["password"]) as asked:
        asked.set_keyspace(KEYSPACE)
        asked.execute("CREATE TABLE tiles (key bigint PRIMARY KEY, value blob)")
        asked.execute("INSERT INTO tiles (key, value) VALUES (%s, %s)", (7, b"seven"))
        assert asked.execute("SELECT value FROM tiles WHERE key = 7").one().value == b"seven"
        asked.execute("DROP TABLE tiles")


@pytest.mark.parametrize(
    ("user", "password"), [(USER, "not the password"), ("cassandra", "cassandra")]
)
def test_that_nobody_else_is_let_in(server: Running, user: str, password: str) -> None:
    from cassandra import AuthenticationFailed
    from cassandra.cluster import NoHostAvailable

    with pytest.raises(NoHostAvailable) as refused, session(server, user, password):
        pass
    (why,) = refused.value.errors.values()
    assert isinstance(why, AuthenticationFailed)
