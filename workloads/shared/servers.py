"""What workloads know about other ends: tables of them, how S3 is reached, what refusals mean."""

from __future__ import annotations

import collections
import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from itertools import count
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, Protocol, Self
from urllib.parse import parse_qs, urlsplit

from core import (
    Counter,
    Driver,
    InvalidParameter,
    Option,
    ReportProgress,
    ServerUse,
    SluiceError,
    Value,
    cache_folder,
    flag,
    integer,
    keep_secret,
    locked,
    real,
    reveal,
    secret,
    text,
    tr,
)

LAB_S3 = ServerUse(
    server="s3",
    at={"store": "s3"},
    in_front="proxy",
    values={"access_key": "lab:s3/access-key", "secret_key": "lab:s3/secret-key"},
)
"""The lab's S3, for a workload whose store `s3` has an `address`."""
THREAD_RATE = 1000
"""Requests a second that one thread asks of a server at most: each takes a millisecond there."""
S3_PAGE = 1000
"""Objects that S3 lists, or deletes, in one request."""
PASSING = frozenset({429, 500, 502, 503, 504})
"""Statuses after which the same request may succeed."""
EVERY_REQUEST, EVERY_REFUSAL = "requests in all", "refused in all"
"""Counters of a trial: of its processes and those that place its data and remove it."""
COUNTED = ("503", "429")
"""Statuses of refusals."""
RECEIVED, SENT, CONNECTIONS, WANTED = "wire bytes", "sent bytes", "connections", "wanted bytes"
PROXY = "proxy seconds"
"""CPU time of a proxy in front of the server, which one core has at most."""
REQUESTS, RETRIES, REFUSALS = "requests", "retries", "refusals"
WIRE_COUNTERS = (
    *(Counter(name=name, per="operation", better="less") for name in (RETRIES, REFUSALS)),
    Counter(name=RECEIVED, per="operation"),
    Counter(name=CONNECTIONS),
)
"""As a workload declares them; of requests there is a metric, and of all bytes.  `wanted bytes` are
counted only where what is delivered has another size, such as decoded pixels."""


def addresses_ending(*endings: str, **values: Value) -> dict[str, dict[str, Value]]:
    """What is meant by addresses in S3 and on web servers that end so, for a workload's `Entry`."""
    stores = {"s3": "s3", "http": "http", "https": "http"}
    return {
        f"{scheme}://*.{ending}": {"store": store, **values}
        for scheme, store in stores.items()
        for ending in endings
    }


CONNECTING = 10
"""Seconds after which a connection is given up, or earlier where an answer is."""


@dataclass(frozen=True, kw_only=True)
class Backend:
    """One row of a table of stores or clients: enough to offer it, and where to load it from."""

    name: str
    title: str
    """What it is, for the form and for the command line's help."""
    load: str
    """`module:Class`."""
    drivers: tuple[Driver, ...] = ()
    tallies: tuple[str, ...] = ()
    """What it counts live, at most eight: sums such as `503`, `retries`, `backoff seconds`."""

    @property
    def option(self) -> Option:
        return Option(help=self.title, driver=self.drivers[0] if self.drivers else None)

    def opened(self, *arguments: object) -> Any:
        """The class, called with these; raises Unavailable without a driver, and SluiceError."""
        for driver in self.drivers:
            driver.require()
        module, _, name = self.load.partition(":")
        return getattr(importlib.import_module(module), name)(*arguments)


def require_absolute(parameter: str, folder: str) -> None:
    """Raise InvalidParameter for a folder whose path does not begin at the root."""
    if not Path(folder).is_absolute():
        raise InvalidParameter(
            parameter,
            tr("{address} is not the whole path of a folder", address=folder),
            tr("begin it with /, so that what trials leave there is found from anywhere"),
        )


@contextmanager
def named_while_awaited(
    report: ReportProgress, what: str, where: str, longest: float
) -> Iterator[None]:
    """Tell every second whose answer the block waits for, if it takes longer than one.

    Not after `longest` seconds: to tell is progress, and an answer may trickle without an end.
    """
    over = Event()

    def tell() -> None:
        for seconds in count(1):
            if over.wait(1.0) or seconds > longest:
                return
            if seconds > 1:
                report(
                    tr(
                        "waiting for the store {name} at {address}: {seconds} s",
                        name=what,
                        address=where,
                        seconds=seconds,
                    )
                )

    telling = Thread(target=copy_context().run, args=[tell], name="waiting", daemon=True)
    telling.start()
    try:
        yield
    finally:
        over.set()
        telling.join()


def placing(what: str, where: str) -> AbstractContextManager[None]:
    """Locks out others who place the same there."""
    place = blake2b(where.encode(), digest_size=8).hexdigest()
    return locked(cache_folder() / "locks" / f"{what}-{place}.lock")


@dataclass(frozen=True, kw_only=True)
class S3Address:
    """A place in S3: `s3://bucket/prefix?endpoint=URL`."""

    bucket: str
    prefix: str
    """Ends with a slash unless it is empty."""
    endpoint: str
    """Empty = Amazon's."""


@dataclass(frozen=True, kw_only=True)
class S3Parameters:
    """What clients of S3 are told; workloads declare theirs by `same_as`."""

    access_key: str = secret(
        help="Access key; empty = as boto3 finds it: environment, profiles, the machine's role."
    )
    secret_key: str = secret(
        help="Secret key that belongs to the access key; empty = as boto3 finds it."
    )
    region: str = text("", help="Region; empty = as boto3 finds it.")
    path_style: bool = flag(
        True,
        help="Name the bucket in the path, not in the host's name. Most servers except Amazon's want that.",
    )
    connections: int = integer(
        0,
        low=0,
        high=4096,
        unit="connections",
        help="Most connections kept open; 0 = one for each thread.",
    )
    attempts: int = integer(
        5, low=1, high=100, help="Most attempts at a request; 1 = never repeat one."
    )
    timeout: float = real(
        30.0,
        low=0.1,
        high=3600,
        scale="log10",
        unit="seconds",
        help="Longest wait for an answer, and for a connection.",
    )


@dataclass(frozen=True, kw_only=True)
class LinkParameters:
    """What lies between client and server; workloads declare theirs by `same_as`."""

    round_trip: float = real(
        0.0,
        low=0,
        high=60,
        unit="seconds",
        help="Time that a proxy adds to every round trip to the server; 0 = none.",
    )
    link_bandwidth: int = integer(
        0,
        low=0,
        high=10**12,
        unit="bytes",
        help="Bytes a second in each direction that a proxy lets through, of all connections together; 0 = no limit.",
    )
    request_rate: float = real(
        0.0,
        low=0,
        high=1e6,
        unit="requests/s",
        help="Requests a second above which a proxy answers 503 SlowDown; 0 = no limit.",
    )


class S3Settings(Protocol):
    """The parameters of a workload that has these among others."""

    @property
    def access_key(self) -> str: ...
    @property
    def secret_key(self) -> str: ...
    @property
    def region(self) -> str: ...
    @property
    def path_style(self) -> bool: ...
    @property
    def timeout(self) -> float: ...


@dataclass(frozen=True, kw_only=True)
class S3Access:
    """A place in S3, and what somebody is let in by."""

    address: S3Address
    access_key: str
    """Where it is kept, as `Secret`; empty = as boto3 finds it."""
    secret_key: str
    region: str
    """Empty = as boto3 finds it."""
    path_style: bool

    @classmethod
    def by(cls, parameters: S3Settings, address: S3Address) -> Self:
        """The place at an address, and what a workload's parameters let in by."""
        return cls(
            address=address,
            access_key=parameters.access_key,
            secret_key=parameters.secret_key,
            region=parameters.region,
            path_style=parameters.path_style,
        )

    def credentials(self) -> Mapping[str, str]:
        """The keys that were given, as boto3 names them; raises InvalidParameter for only one."""
        if bool(self.access_key) != bool(self.secret_key):
            raise InvalidParameter(
                "secret_key" if self.access_key else "access_key",
                tr("both keys are needed, or none"),
                tr("give env:NAME for each, or neither, so that boto3 finds them"),
            )
        if not self.access_key:
            return {}
        key = reveal(self.access_key, in_header=True)
        return {"aws_access_key_id": key, "aws_secret_access_key": reveal(self.secret_key)}


@dataclass(frozen=True, kw_only=True)
class S3Repeats:
    """How often botocore sends a request again by itself, over how many connections."""

    attempts: int = 1
    """Most attempts at a request."""
    connections: int
    """Most that are kept open."""
    mode: str = "standard"
    timeout: float
    """Seconds after which an answer is given up."""


def s3_address(address: str) -> S3Address:
    """What an address means; raises InvalidParameter, never repeating credentials."""
    parts = urlsplit(address)
    query = parse_qs(parts.query)
    endpoint = query.pop("endpoint", [""])[-1]
    if parts.scheme != "s3" or not parts.netloc or query:
        raise InvalidParameter(
            "address",
            tr("{address!r} is no place in S3", address=address),
            tr("give s3://bucket/prefix, and for a server of your own ?endpoint=http://host:port"),
        )
    if endpoint and (urlsplit(endpoint).scheme not in ("http", "https") or "@" in endpoint):
        raise InvalidParameter(
            "address",
            tr("the endpoint is not a URL without credentials"),
            tr("give ?endpoint=http://host:port, and the keys as access_key and secret_key"),
        )
    prefix = parts.path.strip("/")
    return S3Address(bucket=parts.netloc, prefix=f"{prefix}/" if prefix else "", endpoint=endpoint)


def s3_client(access: S3Access, repeats: S3Repeats) -> Any:
    """A client of boto3; raises SluiceError."""
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        client = boto3_session(access).client(
            "s3",
            endpoint_url=access.address.endpoint or None,
            config=Config(**botocore_settings(access, repeats)),
        )
        client.meta.events.register("needs-retry.s3", attempt_on_wire)
        # botocore asks with it where a redirect leads, and asks again where that is redirected.
        client.meta.events.register("before-call.s3.HeadBucket", follow_no_redirect)
        return client
    except (BotoCoreError, ClientError, ValueError) as error:
        raise explained(error, access.address) from error


def follow_no_redirect(params: Any, **_: Any) -> None:
    """Called by botocore before a request."""
    params["context"].setdefault("s3_redirect", {})["redirected"] = True


def botocore_settings(access: S3Access, repeats: S3Repeats) -> dict[str, Any]:
    """The settings of botocore's `Config`, and of aiobotocore's."""
    return {
        "s3": {"addressing_style": "path" if access.path_style else "virtual"},
        "max_pool_connections": repeats.connections,
        "retries": {"total_max_attempts": repeats.attempts, "mode": repeats.mode},
        "connect_timeout": min(CONNECTING, repeats.timeout),
        "read_timeout": repeats.timeout,
        # Not every server but Amazon's knows the newer checksums.
        "request_checksum_calculation": "when_required",
        "response_checksum_validation": "when_required",
    }


def boto3_session(access: S3Access) -> Any:
    """A session of boto3, whose credentials are shown nowhere from now on."""
    import boto3

    session = boto3.Session(**access.credentials(), region_name=access.region or None)
    _remember_found(session)
    return session


_WIRE: collections.Counter[str] = collections.Counter()
"""The requests of all clients of objects in this process."""
_COUNTING = Lock()


def counted_on_wire() -> Mapping[str, float]:
    """The requests of this process for objects, each attempt once, and those refused for now."""
    return {name: float(_WIRE[name]) for name in (EVERY_REQUEST, EVERY_REFUSAL)}


def attempt_on_wire(response: Any = None, **_: Any) -> None:
    """Called by botocore after every attempt; to return nothing leaves the decision to it."""
    count_on_wire(0 if response is None else response[0].status_code)


def count_on_wire(status: int, requests: int = 1) -> None:
    """Count requests of this process, and their answer where that is a refusal."""
    with _COUNTING:
        _WIRE[EVERY_REQUEST] += requests
        if status and str(status) in COUNTED:
            _WIRE[EVERY_REFUSAL] += 1


def _remember_found(session: Any) -> None:
    """Keep credentials that boto3 finds by itself out of everything that is stored and shown."""
    credentials = session.get_credentials()
    if credentials is not None:
        frozen = credentials.get_frozen_credentials()
        for name in ("access_key", "secret_key", "token"):
            if value := getattr(frozen, name):
                keep_secret(value, f"boto3:{name}", in_header=name != "secret_key")


def count_attempts(client: Any, count: Callable[[str, float], None]) -> None:
    """Count the requests of a client of botocore's, what of them it repeats, and refusals."""

    def attempt_ended(attempts: int, response: Any = None, **_: Any) -> None:
        """Called after every attempt; to return nothing leaves the decision to botocore."""
        refused = response is not None and str(response[0].status_code) in COUNTED
        for name, happened in ((REQUESTS, 1), (RETRIES, attempts > 1), (REFUSALS, refused)):
            if happened:
                count(name, 1)

    client.meta.events.register("needs-retry.s3", attempt_ended)


type Perform = Callable[[Callable[[], Any]], Any]
"""Carries out one request."""


def remove_objects(s3: Any, bucket: str, prefix: str, perform: Perform = lambda ask: ask()) -> int:
    """Remove all objects below a prefix; returns how many, raises SluiceError for what stays."""
    removed = 0
    # A list has up to a thousand names, which is as many as can be deleted at once.
    first = partial(s3.list_objects_v2, Bucket=bucket, Prefix=prefix)
    while names := [one["Key"] for one in perform(first).get("Contents", ())]:
        delete_objects(s3, bucket, names, perform)
        removed += len(names)
    return removed


def delete_objects(
    s3: Any, bucket: str, names: Sequence[str], perform: Perform = lambda ask: ask()
) -> None:
    """Delete up to a thousand objects; raises SluiceError for what stays."""
    request = {"Objects": [{"Key": name} for name in names], "Quiet": True}
    answer = perform(partial(s3.delete_objects, Bucket=bucket, Delete=request))
    for refusal in answer.get("Errors", ()):
        name, why = refusal.get("Key", ""), refusal.get("Message") or refusal.get("Code", "")
        raise SluiceError(tr("S3 does not remove {name}: {why}", name=name, why=why))


def end_uploads(s3: Any, bucket: str, prefix: str, perform: Perform = lambda ask: ask()) -> int:
    """End uploads in parts that were cut off, which no list of objects shows; returns how many."""
    begun = list(_cut_uploads(s3, bucket, prefix))
    for key, upload in begun:
        perform(partial(s3.abort_multipart_upload, Bucket=bucket, Key=key, UploadId=upload))
    return len(begun)


def _cut_uploads(s3: Any, bucket: str, prefix: str) -> Iterator[tuple[str, str]]:
    from botocore.exceptions import ClientError

    pages = s3.get_paginator("list_multipart_uploads")
    try:
        for page in pages.paginate(Bucket=bucket, Prefix=prefix):
            for one in page.get("Uploads", ()):
                yield one["Key"], one["UploadId"]
    except ClientError as error:
        if code_of(error) != "NotImplemented":  # by a server without uploads in parts
            raise


def _answer_of(error: Exception) -> Mapping[str, Any]:
    """S3's answer that an error stands for; empty without one."""
    return getattr(error, "response", None) or {}


def status_of(error: Exception) -> int:
    """The status of a refusal; 0 without an answer."""
    return int(_answer_of(error).get("ResponseMetadata", {}).get("HTTPStatusCode", 0))


def code_of(error: Exception) -> str:
    """S3's name for a refusal, such as `NoSuchBucket`; empty without an answer."""
    return str(_answer_of(error).get("Error", {}).get("Code", ""))


def explained(error: Exception, address: S3Address) -> SluiceError:
    """A refusal in S3's or botocore's own words, and what to do."""
    cause = tr("S3 does not give {bucket}: {why}", bucket=address.bucket, why=error)
    return SluiceError(cause, remedy_of(error))


def remedy_of(error: Exception) -> str:
    """What to do about a refusal, by its name or its status; empty where that is not known."""
    keys = tr("check access_key and secret_key, and what they may do with this bucket")
    login = tr("check access_key and secret_key, if it wants keys, and what may be read there")
    clock = tr("set this machine's clock, best by NTP: it differs from the server's by too much")
    region = tr("name the bucket's region with region")
    absent = tr("check the endpoint in the address, and that a server listens there")
    fewer = tr("use fewer threads, or a longer backoff_base")
    remedies = {
        "NoSuchBucket": tr("create the bucket, or name another in the address"),
        "InvalidAccessKeyId": keys,
        "SignatureDoesNotMatch": keys,
        "AccessDenied": keys,
        "NoCredentialsError": tr("give access_key and secret_key, or what boto3 looks for"),
        "RequestTimeTooSkewed": clock,
        "RequestExpired": clock,
        "PermanentRedirect": region,
        "AuthorizationHeaderMalformed": region,
        "EndpointConnectionError": absent,
        "ConnectTimeoutError": absent,
        "ConnectionClosedError": look_at_server(),
        "HTTPClientError": absent,
        "SSLError": tr(
            "have it show a certificate that this machine trusts, for the name in the address"
        ),
        "Redirected": tr("give the address that it leads to in the end"),
        "BadAnswer": look_at_server(),
        "OtherRange": tr(
            "have it answer ranges with 206, without a cache in between that does not"
        ),
        "ReadTimeoutError": wait_longer(),
        "SlowDown": fewer,
        "InternalError": tr("look into the server's log; its disk may be full"),
        "QuotaExceeded": make_room(),
        "XMinioStorageFull": make_room(),
        "XAdminUserNotFound": keys,  # versitygw's name for an unknown access key
    }
    # Servers have names of their own, but mean the same by a status.
    by_status = {301: region, 401: login, 403: login, 404: absent, 429: fewer, 503: fewer}
    by_status |= {500: look_at_server(), 507: make_room()}
    by_name = remedies.get(code_of(error) or type(error).__name__)
    return by_name or by_status.get(status_of(error), "")


def look_at_server() -> str:
    """Where a server has gone, or says that something in it went wrong."""
    return tr("look whether the server still runs, and into its log")


def wait_longer() -> str:
    """Where an answer did not come in time."""
    return tr("look whether the server is overloaded; use fewer threads, or a longer timeout")


def make_room() -> str:
    """Where a disk is full or a quota used up."""
    return tr("make room where the store keeps its data")
