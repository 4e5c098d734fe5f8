"""Takes from a test's process what a machine can be short of."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from core.host.descriptors import descriptors


@contextmanager
def none_left() -> Iterator[None]:
    """No descriptor is left to this process until the end of the block."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    seen = descriptors()
    assert seen is not None
    resource.setrlimit(resource.RLIMIT_NOFILE, (seen.used + 40, before[1]))
    taken: list[int] = []
    try:
        with suppress(OSError):
            while True:
                taken.append(os.dup(0))
        yield
    finally:
        for descriptor in taken:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
