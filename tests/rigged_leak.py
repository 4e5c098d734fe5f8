"""A workload that keeps every file open, as `rigged_leak:LeakingReader`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import override

from rigged_bottlenecks import Nothing, RiggedWorkload

from core import Context


class LeakingReader(RiggedWorkload):
    """Opens a file for each operation, some hundreds a second, and never closes it."""

    name = "leaking-reader"

    @override
    def operation(self, context: Context[Nothing]) -> Callable[[int], bytes]:
        kept = []

        def work(item: int) -> bytes:
            time.sleep(0.004)
            kept.append(os.open(os.devnull, os.O_RDONLY))
            return b"x"

        return work
