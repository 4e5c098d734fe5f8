"""A client of S3 through boto3: where it connects, and what its refusals mean.

The client counts what S3 refuses while it happens: `503`, `429`, `retries`, and in the mode
`exponential`, where the waiting is done here, `backoff seconds`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Event
from typing import Any
from urllib.parse import parse_qs, urlsplit

from core import InvalidParameter, SluiceError, remember, reveal, tr
from workloads.tiles.stores.remedies import look_at_server, make_room, wait_longer
from workloads.tiles.stores.store import Opening

_REFUSALS = ("503", "429")
_PASSING = frozenset({429, 500, 502, 503, 504})
"""Statuses after which the same request may succeed."""
_LONGEST_WAIT = 20.0  # seconds, as in botocore's own modes
_CONNECTING, _READING = 10, 60
"""Seconds after which a connection and an answer are given up."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """A place in S3: `s3://bucket/prefix?endpoint=URL`."""

    bucket: str
    prefix: str
    """Ends with a slash unless it is empty."""
    endpoint: str
    """Empty = Amazon's."""


def place_of(address: str) -> Place:
    """The place that an address means; raises InvalidParameter, never repeating credentials."""
    parts = urlsplit(address)
    query = parse_qs(parts.query)
    endpoint = query.pop("endpoint", [""])[-1]
    if parts.scheme != "s3" or not parts.netloc or query:
        raise InvalidParameter(
            "address",
            tr("{address} is not a place in S3", address=address),
            tr("give s3://bucket/prefix, and for a server of your own ?endpoint=http://host:port"),
        )
    if endpoint and (urlsplit(endpoint).scheme not in ("http", "https") or "@" in endpoint):
        raise InvalidParameter(
            "address",
            tr("the endpoint is not a URL without credentials"),
            tr("give ?endpoint=http://host:port, and the keys as access_key and secret_key"),
        )
    prefix = parts.path.strip("/")
    return Place(bucket=parts.netloc, prefix=f"{prefix}/" if prefix else "", endpoint=endpoint)


class Client:
    """A boto3 client that repeats requests as the parameters say; for many threads."""

    def __init__(self, opening: Opening, place: Place) -> None:
        import boto3
        from botocore.config import Config
        from botocore.exceptions import BotoCoreError, ClientError

        self.place = place
        self._tally = opening.tally
        self._asked = asked = opening.parameters
        self._own = asked["retry_mode"] == "exponential"
        self._attempts = _whole(asked["attempts"])
        self._never = Event()
        self._passing = _passing_errors()
        try:
            session = boto3.Session(**_credentials(asked), region_name=asked["region"] or None)
            _remember_found(session)
            self.s3: Any = session.client(
                "s3",
                endpoint_url=place.endpoint or None,
                config=Config(
                    s3={"addressing_style": "path" if asked["path_style"] else "virtual"},
                    max_pool_connections=_whole(asked["pool_size"]) or opening.threads,
                    retries={
                        "total_max_attempts": 1 if self._own else self._attempts,
                        "mode": "standard" if self._own else asked["retry_mode"],
                    },
                    connect_timeout=_CONNECTING,
                    read_timeout=_READING,
                    # Not every server but Amazon's knows the newer checksums.
                    request_checksum_calculation="when_required",
                    response_checksum_validation="when_required",
                ),
            )
        except (BotoCoreError, ClientError, ValueError) as error:
            raise explained(error, place) from error
        self.s3.meta.events.register("needs-retry.s3", self._count)

    def perform[Answer](self, request: Callable[[], Answer], attempts: int = 0) -> Answer:
        """The answer to a request, repeated while it fails in passing; raises botocore's errors."""
        most = (attempts or self._attempts) if self._own else 1
        for attempt in range(1, most):
            try:
                return request()
            except self._passing as error:
                if not _may_pass(error):
                    raise
            self._tally("retries", 1)
            self._wait(attempt)
        return request()

    def _wait(self, attempt: int) -> None:
        """A random time up to the base, which doubles with every attempt ("full jitter")."""
        base = float(str(self._asked["backoff_base"]))
        seconds = random.uniform(0, min(base * 2 ** (attempt - 1), _LONGEST_WAIT))
        self._never.wait(seconds)
        self._tally("backoff seconds", seconds)

    def _count(self, **told: Any) -> None:
        """Called by botocore after every attempt; to return nothing leaves the decision to it."""
        if told["attempts"] > 1:
            self._tally("retries", 1)
        answer = told.get("response")
        if answer is not None and (status := str(answer[0].status_code)) in _REFUSALS:
            self._tally(status, 1)

    def close(self) -> None:
        """Close the connections."""
        self.s3.close()


def _whole(value: object) -> int:
    return int(str(value))


def _credentials(asked: Mapping[str, object]) -> Mapping[str, str]:
    """Those that were given; raises InvalidParameter for one key without the other."""
    given = {name: str(asked[name]) for name in ("access_key", "secret_key") if asked[name]}
    if len(given) == 1:
        missing = "secret_key" if "access_key" in given else "access_key"
        raise InvalidParameter(
            missing,
            tr("both keys are needed, or none"),
            tr("give env:NAME for each, or neither, so that boto3 finds them"),
        )
    if not given:
        return {}
    return {
        "aws_access_key_id": reveal(given["access_key"]),
        "aws_secret_access_key": reveal(given["secret_key"]),
    }


def _remember_found(session: Any) -> None:
    """Keep what boto3 found by itself out of everything that is stored and shown."""
    found = session.get_credentials()
    if found is not None:
        frozen = found.get_frozen_credentials()
        for name in ("access_key", "secret_key", "token"):
            if value := getattr(frozen, name):
                remember(value, f"boto3:{name}")


def _passing_errors() -> tuple[type[Exception], ...]:
    from botocore import exceptions

    return (
        exceptions.ClientError,
        exceptions.ConnectionError,
        exceptions.HTTPClientError,
        exceptions.IncompleteReadError,
    )


def _may_pass(error: Exception) -> bool:
    """Whether the same request may succeed later; one without an answer always may."""
    status = _status_of(error)
    return not status or status in _PASSING


def _status_of(error: Exception) -> int:
    """The status of a refusal; 0 without an answer."""
    return int(_answer_of(error).get("ResponseMetadata", {}).get("HTTPStatusCode", 0))


def code_of(error: Exception) -> str:
    """S3's name for a refusal, such as `NoSuchBucket`; empty without an answer."""
    return str(_answer_of(error).get("Error", {}).get("Code", ""))


def _answer_of(error: Exception) -> Mapping[str, Any]:
    return getattr(error, "response", None) or {}


def explained(error: Exception, place: Place) -> SluiceError:
    """A refusal in S3's or botocore's own words, and what to do."""
    return SluiceError(
        tr("S3 does not give {bucket}: {why}", bucket=place.bucket, why=error), remedy_of(error)
    )


def remedy_of(error: Exception) -> str:
    """What to do about a refusal, by its name or its status; empty where that is not known."""
    keys = tr("check access_key and secret_key, and what they may do with this bucket")
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
        "ConnectionClosedError": absent,
        "HTTPClientError": absent,
        "ReadTimeoutError": wait_longer(),
        "SlowDown": fewer,
        "InternalError": tr("look into the server's log; its disk may be full"),
        "QuotaExceeded": make_room(),
        "XMinioStorageFull": make_room(),
        "XAdminUserNotFound": keys,  # versitygw's name for an unknown access key
    }
    # Servers have names of their own, but mean the same by a status.
    by_status = {301: region, 401: keys, 403: keys, 404: absent, 429: fewer, 503: fewer}
    by_status |= {500: look_at_server(), 507: make_room()}
    found = remedies.get(code_of(error) or type(error).__name__)
    return found or by_status.get(_status_of(error), "")
