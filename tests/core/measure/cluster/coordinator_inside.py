"""A coordinator in a process of its own, for a network that tests are not in: runs one trial.

`ContainedTrial` starts it from outside.  Its argument is an `Order`; it prints a line once all
nodes were seen measuring, and a `Report`.
"""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec
from containers import SHARED, Containers
from dask_cluster import Far, once
from distributed import Client
from patience import PATIENCE, until

from core.judge.how_measured import on_nodes, start_skew
from core.measure import Connection
from core.measure.cluster.connection import Deadlines
from core.vocabulary import AnyFiles, Trial

MEASURING = "measuring"


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be run, and where."""

    address: str
    data: str
    wishes: dict[str, Any]
    silence: float = 10.0


class Surroundings(msgspec.Struct, frozen=True, kw_only=True):
    """What a Dask worker has for itself."""

    host: str
    home: str
    folder: str
    temporary: tuple[str, ...]
    """Files and folders in its folder of temporary files."""
    processes: tuple[int, ...]
    """All that it can see."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it."""

    trial: Trial
    """Without its moments."""
    skew: float
    """As `core.judge.how_measured.start_skew` tells it."""
    ended: tuple[Trial, ...]
    """What each node measured, as it came from there."""
    surroundings: tuple[Surroundings, ...]
    sentences: tuple[str, ...]


class ContainedTrial:
    """One trial that was begun in the network of the nodes."""

    def __init__(self, containers: Containers, silence: float = 10.0, **wishes: object) -> None:
        order = Order(
            address=containers.address,
            data=str(SHARED / "some.bin"),
            wishes={"nodes": len(containers.nodes), **wishes},
            silence=silence,
        )
        self._output = containers.network.output("coordinator")
        self._process = containers.network.start(
            "coordinator", __file__, msgspec.json.encode(order).decode()
        )

    def measures(self) -> None:
        """Wait until all nodes were seen measuring."""
        until(lambda: self._process.poll() is not None or MEASURING in self._output.read_text())
        assert self._process.poll() is None, self._errors

    def report(self) -> Report:
        """Wait for what came of it."""
        assert self._process.wait(PATIENCE) == 0, self._errors
        return msgspec.json.decode(self._output.read_bytes().splitlines()[-1], type=Report)

    @property
    def _errors(self) -> str:
        return self._output.with_suffix(".err").read_text()


def main() -> None:
    order = msgspec.json.decode(sys.argv[1], type=Order)
    limits = Deadlines(silence=order.silence, joining=PATIENCE)
    with Connection(order.address, limits) as connection:
        far = Far(connection, AnyFiles().open(Path(order.data)))
        nodes = order.wishes["nodes"]
        surroundings = _surroundings(order.address, nodes)
        running, trial = far.run_with_nodes(far.spec(**order.wishes), once("measuring", _tell))
    report = Report(
        trial=msgspec.structs.replace(trial, moments=()),
        skew=start_skew(trial),
        ended=tuple(node.ended.trial for node in running.nodes if node.ended),
        surroundings=surroundings,
        sentences=tuple(on_nodes([trial])),
    )
    print(msgspec.json.encode(report).decode(), flush=True)


def _tell() -> None:
    print(MEASURING, flush=True)


def _surroundings(address: str, nodes: int) -> tuple[Surroundings, ...]:
    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(nodes, PATIENCE)
        told = client.run(look_around)
    return tuple(msgspec.convert(one, Surroundings) for one in told.values())


def look_around() -> dict[str, Any]:
    """`Surroundings` of where this is called."""
    return {
        "host": platform.node(),
        "home": str(Path.home()),
        "folder": str(Path.cwd()),
        "temporary": tuple(os.listdir(tempfile.gettempdir())),
        "processes": tuple(int(one) for one in os.listdir("/proc") if one.isdecimal()),
    }


if __name__ == "__main__":
    main()
