"""The event loop of a thread of its own, in which libraries leave what they like."""

from __future__ import annotations

import asyncio
import gc

import pytest
from patience import PATIENCE

from core.cluster.node_messages import EventLoop


async def unheeded() -> asyncio.Future[None]:
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    future.set_exception(TimeoutError("rigged"))
    return future


def test_that_what_is_left_in_a_loop_is_not_told_after_its_end(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with EventLoop() as loop:
        left = [loop.run(unheeded(), PATIENCE)]
    left.clear()
    gc.collect()
    assert not caplog.records
