"""obstore, compiled: one file by each thread, large ones in parts.

It has no hook for its requests, so what it sends of a file is known when the file is there, and
its requests only where somebody on the way counts them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from threading import Thread
from typing import Any, override

import obstore

from workloads.shared.objects.failures import plain_error
from workloads.shared.objects.obstore_client import FAILED, s3_store
from workloads.shared.servers import CONNECTING, s3_address
from workloads.transfer.clients import Client
from workloads.transfer.remotes import access_of
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.transfer_pass import STOP_CHECK_SECONDS, STOP_GRACE_SECONDS, Pass

_PIECE = 1 << 20
"""Bytes of a file that are fetched before they are written."""
_LONGEST = timedelta(minutes=10)
"""For one request, of which the body of a file may be the most."""


class ObstoreClient(Client):
    """One store of obstore's for all passes."""

    failures = FAILED

    def __init__(self, parameters: TransferParameters, threads: int) -> None:
        self._threads, self._part = threads, parameters.part_size
        self._prefix = s3_address(parameters.address).prefix
        # To send a part may take longer, and that is not told from waiting.
        waiting = timedelta(seconds=parameters.timeout)
        settings: Any = {
            "client_options": {
                "read_timeout": waiting if parameters.direction == "down" else _LONGEST,
                "allow_http": True,
                "timeout": _LONGEST,
                "connect_timeout": timedelta(seconds=CONNECTING),
                "pool_max_idle_per_host": str(threads),
            },
            "retry_config": {"max_retries": parameters.attempts - 1},
        }
        self._store = s3_store(access_of(parameters), settings)

    @override
    def upload(self, going: Pass) -> None:
        names = [file.name for file in going.files_left]
        # All threads are for parts where there are few files.
        parts = max(1, self._threads // max(1, len(names)))

        def send(name: str) -> None:
            key = self._prefix + going.prefix + name
            obstore.put(
                self._store,
                key,
                going.path_of(name),
                chunk_size=self._part,
                max_concurrency=parts,
            )

        self._share(going, names, send)

    @override
    def download(self, going: Pass) -> None:
        whole = self._prefix + going.prefix
        pages = obstore.list(self._store, prefix=whole)
        listed = (one["path"][len(whole) :] for page in pages for one in page)
        names = [name for name in listed if name not in going.done_names]

        def fetch(name: str) -> None:
            path = going.target_of(name)
            answer = obstore.get(self._store, whole + name)
            with path.open("wb") as file:
                for piece in answer.stream(min_chunk_size=_PIECE):
                    file.write(piece)
                    going.moved(name, len(piece))
                    if going.stopping:
                        return

        self._share(going, names, fetch)

    def _share(self, going: Pass, names: Sequence[str], move: Callable[[str], None]) -> None:
        """Move all files by threads that share them; a call that hangs is left to itself."""
        shared = iter(names)
        threads = [
            Thread(target=_move_all, args=(going, shared, move), name="obstore", daemon=True)
            for _ in range(self._threads)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive() and not going.stopping:
                thread.join(STOP_CHECK_SECONDS)
        for thread in threads:
            thread.join(STOP_GRACE_SECONDS / len(threads))


def _move_all(going: Pass, shared: Iterator[str], move: Callable[[str], None]) -> None:
    for name in shared:
        if going.stopping:
            return
        going.begun(name)
        try:
            move(name)
        except FAILED as error:
            going.failed(name, str(plain_error(error)))
        else:
            if not going.stopping:
                going.done(name)
