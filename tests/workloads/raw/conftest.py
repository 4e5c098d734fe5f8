"""A machine with a C compiler, and one without."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from compilers import machine
from ways import WAYS

from workloads.raw import block_reads


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Who reads the blocks of few files."""
    with machine(request.param, block_reads.library, monkeypatch) as found:
        yield found
