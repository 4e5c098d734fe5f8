"""The CPU time of the lab's servers, where a trial asks them: they are part of what is measured."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from core.host.folders import lab_folder

if TYPE_CHECKING:
    import psutil


class ServersClock:
    """CPU seconds of the lab's servers so far, by process id; of none unless they are asked.

    The processes are looked for once, which takes some milliseconds; a look at one of them later
    takes some ten microseconds.
    """

    def __init__(self, values: Iterable[object], folder: Path | None = None) -> None:
        """`values` of a workload's parameters, among which an address of the lab may be."""
        self._processes = _servers(_keeper_asked(values, folder or lab_folder()))

    def __call__(self) -> Mapping[int, float]:
        """Those that live."""
        import psutil

        found: dict[int, float] = {}
        for process in self._processes:
            with suppress(psutil.Error, OSError):
                times = process.cpu_times()
                found[process.pid] = times.user + times.system
        return found

    def __bool__(self) -> bool:
        return bool(self._processes)


def _keeper_asked(values: Iterable[object], folder: Path) -> int | None:
    """The keeper of the lab of which a server is asked; None where none is."""
    places = {place for value in values if (place := _place(value))}
    if not places:
        return None
    try:
        state = json.loads((folder / "state.json").read_text("utf-8", "surrogatepass"))
        served = {_place(one["address"]) for one in state["servers"]}
        return int(state["keeper"]) if places & served else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _place(value: object) -> str:
    """Host and port of an address, also of one that names its server as an endpoint."""
    if not isinstance(value, str) or "://" not in value:
        return ""
    with suppress(ValueError):
        parts = urlsplit(value)
        _, _, endpoint = parts.query.partition("endpoint=")
        return urlsplit(endpoint).netloc if endpoint else parts.netloc
    return ""


def _servers(keeper: int | None) -> list[psutil.Process]:
    """The keeper and all that it started."""
    if keeper is None:
        return []
    import psutil

    try:
        whole = psutil.Process(keeper)
        return [whole, *whole.children(recursive=True)]
    except (psutil.Error, OSError):
        return []
