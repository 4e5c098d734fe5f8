"""Places on real servers of Cassandra, HDFS and Accumulo, and ways to miss them.

The variables below name the servers; they hold addresses as a user gives them, with a keyspace or
namespace that is there, and names and passwords that may create tables.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping

import pytest
from store_conformance import Mistake, Site

CASSANDRA = os.environ.get("SLUICE_TEST_CASSANDRA", "")
HDFS = os.environ.get("SLUICE_TEST_HDFS", "")
ACCUMULO = os.environ.get("SLUICE_TEST_ACCUMULO", "")
SERVERS = tuple(
    name
    for name, address in (("cassandra", CASSANDRA), ("hdfs", HDFS), ("accumulo", ACCUMULO))
    if address
)
_PATIENT = 120.0  # seconds: the machine may have more to do


def login(store: str) -> Mapping[str, object]:
    """What the tests give beside the address."""
    name = f"SLUICE_TEST_{store.upper()}"
    return {
        "user": os.environ.get(f"{name}_USER", ""),
        "password": f"env:{name}_PASSWORD",
        "timeout": _PATIENT,
    }


@pytest.fixture(scope="session")
def nobody() -> Iterator[str]:
    """A host and port where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{taken.getsockname()[1]}"


@pytest.fixture(scope="session")
def wrong_password() -> Iterator[Mapping[str, object]]:
    """A password that no server has."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLUICE_TEST_WRONG", "no-such-password")
        yield {"password": "env:SLUICE_TEST_WRONG"}


@pytest.fixture(scope="session")
def cassandra_site(nobody: str, wrong_password: Mapping[str, object]) -> Site:
    """A keyspace."""
    host = CASSANDRA.rpartition("/")[0]
    return Site(
        "cassandra",
        CASSANDRA,
        login("cassandra"),
        mistakes={
            "nobody listens": Mistake(f"cassandra://{nobody}/keyspace"),
            "no such keyspace": Mistake(f"{host}/no_such_keyspace"),
            "a name that cannot be": Mistake(f"{host}/no-keyspace", {"create": True}),
            "wrong credentials": Mistake(CASSANDRA, wrong_password),
            "no credentials": Mistake(CASSANDRA, {"user": ""}),
        },
    )


@pytest.fixture(scope="session")
def hdfs_site(nobody: str) -> Site:
    """A folder."""
    return Site(
        "hdfs",
        HDFS,
        {"timeout": _PATIENT},
        mistakes={"nobody listens": Mistake(f"hdfs://{nobody}/folder")},
    )


@pytest.fixture(scope="session")
def accumulo_site(nobody: str, wrong_password: Mapping[str, object]) -> Site:
    """A namespace."""
    host, namespace = ACCUMULO.rsplit("/", 2)[0], ACCUMULO.rpartition("/")[2]
    # Where there is no such instance, the client waits for one as long as this.
    hasty = {"timeout": 5.0}
    return Site(
        "accumulo",
        ACCUMULO,
        {**login("accumulo"), "jars": os.environ.get("SLUICE_TEST_ACCUMULO_JARS", "")},
        mistakes={
            "nobody listens": Mistake(f"accumulo://{nobody}/instance/{namespace}"),
            "no such instance": Mistake(f"{host}/no_such_instance/{namespace}", hasty),
            "no such namespace": Mistake(ACCUMULO.rpartition("/")[0] + "/no_such_namespace"),
            "a name that cannot be": Mistake(
                ACCUMULO.rpartition("/")[0] + "/no-namespace", {"create": True}
            ),
            "wrong credentials": Mistake(ACCUMULO, wrong_password),
        },
    )
