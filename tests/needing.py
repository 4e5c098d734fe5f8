"""What not every machine can have."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from core.errors import Unavailable


@contextmanager
def skipped_where_unavailable() -> Iterator[None]:
    """Skip a test where a driver is missing, unless this is CI's machine."""
    try:
        yield
    except Unavailable as missing:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(missing))
