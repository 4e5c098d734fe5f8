"""The lab's own proxy, in front of one of its servers or of another one."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import asdict, dataclass

from core.lab.recipe import Kit, Recipe, Server, ServerCommand, Site, local_answer
from core.language import UsageError, tr
from core.vocabulary import integer, real, text


@dataclass(frozen=True, kw_only=True)
class ProxyParameters:
    """How far away and how busy the server behind the proxy seems to be; 0 = no limit."""

    of: str = text("", help="What it stands in front of: a server of the lab, or HOST:PORT.")
    latency: float = real(
        0.0, low=0.0, high=60.0, unit="seconds", help="Added to every round trip, half each way."
    )
    jitter: float = real(
        0.0, low=0.0, high=60.0, unit="seconds", help="By which the latency differs, at most."
    )
    rate: float = real(
        0.0,
        low=0.0,
        high=1e6,
        unit="requests/s",
        help="Requests a second above which HTTP is answered with 503 SlowDown; 0 = no limit.",
    )
    burst: int = integer(
        0,
        low=0,
        high=10**6,
        unit="requests",
        help="Requests that may come at once; 0 = those of a tenth of a second.",
    )
    bandwidth: int = integer(
        0,
        low=0,
        high=10**12,
        unit="bytes",
        help="Bytes a second in each direction, of all connections together; 0 = no limit.",
    )
    connections: int = integer(
        0,
        low=0,
        high=10**5,
        unit="connections",
        help="Connections at a time above which more are closed at once; 0 = no limit.",
    )


@dataclass(frozen=True, kw_only=True)
class ProxySettings(ProxyParameters):
    """The settings of the proxy's process, passed as a line of JSON."""

    port: int = 0
    """0 = any, and the proxy is of one trial: it says which, answers each line of its input with
    its counts, and ends with that input."""
    status_port: int = 0
    host_of: str
    port_of: int


_HOST = "127.0.0.1"
_PLACE = re.compile(r"([\w.-]+):(\d{1,5})")


def _start(kit: Kit, site: Site) -> Server:
    of = str(site.options["of"])
    port, status_port = site.ports["main"], site.ports["status"]
    behind = site.others.get(of)
    match = _PLACE.search(behind.address) if behind else _PLACE.fullmatch(of)
    if match is None:
        raise UsageError(
            tr("there is no server {name!r} to stand in front of", name=of),
            tr("start it first, and give its name or HOST:PORT as --of"),
        )
    settings = ProxySettings(
        port=port,
        status_port=status_port,
        host_of=match[1],
        port_of=int(match[2]),
        **site.options,  # type: ignore[arg-type]  # ProxyParameters declares them
    )
    text = json.dumps(asdict(settings))
    here = f"{_HOST}:{port}"
    return Server(
        commands=(
            ServerCommand(
                name="proxy",
                argv=(sys.executable, "-P", "-m", "core.lab.proxy_server", text),
            ),
        ),
        ready=lambda: bool(_counted(status_port)),
        # Who comes through the proxy needs what who comes directly needs.
        address=behind.address.replace(match[0], here) if behind else here,
        secrets=behind.secrets if behind else {},
        status=lambda: _counted(status_port),
    )


def _counted(port: int) -> dict[str, int | float | str]:
    text = local_answer(port)
    try:
        counts: dict[str, int | float | str] = json.loads(text)
    except ValueError:
        raise ConnectionError(f"not an answer: {text!r}") from None
    return counts


PROXY = Recipe(
    name="proxy",
    title="Proxy",
    start=_start,
    ports=("main", "status"),
    parameters=ProxyParameters,
    turn=2,
)
