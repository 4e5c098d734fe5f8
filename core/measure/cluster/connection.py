"""A connection to a Dask scheduler, which places one agent on each node of a trial.

Where workers run, how they start, and who may use them is the affair of the cluster's owner and
stays with Dask, as does TLS (`distributed.comm.tls` of its settings).  A worker is asked for by its
address, no other may do its part, and nothing is tried again: a trial that lost a node is over.
Agents call the coordinator, and not the other way round: they can reach the network that their
scheduler is in, and no port has to be open on a node.
"""

from __future__ import annotations

import asyncio
import math
import secrets
import signal
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from typing import Any, Self

import msgspec

from core.language import Seconds, SluiceError, UsageError, tr
from core.measure.cluster.agent import serve
from core.measure.cluster.node_messages import Enlistment, EventLoop, Hello, Message, NodeLine
from core.vocabulary import Driver

DASK = Driver(
    module="distributed",
    distribution="distributed",
    install='make .venv EXTRAS="cluster"',
)
SILENCE: Seconds = 10.0
"""Without a word, after which a coordinator, an agent or a scheduler counts as gone."""
JOINING: Seconds = 60.0
"""For the workers of a cluster to be there, and for agents to call."""
REJOINING: Seconds = 5.0
"""For workers that were there once: a nanny starts a lost one again in two seconds."""
_CONNECTING: Seconds = 10.0
_OPENING: Seconds = 300.0
"""For many workers to start on a slow machine, too."""
_CLOSING: Seconds = 30.0
_MOST_LOCAL = 64
_LOCAL = "local:"
_TLS = "tls://"
_CERTIFICATES = tuple(
    f"DASK_DISTRIBUTED__COMM__TLS__{name}" for name in ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY")
)
"""Settings of Dask, as its environment has them."""

type Heard = Callable[[NodeLine, Message | None], None]


@dataclass(frozen=True, kw_only=True)
class Deadlines:
    silence: Seconds = SILENCE
    joining: Seconds = JOINING
    rejoining: Seconds = REJOINING


@dataclass
class PlacedAgent:
    address: str
    future: Any

    @property
    def error(self) -> str:
        """Why the agent's task failed; empty if it did not."""
        if self.future.status != "error":
            return ""
        state = self.future._state
        return f"{type(state.exception).__name__}: {state.exception}"


def check_address(address: str, nodes: int = 1) -> None:
    """Raise UsageError for what is no address of a cluster, or a local one of fewer workers."""
    if address.startswith(_LOCAL):
        count = address.removeprefix(_LOCAL)
        if count.isdecimal() and 1 <= int(count) <= _MOST_LOCAL:
            if int(count) >= nodes:
                return
            raise UsageError(
                tr("{address} has fewer workers than {nodes} nodes", address=address, nodes=nodes),
                tr("write local:{nodes}", nodes=nodes),
            )
    elif address.startswith(("tcp://", _TLS)) and address.partition("://")[2]:
        return
    raise UsageError(
        tr("{address} is no cluster", address=address),
        tr(
            "write tcp://HOST:PORT or tls://HOST:PORT of a Dask scheduler, or local:N for up to "
            "{most} workers here",
            most=_MOST_LOCAL,
        ),
    )


class Connection:
    """To one cluster, for all trials of a run; a context, at whose end the agents have ended."""

    def __init__(self, address: str, limits: Deadlines = Deadlines()) -> None:
        """Raises UsageError for no address, Unavailable without Dask."""
        check_address(address)
        DASK.require()
        self.limits = limits
        self.address = address
        self._loop = EventLoop()
        self._resources = AsyncExitStack()
        self._client: Any = None
        self._contact = ""
        self._token = secrets.token_hex(16)
        self._hear: Heard | None = None
        self.workers = 0
        """How many took tasks when the scheduler was last asked."""
        self._most_placed = 0
        """Nodes of the largest trial that had all its workers."""
        self._awaited_in_vain = math.inf
        """Nodes of the smallest trial since that did not."""

    def __enter__(self) -> Self:
        self._loop.__enter__()
        try:
            self._loop.run(self._open(), _OPENING)
        # ValueError: no address, or no version of TLS; RuntimeError: a worker did not start.
        except (OSError, ValueError, RuntimeError) as error:
            self.__exit__(None, None, None)
            raise SluiceError(
                tr("the cluster {address} does not answer: {why}", address=self.address, why=error),
                tr("start it, or write the address that its scheduler shows"),
            ) from error
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, *raised: object) -> None:
        with suppress(TimeoutError, OSError):
            self._loop.run(self._resources.aclose(), _CLOSING)
        self._loop.__exit__(*raised)

    async def _open(self) -> None:
        from distributed import Client
        from distributed.comm import get_address_host
        from distributed.utils import get_ip

        address: Any = self.address
        if address.startswith(_LOCAL):
            address = await self._start_workers(int(address.removeprefix(_LOCAL)))
        elif address.startswith(_TLS):
            self._check_certificates()
        self._client = await self._resources.enter_async_context(
            Client(address, asynchronous=True, timeout=_CONNECTING, set_as_default=False)
        )
        scheduler = self._client.scheduler.address
        await self._listen(scheduler.partition("://")[0], get_ip(get_address_host(scheduler)))

    async def _listen(self, scheme: str, own: str) -> None:
        """Await agents at an address of ours."""
        from distributed import Security
        from distributed.comm import listen

        how = Security().get_listen_args("client") if scheme == "tls" else {}

        async def called(comm: Any) -> None:
            """Serve a caller: one of our agents, as its first message must show."""
            await NodeLine(self._loop, comm, self._answer).serve(self.limits.silence)

        listener = listen(f"{scheme}://{own}:0", called, deserialize=False, **how)
        await listener.start()
        self._resources.callback(listener.stop)
        self._contact = listener.contact_address

    def _check_certificates(self) -> None:
        """Raise SluiceError where Dask's settings name none, with which Dask raises TypeError."""
        from distributed import Security

        if Security().get_connection_args("client")["ssl_context"] is None:
            raise SluiceError(
                tr("the cluster {address} wants a certificate", address=self.address),
                tr("set {names}", names=", ".join(_CERTIFICATES)),
            )

    async def _start_workers(self, count: int) -> Any:
        """Workers on this machine, which see the environment as children of ours do."""
        from multiprocessing import resource_tracker

        import dask
        from distributed import LocalCluster

        # Ctrl+C is for who has begun the run, and not for each worker, which would tell of it by a
        # traceback: what is started from this thread inherits what it blocks.  multiprocessing's
        # tracker unblocks it when it starts, so that has to be before.
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        # As the nanny sets it, libraries would have one thread each, and free memory sooner.
        self._resources.enter_context(dask.config.set({"distributed.nanny.pre-spawn-environ": {}}))
        return await self._resources.enter_async_context(
            LocalCluster(
                n_workers=count,
                threads_per_worker=1,
                memory_limit=0,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",  # None is the usual port, taken or not
                worker_dashboard_address=None,
                silence_logs=50,
                asynchronous=True,
            )
        )

    def _answer(self, line: NodeLine, message: Message | None) -> None:
        if line.node < 0:
            if not isinstance(message, Hello) or message.token != self._token:
                line.hang_up()
                return
            line.node, line.token = message.node, message.token
        # The end of a line of an earlier trial may come when the next one has begun.
        if self._hear is not None and line.token == self._token:
            self._hear(line, message)

    # For trials.

    @property
    def lost(self) -> bool:
        return bool(self._client.status != "running")

    def patience(self, nodes: int) -> Seconds:
        """How long a trial waits for so many workers.

        Once for all trials of a run, and shorter where they were there before: a lost worker costs
        seconds, and what needs it has no figure.
        """
        if nodes >= self._awaited_in_vain:
            return 0.0
        return self.limits.rejoining if nodes <= self._most_placed else self.limits.joining

    def enlist(self, nodes: int, hear: Heard) -> Future[list[PlacedAgent]]:
        """Begin to place an agent on so many nodes; `hear` gets what they say, in the loop.

        The future raises TimeoutError where there are too few workers.
        """
        self._token = secrets.token_hex(16)  # agents of an earlier trial come too late
        self._hear = hear
        return self._loop.start(self._enlist(nodes))

    async def _enlist(self, nodes: int) -> list[PlacedAgent]:
        patience = self.patience(nodes)
        try:
            # A scheduler that is silent is not waited for, either.
            longest = max(patience, self.limits.silence)
            addresses = await asyncio.wait_for(self._workers(nodes, patience), longest)
        except TimeoutError:
            self._awaited_in_vain = min(nodes, self._awaited_in_vain)
            raise
        self._most_placed = max(nodes, self._most_placed)
        if nodes >= self._awaited_in_vain:
            self._awaited_in_vain = math.inf
        return [
            PlacedAgent(address, self._submit(address, node))
            for node, address in enumerate(addresses)
        ]

    async def _workers(self, nodes: int, patience: Seconds) -> list[str]:
        """The addresses of so many workers that take tasks, once there are enough of them.

        Raises TimeoutError where they are not in time, but looks at them once at least.

        One that was killed a moment ago is still among the scheduler's: a task for it would wait
        for ever.  One that only stands still is named when its agent does not come.
        """
        until = time.monotonic() + patience
        while True:
            running = spread(await self._running())
            self.workers, chosen = len(running), running[:nodes]
            if len(chosen) == nodes and (
                await self._respond(chosen) or set(chosen) <= set(await self._running())
            ):
                return chosen
            if time.monotonic() > until:
                raise TimeoutError
            await asyncio.sleep(0.2)

    async def _running(self) -> Mapping[str, Mapping[str, Any]]:
        """All workers but those that are being retired, which would never come."""
        identity = await self._client.scheduler.identity(n_workers=-1)
        return {
            address: worker
            for address, worker in identity["workers"].items()
            if worker["status"] == "running"
        }

    async def _respond(self, workers: list[str]) -> bool:
        """Whether all these workers answer their scheduler."""
        answers = self._client.scheduler.broadcast(
            msg={"op": "identity"}, workers=workers, on_error="ignore"
        )
        with suppress(TimeoutError):
            return len(await asyncio.wait_for(answers, self.limits.silence)) == len(workers)
        return False

    def _submit(self, address: str, node: int) -> Any:
        enlistment = Enlistment(
            contact=self._contact, token=self._token, node=node, silence=self.limits.silence
        )
        return self._client.submit(
            serve,
            msgspec.json.encode(enlistment).decode(),
            key=f"sluice-{self._token[:8]}-{node}",
            workers=[address],
            allow_other_workers=False,
            retries=0,
            pure=False,
        )

    def release(self, placed: Sequence[PlacedAgent]) -> None:
        """The trial is over: forget its agents, and have Dask forget them."""
        self._hear = None
        with suppress(TimeoutError, OSError):
            self._loop.run(self._cancel([one.future for one in placed]), self.limits.silence)

    async def _cancel(self, futures: Sequence[Any]) -> None:
        if not self.lost:
            await self._client.cancel(futures, force=True)
        for future in futures:
            future.release()


def spread(workers: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Addresses of workers, those on different machines first: a node is a machine if possible."""
    of_host: Counter[str] = Counter()
    ranks: dict[str, int] = {}
    for address in sorted(workers):
        host = str(workers[address].get("host", ""))
        ranks[address] = of_host[host]
        of_host[host] += 1
    return sorted(ranks, key=ranks.__getitem__)
