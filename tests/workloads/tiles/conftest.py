"""The stores of the conformance suite, each a server or folder of the session's own."""

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from driving import need_drivers
from server_sites import (  # noqa: F401 -- fixtures
    SERVERS,
    accumulo_site,
    cassandra_site,
    hdfs_site,
    nobody,
    wrong_password,
)
from store_conformance import Mistake, Site

S3 = os.environ.get("SLUICE_TEST_S3", "")
"""An address in a real S3 with a bucket that tests may write to; keys as boto3 finds them."""
SITES = ("file", *(("s3",) if S3 else ()), *SERVERS)


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


@pytest.fixture(scope="session")
def s3_site() -> Iterator[Site]:
    """A bucket of a real server, and ways to miss it."""
    parts = urlsplit(S3)
    wrong = {"access_key": "env:SLUICE_TEST_WRONG", "secret_key": "env:SLUICE_TEST_WRONG"}
    with socket.socket() as taken, pytest.MonkeyPatch.context() as patch:
        taken.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{taken.getsockname()[1]}"
        patch.setenv("SLUICE_TEST_WRONG", "neither-key-nor-secret")
        yield Site(
            "s3",
            S3,
            mistakes={
                "nobody listens": Mistake(f"s3://{parts.netloc}?endpoint={nobody}"),
                "no such bucket": Mistake(f"s3://no-such-bucket-anywhere?{parts.query}"),
                "wrong credentials": Mistake(S3, wrong),
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


@pytest.fixture
def closed_port() -> Iterator[int]:
    """Taken, but nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@pytest.fixture
def open_port() -> Iterator[int]:
    """Somebody listens, and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]
