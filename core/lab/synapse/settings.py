"""What the recipe tells both processes of the stand-in: a line of JSON, and the environment."""

from __future__ import annotations

import os
from dataclasses import dataclass

import msgspec

TOKEN = "SLUICE_SYNAPSE_TOKEN"
SIGNING_KEY = "SLUICE_SYNAPSE_SIGNING_KEY"
ACCESS_KEY = "SLUICE_SYNAPSE_ACCESS_KEY"
SECRET_KEY = "SLUICE_SYNAPSE_SECRET_KEY"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Where both processes are, and what goes wrong on purpose (`SynapseParameters`)."""

    folder: str
    """Where the bytes are kept, unless they are in an S3."""
    service_port: int
    storage_port: int
    store: str = "disk"
    endpoint: str = ""
    """Of the S3 that has the bytes, and the bucket there."""
    bucket: str = ""
    latency: float = 0.0
    bandwidth: int = 0
    throttled: float = 0.0
    failing: float = 0.0
    unavailable: float = 0.0
    dropped: float = 0.0
    stalled: float = 0.0
    retry_after: float = 1.0
    expiry: float = 900.0
    fault_seed: int = 1

    @property
    def token(self) -> str:
        """That clients must have; from the environment, where no list of processes shows it."""
        return os.environ[TOKEN]

    @property
    def signing_key(self) -> str:
        """Of presigned URLs; from the environment."""
        return os.environ[SIGNING_KEY]

    @property
    def s3_keys(self) -> tuple[str, str]:
        """Access key and secret key of the S3; from the environment."""
        return os.environ[ACCESS_KEY], os.environ[SECRET_KEY]

    @property
    def storage(self) -> str:
        """The beginning of presigned URLs."""
        return f"http://127.0.0.1:{self.storage_port}"


def read_settings(text: str) -> Settings:
    """The settings from a line of JSON."""
    return msgspec.json.decode(text, type=Settings)
