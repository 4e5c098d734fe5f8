"""The lab's own stand-in for the Synapse service; `core.lab.synapse` says how a client is pointed
at it.
"""

from __future__ import annotations

import dataclasses
import http.client
import sys
from collections.abc import Mapping

import msgspec

from core.catalog.parameters import Driver
from core.errors import UsageError
from core.lab.recipe import Command, Kit, Recipe, Server, Site
from core.lab.synapse.parameters import SynapseParameters
from core.lab.synapse.settings import SIGNING_KEY, TOKEN, Settings
from core.language.translation import tr

_PATIENCE = 5.0  # seconds
_HOST = "127.0.0.1"
_AIOHTTP = Driver(module="aiohttp", distribution="aiohttp", install="pip install sluice[transfer]")


def _start(kit: Kit, site: Site) -> Server:
    _AIOHTTP.require()
    ports = (site.ports["main"], site.ports["storage"])
    settings = Settings(
        folder=str(site.folder / "files"),
        service_port=ports[0],
        storage_port=ports[1],
        **site.options,  # type: ignore[arg-type]  # SynapseParameters declares them
    )
    _require_shares(settings)
    told = msgspec.json.encode(dataclasses.asdict(settings)).decode()
    secrets = {TOKEN: site.secrets["token"], SIGNING_KEY: site.secrets["signing-key"]}
    commands = tuple(
        Command(
            name=role,
            argv=(sys.executable, "-P", "-m", "core.lab.synapse.server", role, told),
            env=secrets,
        )
        for role in ("storage", "service")
    )
    return Server(
        commands=commands,
        ready=lambda: all(bool(_stats(port)) for port in ports),
        address=f"synapse://{_HOST}:{ports[0]}",
        secrets={"token": site.secrets["token"]},
        status=lambda: _counted(*map(_stats, ports)),
    )


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
    """What a process has done; raises OSError."""
    connection = http.client.HTTPConnection(_HOST, port, timeout=_PATIENCE)
    try:
        connection.request("GET", "/lab/stats")
        return msgspec.json.decode(connection.getresponse().read(), type=_Stats)
    except (http.client.HTTPException, msgspec.DecodeError) as error:
        raise ConnectionError(str(error)) from None
    finally:
        connection.close()


def _counted(service: _Stats, storage: _Stats) -> Mapping[str, int | float | str]:
    faults = {
        fault: service.faults.get(fault, 0) + storage.faults.get(fault, 0)
        for fault in sorted({*service.faults, *storage.faults})
    }
    return {
        "requests": sum(service.requests.values()) + sum(storage.requests.values()),
        "bytes up": storage.bytes_up,
        "bytes down": storage.bytes_down,
        "bytes abandoned": storage.bytes_abandoned,
        "cpu seconds of the service": service.cpu_seconds,
        "cpu seconds of the storage": storage.cpu_seconds,
        **faults,
    }


SYNAPSE = Recipe(
    name="synapse",
    title="Synapse (stand-in)",
    start=_start,
    ports=("main", "storage"),
    secrets=("token", "signing-key"),
    parameters=SynapseParameters,
)
