"""Counts each request of the stand-in's processes, and delays it or has it fail."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Literal, get_args

import msgspec
from aiohttp import web

from core.lab.proxy_link import Link
from core.lab.servers.synapse import Settings
from core.lab.synapse.entities import RequestRefused


class Counts:
    """Counts requests by route, bytes of files, and faults that were made on purpose."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self.requests: Counter[str] = Counter()
        """By `METHOD /path/{of}/route`."""
        self.statuses: Counter[int] = Counter()
        self.faults: Counter[str] = Counter()
        self.bytes_up = 0
        """Bytes of parts that have arrived whole."""
        self.bytes_down = 0
        """Bytes of answers that were sent whole."""
        self.bytes_abandoned = 0
        """Bytes of parts and answers that were cut, on purpose or by the client."""

    def as_json(self) -> dict[str, object]:
        return {
            "requests": dict(self.requests),
            "statuses": {str(status): count for status, count in self.statuses.items()},
            "faults": dict(self.faults),
            "bytes up": self.bytes_up,
            "bytes down": self.bytes_down,
            "bytes abandoned": self.bytes_abandoned,
            "cpu seconds": round(time.process_time(), 3),
            "seconds": round(time.monotonic() - self._begun, 3),
        }


type Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
type Refuse = Callable[[Fault], web.StreamResponse]

_JSON = "application/json"


class Serving:
    """Shared by all requests of one process."""

    def __init__(self, settings: Settings, spared: frozenset[Fault]) -> None:
        """`spared` are faults that the process does not have."""
        shares: dict[Fault, float] = {name: getattr(settings, name, 0.0) for name in FAULTS}
        self.settings = settings
        self.faults = Faults(shares, spared=spared, seed=settings.fault_seed)
        self.counts = Counts()
        self.up = Link(bandwidth=settings.bandwidth)
        self.down = Link(bandwidth=settings.bandwidth)

    async def paced(self, link: Link, size: int) -> None:
        """Return when so many bytes have passed the link."""
        if not link.is_wire:
            loop = asyncio.get_running_loop()
            await asyncio.sleep(max(0.0, link.arrival(size, loop.time()) - loop.time()))

    def about_to(self, handle: Handler, refuse: Refuse) -> Handler:
        """The handler with delays and faults; those in the middle of files are left to it."""

        async def handled(request: web.Request) -> web.StreamResponse:
            resource = request.match_info.route.resource
            path = resource.canonical if resource else request.path
            self.counts.requests[f"{request.method} {path}"] += 1
            if self.settings.latency:
                await asyncio.sleep(self.settings.latency)
            fault = self.faults.next(f"{request.method} {request.path}")
            if fault is not None:
                self.counts.faults[fault] += 1
                request[FAULT] = fault
            if fault in ("throttled", "failing", "unavailable", "expired"):
                answer = refuse(fault)
            else:
                answer = await handle(request)
            self.counts.statuses[answer.status] += 1
            return answer

        return handled

    def add_control(self, app: web.Application) -> None:
        """The routes by which the lab looks at this process and orders faults."""

        async def stats(request: web.Request) -> web.Response:
            return json(self.counts.as_json())

        async def order(request: web.Request) -> web.Response:
            if not is_authorised(request, self.settings.token):
                return refused(RequestRefused(401, "Invalid access token"))
            try:
                self.faults.order(_ORDERS.decode(await request.read()))
            except msgspec.DecodeError as error:
                return refused(RequestRefused(400, f"{error}; faults are {', '.join(FAULTS)}"))
            return json({})

        app.router.add_get("/lab/stats", stats)
        app.router.add_post("/lab/faults", order)


FAULT = web.RequestKey("fault", str)
"""The request's fault; its handler carries out one in the middle of a file."""


def is_authorised(request: web.Request, token: str) -> bool:
    return request.headers.get("Authorization") == f"Bearer {token}"


def json(value: object, status: int = 200) -> web.Response:
    return web.Response(body=msgspec.json.encode(value), status=status, content_type=_JSON)


def refused(why: RequestRefused) -> web.Response:
    return json({"reason": why.reason}, why.status)


def cut(request: web.Request) -> web.Response:
    """Reset the connection; the response is never sent."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=499)


async def stall() -> None:
    """Wait for ever; aiohttp cancels it when the client leaves."""
    await asyncio.Event().wait()


type Fault = Literal["throttled", "failing", "unavailable", "dropped", "stalled", "expired"]

FAULTS: tuple[Fault, ...] = get_args(Fault.__value__)
OF_STORAGE: frozenset[Fault] = frozenset({"stalled", "expired"})
"""Faults of requests for files only."""
OF_SERVICE: frozenset[Fault] = frozenset({"throttled"})
"""Faults of the service's requests only: S3 knows no 429."""


class Order(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    fault: Fault
    route: str = ""
    """The method and the beginning of the path, such as `PUT /part`; empty = any request."""
    times: int = 1


_ORDERS = msgspec.json.Decoder(list[Order])


class Faults:
    def __init__(
        self, shares: Mapping[Fault, float], *, spared: Iterable[Fault], seed: int
    ) -> None:
        """`shares`: from 0 to 1, all together at most 1; `spared` never happens by a share."""
        self._shares = {one: share for one, share in shares.items() if share and one not in spared}
        self._drawn = random.Random(seed)
        self._due: list[Order] = []

    def order(self, orders: Iterable[Order]) -> None:
        """Apply these to the next requests, in this order, in place of all earlier orders."""
        self._due = [msgspec.structs.replace(order) for order in orders]

    def next(self, route: str) -> Fault | None:
        for due in self._due:
            if due.times and route.startswith(due.route):
                due.times -= 1
                return due.fault
        if not self._shares:
            return None
        drawn = self._drawn.random()
        for fault, share in self._shares.items():
            drawn -= share
            if drawn < 0:
                return fault
        return None
