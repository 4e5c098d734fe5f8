"""Streams of messages between a coordinator and its agents, over the comms of Dask.

Dask's comms carry them, so that TLS, host names and interfaces are settled by Dask's own
settings.  They live in an event loop of a thread of its own on either side: a trial is taken
through its steps by a thread that waits for processes, and an answer to a `Ping` must not wait.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from time import perf_counter_ns
from types import TracebackType
from typing import Any, Self

import msgspec

from core.cluster.node_messages import Alive, Message, Ping, Pong, packed, unpacked
from core.language.units import Seconds

_LAST_WORDS: Seconds = 5.0
"""For what is still to be sent when a line is closed."""


class EventLoop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="nodes", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(TimeoutError):
            self.run(self._cancel_all(), _LAST_WORDS)
        # Timers of Dask's comms may fire just now, and would be told as never retrieved.
        self._loop.set_exception_handler(lambda _loop, _context: None)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _cancel_all(self) -> None:
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def start[T](self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Begin work in the loop, from any thread."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def run[T](self, work: Coroutine[Any, Any, T], timeout: Seconds) -> T:
        """Do work in the loop; raises what it raises, and TimeoutError."""
        return self.start(asyncio.wait_for(work, timeout)).result()

    def soon(self, act: Callable[..., object], *given: object) -> None:
        """Have something short done in the loop, from any thread; not after its end."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(act, *given)


class Line:
    """One comm: sends from any thread, and calls `heard` in the loop for each message.

    `heard` gets None once nothing more will come: the comm is closed, the other side was silent
    for too long, or it said what is no message.
    """

    def __init__(
        self, loop: EventLoop, comm: Any, heard: Callable[[Line, Message | None], None]
    ) -> None:
        self._loop = loop
        self._comm = comm
        self._heard = heard
        self._told: asyncio.Queue[Message | None] = asyncio.Queue()
        self._heard_at = self._told_at = time.monotonic()
        self.node = -1
        """Which node is at the other end; -1 = not known yet."""
        self.token = ""
        """What it knew its trial by."""
        self.sent = self.received = 0
        """Bytes of messages."""

    def tell(self, message: Message) -> None:
        """Send a message soon; if the other side is gone, `heard` says so."""
        self._loop.soon(self._told.put_nowait, message)

    def hang_up(self) -> None:
        """Close it after what is still to be sent."""
        self._loop.soon(self._told.put_nowait, None)

    async def serve(self, silence: Seconds) -> None:
        """Hear and tell until either side closes it, or nothing comes for `silence` seconds."""
        others = [
            asyncio.ensure_future(one) for one in (self._tell_all(), self._beat(silence / 10))
        ]
        watch = asyncio.ensure_future(self._watch(silence))
        try:
            hearing = asyncio.ensure_future(self._hear())
            everything = {hearing, watch, *others}
            await asyncio.wait(everything, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in everything:
                one.cancel()
            await asyncio.gather(*everything, return_exceptions=True)
            self._comm.abort()
            self._heard(self, None)

    async def _hear(self) -> None:
        from distributed.comm import CommClosedError

        with suppress(CommClosedError, OSError, msgspec.MsgspecError):
            while True:
                told = await self._comm.read()
                if not isinstance(told, bytes):
                    return
                self._heard_at = time.monotonic()
                self.received += len(told)
                match message := unpacked(told):
                    case Ping(number=number):
                        self._told.put_nowait(Pong(number, perf_counter_ns()))
                    case Alive():
                        pass
                    case _:
                        self._heard(self, message)

    async def _tell_all(self) -> None:
        from distributed.comm import CommClosedError

        with suppress(CommClosedError, OSError):
            while (message := await self._told.get()) is not None:
                told = packed(message)
                self.sent += len(told)
                self._told_at = time.monotonic()
                await self._comm.write(told)
            await asyncio.wait_for(self._comm.close(), _LAST_WORDS)

    async def _beat(self, every: Seconds) -> None:
        """Show that we are there, where nothing else does."""
        while True:
            await asyncio.sleep(every)
            if time.monotonic() - self._told_at >= every:
                self._told.put_nowait(Alive())

    async def _watch(self, silence: Seconds) -> None:
        """Return once the other side was silent for too long; a pause of our own is no silence."""
        while True:
            slept = time.monotonic()
            await asyncio.sleep(silence / 10)
            late = time.monotonic() - slept - silence / 10
            self._heard_at += max(0.0, late)
            if time.monotonic() - self._heard_at > silence:
                return
