"""Trials that are run by a coordinator inside a network of containers."""

from __future__ import annotations

from pathlib import Path

import msgspec
from containers import SHARED, Containers
from coordinator_inside import MEASURING, Order, Report
from patience import PATIENCE
from waiting import until


class ContainedTrial:
    """One trial that was begun in the network of the nodes."""

    def __init__(self, containers: Containers, silence: float = 10.0, **wishes: object) -> None:
        order = Order(
            address=containers.address,
            data=str(SHARED / "some.bin"),
            wishes={"nodes": len(containers.nodes), **wishes},
            silence=silence,
        )
        script = Path(__file__).with_name("coordinator_inside.py")
        self._output = containers.network.output("coordinator")
        self._process = containers.network.start(
            "coordinator", str(script), msgspec.json.encode(order).decode()
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
