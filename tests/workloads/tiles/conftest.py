"""The stores of the conformance suite: a folder, and real servers of a lab of the session's own."""

import socket
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from driving import need_drivers
from hostile_server import HostileServer, hostile
from lab_servers import served
from store_conformance import Mistake, Site

from core.lab.lab_client import Lab
from core.lab.servers import SERVERS
from core.language import report_to_nobody
from core.measure import cache_folder
from workloads.tiles.stores import BY_NAME, LAYOUTS

SITES = tuple(
    pytest.param(name, marks=() if name == "file" else pytest.mark.lab(name))
    for name in BY_NAME
    if name == "file" or name in SERVERS
)
CLIENT_SITES = tuple(
    pytest.param(f"{store}_{client}", marks=pytest.mark.lab(store))
    for store, client in (("s3", "s3fs"), ("s3", "obstore"), ("http", "obstore"))
)
"""Stores of objects by each client that is not the usual one."""

PATIENT = 120.0
"""Seconds for an answer of a store: the machine may have more to do."""


@pytest.hookimpl(trylast=True)  # after pytest's own order by fixtures
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run those tests last that end the servers of the session."""
    items.sort(key=lambda item: item.get_closest_marker("ends_servers") is not None)


def login_of(store: str) -> Mapping[str, object]:
    """What users are told to log in to the lab's server with."""
    login = BY_NAME[store].login
    assert login is not None
    return login


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


def _layout_site(store: str, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A folder for layers by zoom."""
    folder = tmp_path_factory.mktemp(store)
    (folder / "a file").write_bytes(b"no folder")
    mistakes = {
        "a file where the folder should be": Mistake(str(folder / "a file")),
        "no address": Mistake(""),
    }
    return Site(store, str(folder), mistakes=mistakes)


@pytest.fixture(scope="session")
def xyz_site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return _layout_site("xyz", tmp_path_factory)


@pytest.fixture(scope="session")
def mbtiles_site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return _layout_site("mbtiles", tmp_path_factory)


@pytest.fixture(scope="session")
def pmtiles_site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return _layout_site("pmtiles", tmp_path_factory)


@pytest.fixture(scope="session")
def s3_site(servers: Lab, unused_port: int) -> Iterator[Site]:
    """The bucket of the lab's server, and ways to miss it."""
    address = served(servers, "s3").address
    parts = urlsplit(address)
    wrong = {"access_key": "env:SLUICE_TEST_WRONG", "secret_key": "env:SLUICE_TEST_WRONG"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLUICE_TEST_WRONG", "neither-key-nor-secret")
        yield Site(
            "s3",
            address,
            login_of("s3"),
            mistakes={
                "nobody listens": Mistake(
                    f"s3://{parts.netloc}?endpoint=http://127.0.0.1:{unused_port}"
                ),
                "no such bucket": Mistake(f"s3://no-such-bucket-anywhere?{parts.query}"),
                "wrong credentials": Mistake(address, wrong),
            },
        )


@pytest.fixture(scope="session")
def s3_s3fs_site(s3_site: Site) -> Site:
    return s3_site.by("s3fs")


@pytest.fixture(scope="session")
def s3_obstore_site(s3_site: Site) -> Site:
    return s3_site.by("obstore")


@pytest.fixture(scope="session")
def http_site(servers: Lab, unused_port: int) -> Site:
    """The folder of the lab's web server, and ways to miss it."""
    return Site(
        "http",
        served(servers, "http").address,
        {"timeout": PATIENT, "attempts": 2},
        mistakes={
            "nobody listens": Mistake(f"http://127.0.0.1:{unused_port}/"),
            "no web server": Mistake("s3://bucket/prefix"),
            "a search": Mistake("http://127.0.0.1/?list=all"),
        },
    )


@pytest.fixture(scope="session")
def http_obstore_site(http_site: Site) -> Site:
    return http_site.by("obstore")


@pytest.fixture(scope="session")
def cassandra_site(servers: Lab, unused_port: int) -> Iterator[Site]:
    """The keyspace of the lab's server, and ways to miss it."""
    address = served(servers, "cassandra").address
    place, _, keyspace = address.rpartition("/")
    login = {**login_of("cassandra"), "timeout": PATIENT}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLUICE_TEST_WRONG", "not-the-password")
        yield Site(
            "cassandra",
            address,
            login,
            mistakes={
                "nobody listens": Mistake(f"cassandra://127.0.0.1:{unused_port}/{keyspace}"),
                "no such keyspace": Mistake(f"{place}/no_such_keyspace"),
                "wrong credentials": Mistake(address, {"password": "env:SLUICE_TEST_WRONG"}),
            },
        )


@pytest.fixture(scope="session")
def hdfs_site(servers: Lab, unused_port: int) -> Site:
    """A folder of the lab's file system, and ways to miss it."""
    address = served(servers, "hdfs").address
    return Site(
        "hdfs",
        address,
        {**login_of("hdfs"), "timeout": PATIENT},
        mistakes={"nobody listens": Mistake(f"hdfs://127.0.0.1:{unused_port}/tiles")},
    )


_CACHE = cache_folder()
"""Not that of the test that happens to ask for a site first."""


@pytest.fixture(scope="session")
def accumulo_site(servers: Lab, unused_port: int) -> Iterator[Site]:
    """The namespace of the lab's instance, and ways to miss it."""
    address = served(servers, "accumulo").address
    place, _, _ = address.rpartition("/")
    (core,) = (_CACHE / "lab").glob("accumulo-*/**/accumulo-core-*.jar")
    login = {
        **login_of("accumulo"),
        "timeout": PATIENT,
        "jars": str(core.parent),  # tests have caches of their own
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLUICE_TEST_WRONG", "not-the-password")
        yield Site(
            "accumulo",
            address,
            login,
            mistakes={
                "no such namespace": Mistake(f"{place}/no_such_namespace"),
                "wrong credentials": Mistake(address, {"password": "env:SLUICE_TEST_WRONG"}),
            },
        )


@pytest.fixture(scope="session", params=SITES)
def site(request: pytest.FixtureRequest) -> Site:
    """Each store by key in turn."""
    return _site(request)


@pytest.fixture(scope="session", params=(*SITES, *CLIENT_SITES, *LAYOUTS))
def any_site(request: pytest.FixtureRequest) -> Site:
    """Each store in turn, those by zoom too."""
    return _site(request)


def _site(request: pytest.FixtureRequest) -> Site:
    store, _, client = request.param.partition("_")
    need_drivers(
        "tiles", store=store, address="somewhere", **({"client": client} if client else {})
    )
    found: Site = request.getfixturevalue(f"{request.param}_site")
    return found


@pytest.fixture
def server() -> Iterator[HostileServer]:
    """A server that answers as it is told to."""
    with hostile() as server:
        yield server


@pytest.fixture
def counted() -> Counter[str]:
    return Counter()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A layer of 24 places with 6 holes, for trials whose ledger is the test's own."""
    from workloads.tiles.make_layer import LayerShape, make_layer

    need_drivers("tiles")
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path / "state"))
    path = tmp_path / "layer"
    path.mkdir()
    shape = LayerShape(columns=6, rows=4, tile_size=16, holes=0.25, level=1)
    make_layer(shape, path, report_to_nobody)
    return path


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
