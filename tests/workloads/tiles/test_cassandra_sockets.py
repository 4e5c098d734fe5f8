"""How the connections to Cassandra are made."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from store_conformance import Site, new_layer


@pytest.mark.lab("cassandra")
def test_that_no_request_is_held_back_until_the_server_acknowledges_another(
    cassandra_site: Site,
) -> None:
    """Else a single thread waits 40 ms for each write, and threads seem to gain."""
    with cassandra_site.opened(new_layer()) as store:
        opened: Any = store
        pools = opened._session.get_pools()
        sockets = [one._socket for pool in pools for one in pool.get_connections()]
        assert sockets
        for each in sockets:
            assert each.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
