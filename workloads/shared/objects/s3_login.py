"""Credentials and region in S3 for clients that are not boto3."""

from __future__ import annotations

import os
from dataclasses import dataclass

from workloads.shared.objects import BOTO3
from workloads.shared.servers import S3Access, boto3_session, explained

_REGION = "us-east-1"
"""Where none is named: most servers of one's own take any."""


@dataclass(frozen=True, kw_only=True)
class S3Login:
    """Credentials and region for a client that is not boto3."""

    key: str
    secret: str
    token: str | None
    region: str


def s3_login(access: S3Access) -> S3Login:
    """As given, else as boto3 finds them, which is imported only then; raises SluiceError."""
    if own_keys := access.credentials():
        key, hidden = own_keys.values()
        region = access.region or os.environ.get("AWS_REGION", "") or _REGION
        return S3Login(key=key, secret=hidden, token=None, region=region)
    BOTO3.require()
    from botocore.exceptions import BotoCoreError, NoCredentialsError

    try:
        session = boto3_session(access)
        credentials = session.get_credentials()
        if credentials is None:
            raise NoCredentialsError
        frozen = credentials.get_frozen_credentials()
    except (BotoCoreError, ValueError) as error:
        raise explained(error, access.address) from error
    return S3Login(
        key=frozen.access_key,
        secret=frozen.secret_key,
        token=frozen.token,
        region=access.region or session.region_name or _REGION,
    )
