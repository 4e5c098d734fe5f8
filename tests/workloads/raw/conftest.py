"""A machine with a C compiler, and one without."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from ways import WAYS, without_compiler

from workloads.raw import native_reads


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Who reads the blocks of few files."""
    native_reads.library.cache_clear()
    if request.param == "Python":
        without_compiler(monkeypatch)
    elif native_reads.library() is None:
        pytest.skip("a C compiler is missing")
    yield request.param
    native_reads.library.cache_clear()
