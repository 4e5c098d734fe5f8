"""Fork servers: the children of a block come from one interpreter that has imported what they need.

A child's imports take some 0.2 s of CPU, a fork a hundredth.  Each block has a server of its own:
memory layout, hash seed and size of the environment are drawn anew with it, from the plan's seed,
so that their luck is sampled over the blocks and not measured.  A measured program has a layout of
its own, so a run needs one server only for what starts programs, and their environment is drawn.

Where a process cannot be forked for its parent (see `fork_server_main`), as on macOS, each child is
a fresh interpreter.
"""

from __future__ import annotations

import os
import random
import secrets
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from threading import Lock

import msgspec

from core.language import Seconds, SluiceError
from core.measure.machine.processes.supervisor import Life, Program, Supervisor
from core.measure.trial.child_handle import child_command, own_environment
from core.measure.trial.child_shutdown import measures_programs
from core.measure.trial.messages import Order
from core.vocabulary import RunSpec, Slot, registry

_PATIENCE: Seconds = 20.0
"""For its imports, on a busy machine."""
_LONGEST = 4096
"""Bytes of an environment that is drawn."""
_PROGRAMS = -1
"""The block of what starts programs."""


class ForkServer:
    """One interpreter that forks children."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        """Raises OSError if it cannot be started."""
        self._lock = Lock()
        self._works = True
        with ExitStack() as resources:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self._socket = resources.enter_context(ours)
            self._socket.settimeout(_PATIENCE)
            resources.enter_context(theirs)
            # Its stamp leaves room for those of its children.
            supervisor = resources.enter_context(Supervisor(secrets.token_hex(60)))
            life = Life()
            self._process = supervisor.start(
                Program(
                    arguments=child_command(life=life.theirs, requests=theirs.fileno()),
                    environment=environment,
                    pass_fds=(theirs.fileno(),),
                    life=life,
                    measured=True,
                )
            )
            self.pid = self._process.pid
            theirs.close()
            self.close = resources.pop_all().close

    def fork(self, order: Order, descriptors: Sequence[int]) -> int:
        """The number of a new child; 0 if none could be forked."""
        with self._lock, suppress(OSError):
            if self._works:
                self._works = False
                socket.send_fds(self._socket, [msgspec.json.encode(order)], descriptors)
                pid = int(self._answer() or b"0")
                self._works = pid > 0
                return max(pid, 0)
        return 0

    def _answer(self) -> bytes:
        with suppress(TimeoutError):
            return self._socket.recv(64)
        self._process.end()  # before another child gets the same descriptors
        return self._socket.recv(64)


@dataclass(frozen=True)
class Origin:
    """What a child comes from."""

    environment: Mapping[str, str] = field(default_factory=dict)
    """What was drawn of it for its block."""
    server: ForkServer | None = None
    workload: str = ""
    """Imported before the fork, as the kind of its dataset is; else by the child."""
    kind: str = ""
    imports: tuple[str, ...] = ()

    def fork(self, stamp: str, descriptors: Sequence[int]) -> int:
        """Those of its pipes, its block, its life and its output; see `ForkServer.fork`."""
        if self.server is None:
            return 0
        order = Order(
            stamp=stamp,
            environment=dict(self.environment),
            workload=self.workload,
            kind=self.kind,
            imports=self.imports,
        )
        return self.server.fork(order, descriptors)


class ForkServers:
    """Those of one run: of its latest block, and of what starts programs."""

    def __init__(self, seed: int, specs: Sequence[RunSpec] = ()) -> None:
        self._seed = seed
        self._shared = _shared(specs)
        self._servers: dict[int, ForkServer | None] = {}

    def origin(self, slot: Slot) -> Origin:
        drawn = _drawn(self._seed, slot.block)
        workload, kind = slot.spec.workload, slot.spec.dataset.kind
        if sys.platform != "linux":
            return Origin(drawn)
        if not measures_programs(workload):
            return Origin(drawn, self._server(slot.block, drawn), *self._shared)
        return Origin(drawn, self._server(_PROGRAMS, drawn), workload, kind)

    def _server(self, block: int, drawn: Mapping[str, str]) -> ForkServer | None:
        if block not in self._servers:
            self.close(keep=_PROGRAMS)
            self._servers[block] = None
            with suppress(OSError, SluiceError):
                self._servers[block] = ForkServer(own_environment() | dict(drawn))
        return self._servers[block]

    def close(self, keep: int | None = None) -> None:
        for block in self._servers.keys() - {keep}:
            if (server := self._servers.pop(block)) is not None:
                server.close()


def _shared(specs: Sequence[RunSpec]) -> tuple[str, str, tuple[str, ...]]:
    """Workload, kind of dataset and modules that the children of all specs import.

    What only some of them import would be in the memory of the others.
    """
    names = {spec.workload for spec in specs}
    try:
        imports = [set(registry.load_workload(name).imports) for name in names]
    except SluiceError:  # the children raise it again
        imports = []
    modules = tuple(sorted(set.intersection(*imports))) if imports else ()
    kinds = {(spec.workload, spec.dataset.kind) for spec in specs}
    workload, kind = kinds.pop() if modules and len(kinds) == 1 else ("", "")
    return workload, kind, modules


def _drawn(seed: int, block: int) -> dict[str, str]:
    """The hash seed and the size of the environment in a block; the user's own seed stays."""
    drawn = random.Random(f"{seed} {block} layout")
    padding = {"SLUICE_LAYOUT": drawn.randrange(_LONGEST) * "x"}
    seeds = {"PYTHONHASHSEED": str(drawn.randrange(2**32))}
    return padding if "PYTHONHASHSEED" in os.environ else padding | seeds


_RUNS: dict[str, ForkServers] = {}


@contextmanager
def fork_servers(run_id: str, seed: int, specs: Sequence[RunSpec] = ()) -> Iterator[None]:
    """The children of that run's trials, which are of these specs, come from them meanwhile."""
    _RUNS[run_id] = servers = ForkServers(seed, specs)
    try:
        yield
    finally:
        del _RUNS[run_id]
        servers.close()


def origin_of(run_id: str, slot: Slot) -> Origin:
    servers = _RUNS.get(run_id)
    return servers.origin(slot) if servers is not None else Origin()
