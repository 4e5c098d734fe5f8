"""The stand-in of Synapse, and the real client in a process of its own."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
import synapse_calls
from fuzzing import drawn
from patience import PATIENCE
from serving import running
from synapse_service import Service, need_packages

from core.lab.kits import kit_of
from core.lab.lab_client import Lab, throw_away_lab
from core.lab.servers.synapse import SYNAPSE
from core.language import report_to_nobody


@pytest.fixture
def empty_lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    """A lab of the test's own, for a stand-in with options."""
    need_packages("aiohttp")
    monkeypatch.setenv("SLUICE_LAB", str(tmp_path / "lab"))
    with throw_away_lab(tmp_path / "lab") as lab:
        yield lab


@pytest.fixture(scope="session")
def whole_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The stand-in without delays or faults of its own."""
    need_packages("aiohttp", "synapseclient")
    kit = kit_of(SYNAPSE, report_to_nobody)
    with running(SYNAPSE, kit, tmp_path_factory.mktemp("synapse")) as found:
        yield Service(found)


@pytest.fixture
def service(whole_service: Service) -> Service:
    """The stand-in, of which no test before has ordered faults."""
    whole_service.order()
    return whole_service


@pytest.fixture(scope="session")
def real_client(
    whole_service: Service, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Any]]:
    """Has the real client, logged in, do something in `synapse_calls`; returns what comes of it."""
    home = tmp_path_factory.mktemp("home")
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, spawned, synapse_calls.begin, (home,)) as pool:

        def call(what: Callable[..., Any], *arguments: Any) -> Any:
            return pool.submit(synapse_calls.ending, what, *arguments).result(5 * PATIENCE)

        call(synapse_calls.login, whole_service.base, whole_service.token)
        yield call


@pytest.fixture
def project(real_client: Callable[..., Any], request: pytest.FixtureRequest) -> Iterator[str]:
    """A project of the test's own."""
    name = "".join(one if one.isalnum() else "-" for one in request.node.name)
    found: str = real_client(synapse_calls.new_project, name)
    assert found.startswith("syn"), found
    yield found
    real_client(synapse_calls.delete, found)


@pytest.fixture
def made_file(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[..., Path]:
    """A file of so many bytes that no other test has stored."""
    source = drawn(crc32(request.node.nodeid.encode()))

    def make(size: int, name: str = "file.bin") -> Path:
        path = tmp_path / name
        path.write_bytes(source.randbytes(size))
        return path

    return make
