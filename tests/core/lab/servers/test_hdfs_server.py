"""HDFS as its recipe starts it."""

from __future__ import annotations

import random
from urllib.parse import urlsplit

import pytest
from serving import Running

pytestmark = [
    pytest.mark.lab("hdfs"),
    pytest.mark.parametrize("server", ["hdfs"], indirect=True),
]


def test_that_a_file_below_the_address_is_read_as_it_was_written(server: Running) -> None:
    from hdfs_native import Client

    address = urlsplit(server.server.address)
    client = Client(f"hdfs://{address.netloc}")
    path, content = f"{address.path}/file", random.Random(1).randbytes(3 << 20)
    with client.create(path) as file:
        file.write(content)
    with client.read(path) as file:
        assert file.read() == content
    assert client.delete(path)


def test_that_readiness_leaves_nothing_but_the_folder(server: Running) -> None:
    from hdfs_native import Client

    address = urlsplit(server.server.address)
    assert server.server.ready()
    assert list(Client(f"hdfs://{address.netloc}").list_status(address.path)) == []
