"""The parameters of transferring trees of files."""

from __future__ import annotations

from dataclasses import dataclass

from core import choice, flag, integer, location, same_as, secret, text
from workloads.shared.servers import LinkParameters, S3Parameters
from workloads.transfer.clients import CLIENTS

_S3_CLIENTS = tuple(entry.name for entry in CLIENTS if entry.scheme == "s3")
_S3 = {"client": _S3_CLIENTS}
_SYNAPSE = {"client": tuple(entry.name for entry in CLIENTS if entry.scheme == "synapse")}


@dataclass(frozen=True, kw_only=True)
class TransferParameters:
    """What is transferred by which client, from where to where."""

    direction: str = choice(
        "down",
        options={
            "down": "Fetch a tree, which is placed there once and used again, into a folder of the trial's own.",
            "up": "Send a tree to a place of the trial's own, which is audited and removed.",
        },
        help="Whether files are fetched or sent.",
    )
    client: str = choice(
        "copy",
        options={entry.name: entry.option for entry in CLIENTS},
        help="What transfers the files, by as many threads as the load has.",
    )
    address: str = location(
        "",
        help="The other end, such as s3://bucket/prefix?endpoint=http://host:port or synapse://synapse.org/syn123; empty = a folder in the cache, for copies only.",
    )
    folder: str = location(
        "",
        only_when={"direction": ("down",)},
        help="Folder to fetch files to; each trial has its own below it, which is removed. Empty = a folder in the cache.",
    )
    below: str = text(
        "",
        help="Folder of the tree to transfer, such as 775-files of the published trees. Empty = the whole tree.",
    )
    part_size: int = integer(
        8 << 20,
        low=5 << 20,
        high=5 << 30,
        scale="log2",
        unit="bytes",
        only_when=_S3,
        help="Bytes of each part. Files of that size or more are transferred in parts.",
    )
    max_connections: int = same_as(
        S3Parameters, "connections", only_when={"client": ("boto3", "s3fs")}
    )
    attempts: int = same_as(S3Parameters, "attempts", only_when=_S3)
    timeout: float = same_as(S3Parameters, "timeout", default=60.0, only_when=_S3)
    round_trip: float = same_as(LinkParameters, "round_trip", only_when=_S3)
    link_bandwidth: int = same_as(LinkParameters, "link_bandwidth", only_when=_S3)
    request_rate: float = same_as(LinkParameters, "request_rate", only_when=_S3)
    runs: int = integer(
        1,
        low=1,
        high=100,
        help="Most runs of the client over a tree. A further run sends what the run before left out, if the client can.",
    )
    access_key: str = same_as(S3Parameters, "access_key", only_when=_S3)
    secret_key: str = same_as(S3Parameters, "secret_key", only_when=_S3)
    region: str = same_as(S3Parameters, "region", only_when=_S3)
    path_style: bool = same_as(
        S3Parameters,
        "path_style",
        only_when={"client": tuple(name for name in _S3_CLIENTS if name != "s5cmd")},
    )
    token: str = secret(
        only_when=_SYNAPSE,
        help="Personal access token for Synapse that may view, download and modify.",
    )
    annotations: bool = flag(
        False,
        only_when={**_SYNAPSE, "direction": ("up",)},
        help="Give each file the five annotations of the published measurements: text, whole number, number, truth and date.",
    )
