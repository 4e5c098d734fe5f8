"""The stores of the conformance suite, each a server or folder of the session's own."""

from collections.abc import Callable
from pathlib import Path

import pytest
from driving import need_drivers
from store_conformance import Mistake, Site

SITES = ("file",)


@pytest.fixture(scope="session")
def file_site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A folder."""
    folder = tmp_path_factory.mktemp("tiles")
    (folder / "a file").write_bytes(b"no folder")
    return Site(
        "file",
        str(folder),
        mistakes={
            "a file where the folder should be": Mistake(str(folder / "a file")),
            "no address": Mistake(""),
        },
    )


@pytest.fixture(scope="session", params=SITES)
def site(request: pytest.FixtureRequest) -> Site:
    """Each store in turn."""
    need_drivers("tiles", store=request.param, address="somewhere")
    found: Site = request.getfixturevalue(f"{request.param}_site")
    return found


@pytest.fixture
def layer_folder(made: Callable[[str], object], tmp_path: Path) -> Path:
    """A small layer of tiles with holes."""
    dataset = made("tile-layer")
    path: Path = dataset.path  # type: ignore[attr-defined]
    return path
