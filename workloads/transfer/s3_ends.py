"""The end of a transfer that is in S3, as the parameters say."""

from __future__ import annotations

from typing import Any

from workloads.shared.s3_access import S3Access, S3Repeats, s3_address, s3_client
from workloads.transfer.transfer_parameters import TransferParameters


def access_of(parameters: TransferParameters) -> S3Access:
    """Where it is, and what lets the client in; raises InvalidParameter."""
    return S3Access(
        address=s3_address(parameters.address),
        access_key=parameters.access_key,
        secret_key=parameters.secret_key,
        region=parameters.region,
        path_style=parameters.path_style,
    )


def client_of(parameters: TransferParameters, connections: int) -> Any:
    """A client of boto3 for it; raises SluiceError."""
    repeats = S3Repeats(attempts=parameters.attempts, connections=connections)
    return s3_client(access_of(parameters), repeats)
