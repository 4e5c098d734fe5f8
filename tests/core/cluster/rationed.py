"""A workload that reads from the store of `rationing_server`, for `rationed:Rationed`."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, override

from rationing_server import answer_to

from core import Context, Job, Step, Workload, integer

ITEMS = 1000
_SIZE = len(answer_to(0))


@dataclass(frozen=True, kw_only=True)
class RationedParameters:
    port: int = integer(1, low=1, high=65535, help="Where the store listens on this machine.")


class RationedJob(Job[int, bytes]):
    def __init__(self, port: int) -> None:
        self.items = range(ITEMS)
        self._port = port
        self._node = Path.home().name
        """Dask workers of tests have a home each."""

    @contextmanager
    @override
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        with (
            socket.create_connection(("127.0.0.1", self._port)) as store,
            store.makefile("rb") as answers,
        ):

            def read(item: int) -> bytes:
                store.sendall(f"{self._node} {item}\n".encode())
                return answers.read(_SIZE)

            yield (Step("read", read),)

    @override
    def check(self, item: int, result: bytes) -> str:
        return "" if result == answer_to(item) else "other bytes"


class Rationed(Workload[RationedParameters]):
    name = "rationed"
    unit = "answer"
    parameters = RationedParameters
    dataset_kinds = ("files",)

    @override
    def open(self, context: Context[RationedParameters]) -> Job[Any, Any]:
        return RationedJob(context.parameters.port)
