"""Tiles in Cassandra: a table for each layer, a row for each tile, through cassandra-driver.

Reads and writes have consistency ONE, prepared statements, and the driver's own event loop, pool
and retry policy.  Requests over the wire are counted as `requests`, and repetitions by that policy
as `retries` too.  Requests for which the connection has no room wait for it (`cassandra_patience`).
A batch is as many single requests on their way at once as the parameter `concurrency` allows:
Cassandra's own batches are for few rows of one partition.
"""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, override

from cassandra import (
    AuthenticationFailed,
    ConsistencyLevel,
    DriverException,
    OperationTimedOut,
    Timeout,
    Unauthorized,
)
from cassandra.auth import PlainTextAuthProvider
from cassandra.cluster import (
    EXEC_PROFILE_DEFAULT,
    Cluster,
    ExecutionProfile,
    NoHostAvailable,
    Session,
)
from cassandra.concurrent import execute_concurrent_with_args
from cassandra.connection import ConnectionException
from cassandra.policies import DCAwareRoundRobinPolicy, RetryPolicy, TokenAwarePolicy
from cassandra.query import SimpleStatement, tuple_factory

from core import SluiceError, tr
from workloads.shared.servers import look_at_server, make_room, wait_longer
from workloads.tiles.stores.cassandra_patience import Patience, all_answers, one_answer
from workloads.tiles.stores.store import (
    CASSANDRA_ADDRESS,
    Address,
    Opening,
    Store,
    parse_address,
    password_in,
    table_name,
)

_FAILURES = (DriverException, NoHostAvailable, ConnectionException)
_FULL = re.compile(r"disk[ _]usage|No space left", re.IGNORECASE)
_MANIFESTS = "layer_manifests"
_COLUMNS = "(key bigint PRIMARY KEY, value blob)"
_PAGE = 500  # rows counted in one request, whose values the server has to skip
_AT_ONCE = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)]
"""Without it the kernel holds back the end of a request until the server has acknowledged the rest,
which that delays by 40 ms: a single thread mostly waits, and more of them seem to gain what is
only waiting.  Cassandra's drivers in other languages do so too."""
_MANIFEST_COLUMNS = "(layer text PRIMARY KEY, value blob)"


class CassandraStore(Store):
    """A layer in a table of a keyspace.

    A row can be read as soon as `put` returns.  The table is created by the first `put` or
    `put_many`, also by one of nothing, and never by reading.
    """

    failures = _FAILURES

    def __init__(self, opening: Opening) -> None:
        address = parse_address(opening.address, CASSANDRA_ADDRESS)
        self._layer = opening.layer
        self._tally = opening.tally
        self._concurrency = opening.parameters.concurrency
        self._timeout = opening.parameters.timeout
        self._name = address.parts[0]
        self._keyspace = _quoted(self._name)
        self._table = f"{self._keyspace}.{_quoted(table_name(opening.layer))}"
        self._cluster, self._session = _connect(address, opening)
        self._creating = threading.Lock()
        self._select: Any = None
        self._insert: Any = None
        try:
            self._require_keyspace(create=opening.parameters.create)
            self._reading()
        except _FAILURES as error:
            self.close()
            raise SluiceError(
                tr("Cassandra does not give {name!r}: {reason}", name=self._name, reason=error),
                _look_at_rights(),
            ) from error
        except SluiceError:
            self.close()
            raise

    @override
    def remedy(self, error: Exception) -> str:
        """By the driver's kinds of errors, and what the server says of its disk."""
        if _FULL.search(str(error)):
            return make_room()
        if isinstance(error, OperationTimedOut | Timeout):
            return wait_longer()
        if isinstance(error, Unauthorized):
            return _look_at_rights()
        return look_at_server()

    @override
    def get(self, key: int) -> bytes | None:
        statement = self._reading()
        if statement is None:
            return None
        row = self._execute(statement, (key,)).one()
        return None if row is None else row[0]

    @override
    def get_many(self, keys: Sequence[int]) -> Sequence[bytes | None]:
        statement = self._reading()
        if statement is None:
            return [None] * len(keys)
        answers = self._at_once(statement, [(key,) for key in keys])
        rows = [answer.result_or_exc.one() for answer in answers]
        return [None if row is None else row[0] for row in rows]

    @override
    def keys(self) -> Iterable[int]:
        """By a scan of the whole table, page after page in the order of tokens."""
        if not self._exists(table_name(self._layer)):
            return
        keys = SimpleStatement(f"SELECT key FROM {self._table}", fetch_size=_PAGE)
        for (key,) in self._session.execute(keys):
            yield key

    @override
    def put(self, key: int, value: bytes) -> None:
        self._execute(self._writing(), (key, value))

    @override
    def put_many(self, objects: Sequence[tuple[int, bytes]]) -> None:
        self._at_once(self._writing(), objects)

    @override
    def manifest(self) -> bytes | None:
        if not self._exists(_MANIFESTS):
            return None
        row = self._session.execute(
            f"SELECT value FROM {self._keyspace}.{_MANIFESTS} WHERE layer = %s", (self._layer,)
        ).one()
        return None if row is None else row[0]

    @override
    def set_manifest(self, value: bytes) -> None:
        """Into a table that all layers of the keyspace share."""
        self._create(f"{self._keyspace}.{_MANIFESTS}", _MANIFEST_COLUMNS)
        self._session.execute(
            f"INSERT INTO {self._keyspace}.{_MANIFESTS} (layer, value) VALUES (%s, %s)",
            (self._layer, value),
        )

    @override
    def remove(self) -> int:
        removed = 0
        if self.manifest() is not None:
            self._session.execute(
                f"DELETE FROM {self._keyspace}.{_MANIFESTS} WHERE layer = %s", (self._layer,)
            )
            removed += 1
        if self._exists(table_name(self._layer)):
            removed += sum(1 for _ in self.keys())
            self._session.execute(f"DROP TABLE IF EXISTS {self._table}")
        self._select = self._insert = None
        return removed

    @override
    def close(self) -> None:
        self._cluster.shutdown()

    def _at_once(self, statement: Any, arguments: Sequence[tuple[Any, ...]]) -> Sequence[Any]:
        if not arguments:
            return ()
        self._tally("requests", len(arguments))

        def ask(some: Sequence[tuple[Any, ...]]) -> Sequence[Any]:
            answers: Sequence[Any] = execute_concurrent_with_args(
                self._session,
                statement,
                some,
                concurrency=self._concurrency,
                raise_on_first_error=False,
            )
            return answers

        return all_answers(ask, arguments, Patience(self._timeout))

    def _execute(self, statement: Any, argument: tuple[Any, ...]) -> Any:
        self._tally("requests", 1)
        return one_answer(
            lambda: self._session.execute(statement, argument), Patience(self._timeout)
        )

    def _reading(self) -> Any:
        """The statement that reads; None where there is no table."""
        if self._select is None and self._exists(table_name(self._layer)):
            self._prepare()
        return self._select

    def _writing(self) -> Any:
        """The statement that writes, for which the table is created if need be."""
        if self._insert is None:
            with self._creating:
                if self._insert is None:
                    self._create(self._table, _COLUMNS)
                    self._prepare()
        return self._insert

    def _prepare(self) -> None:
        prepare = self._session.prepare
        self._select = prepare(f"SELECT value FROM {self._table} WHERE key = ?")
        self._insert = prepare(f"INSERT INTO {self._table} (key, value) VALUES (?, ?)")

    def _create(self, table: str, columns: str) -> None:
        self._session.execute(f"CREATE TABLE IF NOT EXISTS {table} {columns}")

    def _exists(self, table: str) -> bool:
        tables = self._session.execute(
            "SELECT table_name FROM system_schema.tables"
            " WHERE keyspace_name = %s AND table_name = %s",
            (self._name, table),
        )
        return tables.one() is not None

    def _require_keyspace(self, *, create: bool) -> None:
        keyspaces = self._session.execute(
            "SELECT keyspace_name FROM system_schema.keyspaces WHERE keyspace_name = %s",
            (self._name,),
        )
        if keyspaces.one() is not None:
            return
        statement = (
            f"CREATE KEYSPACE IF NOT EXISTS {self._keyspace} WITH replication ="
            " {'class': 'SimpleStrategy', 'replication_factor': 1}"
        )
        if not create:
            raise SluiceError(
                tr("Cassandra has no keyspace {name!r}", name=self._name),
                tr("set create, or create it in cqlsh: {statement}", statement=statement),
            )
        self._session.execute(statement)


def _look_at_rights() -> str:
    return tr("correct the address, or what the user may do there")


class CountedRetries(RetryPolicy):  # type: ignore[misc]
    """The driver's own policy, whose repetitions are counted."""

    def __init__(self, tally: Callable[[str, int], None]) -> None:
        self._tally = tally

    def _counted(self, decision: Any) -> Any:
        if decision[0] in (self.RETRY, self.RETRY_NEXT_HOST):
            self._tally("retries", 1)
            self._tally("requests", 1)
        return decision

    @override
    def on_read_timeout(self, *given: Any, **named: Any) -> Any:
        return self._counted(super().on_read_timeout(*given, **named))

    @override
    def on_write_timeout(self, *given: Any, **named: Any) -> Any:
        return self._counted(super().on_write_timeout(*given, **named))

    @override
    def on_unavailable(self, *given: Any, **named: Any) -> Any:
        return self._counted(super().on_unavailable(*given, **named))

    @override
    def on_request_error(self, *given: Any, **named: Any) -> Any:
        return self._counted(super().on_request_error(*given, **named))


def _connect(address: Address, opening: Opening) -> tuple[Cluster, Session]:
    timeout = opening.parameters.timeout
    user = opening.parameters.user
    profile = ExecutionProfile(
        load_balancing_policy=TokenAwarePolicy(DCAwareRoundRobinPolicy()),
        retry_policy=CountedRetries(opening.tally),
        consistency_level=ConsistencyLevel.ONE,
        request_timeout=timeout,
        row_factory=tuple_factory,
    )
    protocol = opening.parameters.protocol
    cluster = Cluster(
        [host for host, _ in address.hosts],
        port=address.hosts[0][1],
        auth_provider=PlainTextAuthProvider(user, password_in(opening)) if user else None,
        connect_timeout=timeout,
        control_connection_timeout=timeout,
        execution_profiles={EXEC_PROFILE_DEFAULT: profile},
        sockopts=_AT_ONCE,
        # Where it is named, the driver tries no other one.
        **({} if protocol == "auto" else {"protocol_version": int(protocol)}),
    )
    try:
        return cluster, cluster.connect()
    except _FAILURES as error:
        cluster.shutdown()
        raise refused(address.first, error) from error


def refused(place: str, error: Exception) -> SluiceError:
    """Why there is no connection, in the driver's own words."""
    causes = list(getattr(error, "errors", {}).values()) or [error]
    reason = "; ".join(dict.fromkeys(str(cause) for cause in causes))
    if any(isinstance(cause, AuthenticationFailed) for cause in causes):
        return SluiceError(
            tr("Cassandra at {place} refuses the login: {reason}", place=place, reason=reason),
            tr("correct user and password"),
        )
    if re.search(r"protocol[ _]?(version|error)", reason, re.IGNORECASE):
        return SluiceError(
            tr("Cassandra at {place} cannot be talked to: {reason}", place=place, reason=reason),
            tr(
                "correct the address, let the parameter protocol be auto, or use a server of another version: driver and server have no version in common"
            ),
        )
    return SluiceError(
        tr("there is no Cassandra at {place}: {reason}", place=place, reason=reason),
        tr("start the server, or correct the address"),
    )


def _quoted(name: str) -> str:
    """A name as CQL takes it, upper and lower case told apart."""
    return '"' + name.replace('"', '""') + '"'
