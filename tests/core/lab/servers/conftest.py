"""One server of each recipe at a time, for all tests that look at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from serving import ODD, PLAIN, Running, running

from core.lab.kits import kit_of
from core.lab.recipe import Kit
from core.lab.servers import recipe_of
from core.language import report_to_nobody


@pytest.fixture(scope="session")
def kits() -> Callable[[str], Kit]:
    """The kit of a recipe by its name, fetched unless it is in the cache."""
    return lambda name: kit_of(recipe_of(name), report_to_nobody)


@pytest.fixture(scope="session")
def server(
    request: pytest.FixtureRequest,
    kits: Callable[[str], Kit],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Running]:
    """The server whose name is the fixture's parameter; it serves until the last test of it."""
    folder: Path = tmp_path_factory.mktemp(request.param)
    if request.param not in PLAIN:
        folder /= ODD
    with running(recipe_of(request.param), kits(request.param), folder) as found:
        yield found
