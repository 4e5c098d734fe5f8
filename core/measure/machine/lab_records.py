"""The lab's records for others: addresses of its servers, credentials, processes.

Nobody has to import the lab to read them.  While servers run, the credentials are in one file that
only its owner can read; `lab:SERVER/NAME` refers to one of them.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from core.language import Seconds, show_byte_rate, show_rate, tr
from core.measure.machine.folders import lab_folder
from core.measure.machine.shared_files import put_in_place

if TYPE_CHECKING:
    import psutil


READY = "ready"
LAB_KEEPER = "core.lab.keeper"
"""The module of the process that has started all servers of a lab."""


class LabServer(NamedTuple):
    address: str
    link: str
    """How it is reached, in some words."""


def lab_servers(folder: Path | None = None) -> Mapping[str, LabServer]:
    """The servers that serve, by name; none if no lab runs."""
    servers = _serving(folder or lab_folder())
    return {name: LabServer(server["address"], _link(server)) for name, server in servers.items()}


def _link(server: Mapping[str, Any]) -> str:
    """The delays and limits that the server's options put in the way."""
    options: Mapping[str, Any] = server.get("options", {})
    texts: Mapping[str, Callable[[Any], str]] = {
        "latency": _milliseconds,
        "jitter": lambda value: f"± {_milliseconds(value)}",
        "bandwidth": show_byte_rate,
        "rate": lambda value: tr("at most {rate}", rate=show_rate(value, tr("requests"))),
        "connections": lambda value: tr("{count} connections", count=value),
    }
    limits = [show(options[name]) for name, show in texts.items() if options.get(name)]
    if limits:
        return tr("through the slow link, {limits}", limits=", ".join(limits))
    return tr("through the lab's proxy") if options.get("of") else tr("directly")


def own_link(limits: Sequence[object]) -> str:
    """The link that a workload's parameters put in the way, as `RunSpec.link`; empty if none."""
    options = dict(zip(("latency", "bandwidth", "rate"), limits, strict=True))
    return _link({"options": options}) if any(limits) else ""


def _milliseconds(seconds: Seconds) -> str:
    """As it was set, and not as if it had been measured."""
    return f"{1000 * seconds:g} ms"


def lab_link(values: Iterable[object], folder: Path | None = None) -> str:
    """How the lab's server at one of these addresses is reached; empty if it is at none.

    `values` of a workload's parameters.
    """
    at = [_link(one) for one in _servers_at(values, folder)]
    return next((one for one in at if one != tr("directly")), at[0] if at else "")


def lab_site(values: Iterable[object], folder: Path | None = None) -> str:
    """The data folder of the lab's server at one of these addresses; empty if it is at none.

    `values` of a workload's parameters.  A proxy stands for the server behind it.
    """
    servers = _serving(folder or lab_folder())
    by_place = _by_place(servers)
    for server in _servers_at(values, folder):
        behind = server.get("options", {}).get("of", "")
        owner = servers.get(behind) or by_place.get(behind) or server
        return str(owner.get("site", ""))
    return ""


type _Records = Mapping[str, Mapping[str, Any]]


def _servers_at(values: Iterable[object], folder: Path | None) -> Iterator[Mapping[str, Any]]:
    addresses = _addresses(values)
    by_place = _by_place(_serving(folder or lab_folder()) if addresses else {})
    return (by_place[address] for address in addresses & by_place.keys())


def _by_place(servers: _Records) -> _Records:
    return {_address(one["address"]) or one["address"]: one for one in servers.values()}


def is_served(site: str) -> bool:
    """Whether one of a lab's servers serves the data there."""
    folder = Path(site).parent.parent
    return any(server.get("site") == site for server in _serving(folder).values())


def _serving(folder: Path) -> _Records:
    """The keeper's record of each server that serves, by name; none if no lab runs."""
    if not is_kept(folder):
        return {}
    try:
        servers = _state(folder)["servers"]
        return {one["name"]: one for one in servers if one["state"] == READY and one["address"]}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _state(folder: Path) -> Mapping[str, Any]:
    """What the keeper wrote down last; raises OSError, ValueError."""
    state: Mapping[str, Any] = json.loads(
        (folder / "state.json").read_text("utf-8", "surrogatepass")
    )
    return state


def is_kept(folder: Path) -> bool:
    """Whether the keeper of a lab lives: the records of a killed one are void."""
    try:
        lock = os.open(folder / "keeper.lock", os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(lock)
    return False


type Credentials = Mapping[str, Mapping[str, str]]
"""By the names of the server and of the secret."""


def lab_credentials(folder: Path | None = None) -> Credentials:
    """All credentials of now; none if no server runs."""
    try:
        text = _credentials_file(folder or lab_folder()).read_text("utf-8", "surrogatepass")
        credentials: Credentials = json.loads(text)
    except (OSError, ValueError):
        return {}
    return credentials


def write_lab_credentials(folder: Path, credentials: Credentials) -> None:
    """Replace the file; raises OSError."""
    with put_in_place(_credentials_file(folder), overwrite=True) as new:
        new.chmod(0o600)  # still empty
        new.write_text(json.dumps(credentials), "utf-8")


def lab_secret(reference: str) -> str | None:
    """The secret behind `SERVER/NAME`."""
    server, _, name = reference.partition("/")
    return lab_credentials().get(server, {}).get(name)


def _credentials_file(folder: Path) -> Path:
    return folder / "credentials.json"


class ServersClock:
    """CPU seconds of the lab's servers so far, by process id; none unless a trial asks them.

    The processes are looked for once, which takes some milliseconds; a look at one of them later
    takes some ten microseconds.
    """

    def __init__(self, values: Iterable[object], folder: Path | None = None) -> None:
        """`values` of a workload's parameters, among which an address of the lab may be."""
        self._processes = _processes_of(values, folder or lab_folder())

    def __call__(self) -> Mapping[int, float]:
        """Those that live."""
        import psutil

        seconds: dict[int, float] = {}
        for process in self._processes:
            with suppress(psutil.Error, OSError):
                times = process.cpu_times()
                seconds[process.pid] = times.user + times.system
        return seconds

    def __bool__(self) -> bool:
        return bool(self._processes)


def _processes_of(values: Iterable[object], folder: Path) -> Sequence[psutil.Process]:
    """The lab's keeper and all below it, if one of the values is an address of the lab."""
    addresses = _addresses(values)
    if not addresses:
        return ()
    import psutil

    try:
        state = _state(folder)
        if not addresses & _addresses(one["address"] for one in state["servers"]):
            return ()
        keeper = psutil.Process(int(state["keeper"]))
        return (keeper, *keeper.children(recursive=True))
    except (psutil.Error, OSError, ValueError, KeyError, TypeError):
        return ()


def _addresses(values: Iterable[object]) -> set[str]:
    return {address for value in values if (address := _address(value))}


def _address(value: object) -> str:
    """Host and port of an address, also of one that names its server as an endpoint."""
    if not isinstance(value, str) or "://" not in value:
        return ""
    with suppress(ValueError):
        parts = urlsplit(value)
        _, _, endpoint = parts.query.partition("endpoint=")
        return urlsplit(endpoint).netloc if endpoint else parts.netloc
    return ""
