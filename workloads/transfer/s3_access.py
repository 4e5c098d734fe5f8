"""How S3 is reached: addresses, credentials, clients of boto3, and what its refusals mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

from core import InvalidParameter, SluiceError, remember, reveal, tr
from workloads.transfer.transfer_parameters import TransferParameters

_CONNECTING, _READING = 10, 60
"""Seconds after which a connection and an answer are given up."""


@dataclass(frozen=True, kw_only=True)
class S3Address:
    """A place in S3: `s3://bucket/prefix?endpoint=URL`."""

    bucket: str
    prefix: str
    """Ends with a slash unless it is empty."""
    endpoint: str
    """Empty = Amazon's."""


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


def credentials_of(parameters: TransferParameters) -> Mapping[str, str]:
    """The keys that were given, as boto3 names them; raises InvalidParameter for only one."""
    given = {
        name: reference
        for name, reference in (
            ("access_key", parameters.access_key),
            ("secret_key", parameters.secret_key),
        )
        if reference
    }
    if len(given) == 1:
        missing = "secret_key" if "access_key" in given else "access_key"
        raise InvalidParameter(
            missing,
            tr("both keys are needed, or none"),
            tr("give env:NAME for each, or neither, so that boto3 finds them"),
        )
    names = {"access_key": "aws_access_key_id", "secret_key": "aws_secret_access_key"}
    return {names[name]: reveal(reference) for name, reference in given.items()}


def s3_client(parameters: TransferParameters, connections: int) -> Any:
    """A client of boto3; raises SluiceError."""
    import boto3
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError

    address = s3_address(parameters.address)
    try:
        session = boto3.Session(**credentials_of(parameters), region_name=parameters.region or None)
        _remember_found(session)
        return session.client(
            "s3",
            endpoint_url=address.endpoint or None,
            config=Config(
                s3={"addressing_style": "path" if parameters.path_style else "virtual"},
                max_pool_connections=connections,
                retries={"total_max_attempts": parameters.attempts, "mode": "standard"},
                connect_timeout=_CONNECTING,
                read_timeout=_READING,
                # Not every server but Amazon's knows the newer checksums.
                request_checksum_calculation="when_required",
                response_checksum_validation="when_required",
            ),
        )
    except (BotoCoreError, ValueError) as error:
        raise explained(error, address) from error


def _remember_found(session: Any) -> None:
    """Keep what boto3 found by itself out of everything that is stored and shown."""
    found = session.get_credentials()
    if found is not None:
        frozen = found.get_frozen_credentials()
        for name in ("access_key", "secret_key", "token"):
            if value := getattr(frozen, name):
                remember(value, f"boto3:{name}")


def answer_of(error: Exception) -> Mapping[str, Any]:
    """S3's answer that an error stands for; empty without one."""
    return getattr(error, "response", None) or {}


def code_of(error: Exception) -> str:
    """S3's name for a refusal, such as `NoSuchBucket`; empty without an answer."""
    return str(answer_of(error).get("Error", {}).get("Code", ""))


def explained(error: Exception, address: S3Address) -> SluiceError:
    """A refusal in S3's or botocore's own words, and what to do."""
    return SluiceError(
        tr("S3 does not give {bucket}: {why}", bucket=address.bucket, why=error), _remedy(error)
    )


def _remedy(error: Exception) -> str:
    keys = tr("check access_key and secret_key, and what they may do with this bucket")
    region = tr("name the bucket's region with region")
    absent = tr("check the endpoint in the address, and that a server listens there")
    by_name = {
        "NoSuchBucket": tr("create the bucket, or name another in the address"),
        "NoCredentialsError": tr("give access_key and secret_key, or what boto3 looks for"),
        "PermanentRedirect": region,
        "AuthorizationHeaderMalformed": region,
        "EndpointConnectionError": absent,
        "ConnectTimeoutError": absent,
        "ConnectionClosedError": absent,
        "XAdminUserNotFound": keys,  # versitygw's name for an unknown access key
    }
    status = answer_of(error).get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    by_status = {301: region, 401: keys, 403: keys}
    return by_name.get(code_of(error) or type(error).__name__, "") or by_status.get(status, "")
