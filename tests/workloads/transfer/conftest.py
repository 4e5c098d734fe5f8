"""A small tree with every kind of name and size, and the lab's S3."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from driving import need_drivers
from lab_servers import served

from core.lab.lab import Lab

PART = 5 << 20
"""Bytes of a part, the smallest that S3 takes."""
NAMES = ("with spaces.txt", "ünï/çødé – 木.bin", "a+b&c=d%20?#.dat", "two\nlines", "long-" * 51)
"""The last has 255 bytes."""


def content(size: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(size)


@pytest.fixture
def small_tree(tmp_path: Path) -> Path:
    """A folder of a user's: an empty file, and names that are hard to carry."""
    root = tmp_path / "files"
    for number, name in enumerate(("empty", "sub/one", *NAMES)):
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
