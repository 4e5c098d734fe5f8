"""A small tree with every kind of name and size, each client in turn, and the lab's servers."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from driving import need_drivers
from lab_servers import served
from transferring import SIZE

from core.lab.lab_client import Lab
from core.language import report_to_nobody
from workloads.transfer.clients import BY_NAME, CLIENTS, ClientProgram
from workloads.transfer.tree_datasets import TreeShape, make_tree

PART = 5 << 20
"""Bytes of a part, the smallest that S3 takes."""
NAMES = ("with spaces.txt", "ünï/çødé – 木.bin", "a+b&c=d%20?#.dat", "two\nlines", "long-" * 51)
"""The last has 255 bytes."""
NEARLY_AS_LONG = "long-" * 40
"""For clients that write into a name that is longer by some letters until a file is whole."""
PLAIN_NAMES = (
    *("first", "sub/one", "with spaces.txt", "deep/er/file (1).bin", "a+b - c_d.dat", "(e).f"),
    NEARLY_AS_LONG,
)
"""As hard as Synapse allows."""


def content(size: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(size)


@pytest.fixture
def small_tree(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A folder of a user's, of seven files: an empty one and names that are hard to carry.

    For a client of Synapse, which takes neither, some that are as hard as it allows.
    """
    asked = request.getfixturevalue("asked") if "asked" in request.fixturenames else {}
    if BY_NAME[asked.get("client", "copy")].scheme == "synapse":
        return written(tmp_path / "files", PLAIN_NAMES, least=1)
    client = asked.get("client")
    names = NAMES if client != "s5cmd" else (*NAMES[:-1], NEARLY_AS_LONG)
    if client == "obstore":  # which takes no control characters
        names = tuple(name.replace("\n", " ") for name in names)
    return written(tmp_path / "files", ("empty", "sub/one", *names), least=0)


def written(root: Path, names: tuple[str, ...], least: int) -> Path:
    for number, name in enumerate(names, least):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content(1000 * number, number))
    return root


@pytest.fixture
def large_tree(tmp_path: Path) -> Path:
    """A folder with a file of exactly one part, one of a byte more, and one of a byte less."""
    root = tmp_path / "large"
    root.mkdir()
    for size in (PART - 1, PART, PART + 1):
        (root / str(size)).write_bytes(content(size))
    return root


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A generated tree, and a ledger of the test's own."""
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path / "state"))
    path = tmp_path / "made"
    path.mkdir()
    make_tree(TreeShape(size=SIZE), path, report_to_nobody)
    return path


@pytest.fixture(scope="session")
def s3(servers: Lab) -> Mapping[str, Any]:
    """The parameters that reach the lab's bucket."""
    need_drivers("transfer", client="boto3")
    return {
        "client": "boto3",
        "address": served(servers, "s3").address,
        "access_key": "lab:s3/access-key",
        "secret_key": "lab:s3/secret-key",
        "part_size": PART,
    }


@pytest.fixture(scope="session")
def synapse(servers: Lab) -> Mapping[str, Any]:
    """The parameters that reach the lab's stand-in of Synapse."""
    need_drivers("transfer", client="synapse-sync")
    return {"address": served(servers, "synapse").address, "token": "lab:synapse/token"}


def each_client() -> Iterator[Any]:
    """Every client that this machine can have, with what its tests need."""
    for entry in CLIENTS:
        if not all(one.installed for one in entry.drivers if isinstance(one, ClientProgram)):
            continue  # no package has it, so CI does not either
        marks = [pytest.mark.lab(entry.scheme)] if entry.scheme else []
        if entry.scheme == "synapse":  # of functions that it keeps until its next version
            marks.append(pytest.mark.filterwarnings("ignore::DeprecationWarning"))
        yield pytest.param(entry.name, marks=marks)


@pytest.fixture(scope="session", params=each_client())
def asked(request: pytest.FixtureRequest) -> Mapping[str, Any]:
    """The parameters of each client in turn."""
    entry = BY_NAME[request.param]
    need_drivers("transfer", client=entry.name)
    reached = request.getfixturevalue(entry.scheme) if entry.scheme else {}
    return {**reached, "client": entry.name}
