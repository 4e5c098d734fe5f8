"""The lab's own stand-in for the Synapse service; `core.lab.synapse` says how a client is pointed
at it.

Its processes get the settings as a line of JSON, and the secrets in their environment.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec

from core.lab.recipe import Kit, Recipe, Server, ServerCommand, Site, local_answer
from core.lab.synapse.stored_files import BOTO3
from core.language import UsageError, command_text, tr
from core.vocabulary import Driver, choice, integer, real

_HOST = "127.0.0.1"
_AIOHTTP = Driver(module="aiohttp", distribution="aiohttp", install="pip install sluice[transfer]")
TOKEN = "SLUICE_SYNAPSE_TOKEN"
SIGNING_KEY = "SLUICE_SYNAPSE_SIGNING_KEY"
ACCESS_KEY = "SLUICE_SYNAPSE_ACCESS_KEY"
SECRET_KEY = "SLUICE_SYNAPSE_SECRET_KEY"


def _share(help: str) -> Any:
    return real(0.0, low=0.0, high=1.0, help=help)


@dataclass(frozen=True, kw_only=True)
class SynapseParameters:
    """How far away, how busy and how unreliable the service seems to be; 0 = not at all."""

    store: str = choice(
        "disk",
        options={
            "disk": "A folder, by a storage of its own that can be slow and fail on purpose.",
            "s3": "The lab's S3, at presigned URLs of its own, as the real service has it.",
        },
        help="Where the bytes of files are kept.",
    )
    latency: float = real(
        0.0, low=0.0, high=60.0, unit="seconds", help="Added to every request, before its answer."
    )
    bandwidth: int = integer(
        0,
        low=0,
        high=10**12,
        unit="bytes",
        help="Bytes of files a second in each direction, of all transfers together; 0 = no limit.",
    )
    throttled: float = _share(
        "Share of the service's requests that are answered with 429 and Retry-After."
    )
    failing: float = _share("Share of all requests that are answered with 500.")
    unavailable: float = _share("Share of all requests that are answered with 503.")
    dropped: float = _share(
        "Share of all requests whose connection is cut, those of files in the middle."
    )
    stalled: float = _share(
        "Share of the requests of files that stop in the middle and never go on."
    )
    retry_after: float = real(
        1.0, low=0.0, high=3600.0, unit="seconds", help="What 429 asks the client to wait."
    )
    expiry: float = real(
        900.0,
        low=1.0,
        high=604_800.0,
        unit="seconds",
        help="How long presigned URLs are valid; whole seconds.",
    )
    fault_seed: int = integer(
        1, low=0, high=2**31, help="Faults are drawn from it, so that they can be repeated."
    )


@dataclass(frozen=True, kw_only=True)
class Settings(SynapseParameters):
    """What goes wrong on purpose, and where both processes are."""

    folder: str
    """Where the bytes are kept, unless they are in an S3."""
    service_port: int
    storage_port: int
    endpoint: str = ""
    """Of the S3 that has the bytes, and the bucket there."""
    bucket: str = ""

    @property
    def token(self) -> str:
        return os.environ[TOKEN]

    @property
    def signing_key(self) -> str:
        return os.environ[SIGNING_KEY]

    @property
    def s3_keys(self) -> tuple[str, str]:
        return os.environ[ACCESS_KEY], os.environ[SECRET_KEY]

    @property
    def storage(self) -> str:
        """The beginning of presigned URLs."""
        return f"http://{_HOST}:{self.storage_port}"


def _start(kit: Kit, site: Site) -> Server:
    _AIOHTTP.require()
    settings = Settings(
        folder=str(site.folder / "files"),
        service_port=site.ports["main"],
        storage_port=site.ports["storage"],
        **site.options,  # type: ignore[arg-type]  # SynapseParameters declares them
    )
    _require_shares(settings)
    if settings.store == "s3":
        settings = _in_s3(settings, site)
    text = msgspec.json.encode(dataclasses.asdict(settings)).decode()
    secrets = {TOKEN: site.secrets["token"], SIGNING_KEY: site.secrets["signing-key"]}
    ports = {"storage": settings.storage_port, "service": settings.service_port}
    if settings.store == "s3":
        keys = site.others["s3"].secrets
        secrets |= {ACCESS_KEY: keys["access-key"], SECRET_KEY: keys["secret-key"]}
        del ports["storage"]
    commands = tuple(
        ServerCommand(
            name=role,
            argv=(sys.executable, "-P", "-m", "core.lab.synapse.synapse_server", role, text),
            env=secrets,
        )
        for role in ports
    )
    return Server(
        commands=commands,
        ready=lambda: all(bool(_stats(port)) for port in ports.values()),
        address=f"synapse://{_HOST}:{settings.service_port}",
        secrets={"token": site.secrets["token"]},
        status=lambda: _counted({role: _stats(port) for role, port in ports.items()}),
    )


def _in_s3(settings: Settings, site: Site) -> Settings:
    """The settings with the lab's S3; raises UsageError, Unavailable."""
    BOTO3.require()
    if settings.bandwidth or settings.stalled:
        raise UsageError(
            tr("S3 itself is neither slow nor silent on purpose"),
            tr("leave out {names}, or keep the files on disk", names="bandwidth, stalled"),
        )
    if "s3" not in site.others:
        raise UsageError(
            tr("the lab has no S3 to keep files in"),
            tr("start it first: {command}", command=command_text("lab", "start", "s3")),
        )
    address = urlsplit(site.others["s3"].address)
    (endpoint,) = parse_qs(address.query)["endpoint"]
    return dataclasses.replace(settings, endpoint=endpoint, bucket=address.netloc)


def _require_shares(settings: Settings) -> None:
    """Raise UsageError where more requests would fail than there are."""
    names = ("throttled", "failing", "unavailable", "dropped", "stalled")
    if sum(getattr(settings, name) for name in names) > 1:
        raise UsageError(
            tr("more requests would fail than there are"),
            tr("give shares of 1 or less in all: {names}", names=", ".join(names)),
        )


class _Stats(msgspec.Struct, frozen=True, rename=lambda name: name.replace("_", " ")):
    """What a process tells at `/lab/stats`."""

    requests: dict[str, int]
    faults: dict[str, int]
    bytes_up: int
    bytes_down: int
    bytes_abandoned: int
    cpu_seconds: float


def _stats(port: int) -> _Stats:
    try:
        return msgspec.json.decode(local_answer(port, "/lab/stats"), type=_Stats)
    except msgspec.DecodeError as error:
        raise ConnectionError(str(error)) from None


def _counted(stats: Mapping[str, _Stats]) -> Mapping[str, int | float | str]:
    """By the roles of the processes; without a storage of its own, bytes are not counted."""
    every, faults = stats.values(), Counter[str]()
    for one in every:
        faults.update(one.faults)
    counts: dict[str, int | float | str] = {
        "requests": sum(sum(one.requests.values()) for one in every)
    }
    if storage := stats.get("storage"):
        counts |= {
            "bytes up": storage.bytes_up,
            "bytes down": storage.bytes_down,
            "bytes abandoned": storage.bytes_abandoned,
        }
    counts |= {f"cpu seconds of the {role}": stats[role].cpu_seconds for role in sorted(stats)}
    return {**counts, **{fault: faults[fault] for fault in sorted(faults)}}


SYNAPSE = Recipe(
    name="synapse",
    title="Synapse (stand-in)",
    start=_start,
    ports=("main", "storage"),
    secrets=("token", "signing-key"),
    parameters=SynapseParameters,
    turn=1,
)
