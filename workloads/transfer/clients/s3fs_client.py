"""s3fs of fsspec, on aiobotocore: its own calls for whole files, in the loop of its objects.

A coroutine for each of the load's threads moves one file after the other.  Of its two ways to
repeat what fails only botocore's is left, which is counted; a body that breaks off fails its file.
"""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import wait
from functools import partial
from typing import Any, override

from fsspec.callbacks import Callback

from workloads.shared.objects import Place
from workloads.shared.objects.failures import plain_error
from workloads.shared.objects.s3fs_client import FAILED, S3fsObjects
from workloads.transfer.clients import Client
from workloads.transfer.remotes import access_of
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.transfer_pass import STOP_CHECK_SECONDS, STOP_GRACE_SECONDS, Pass

type Move = Callable[[str, dict[str, Any]], Awaitable[None]]
"""Moves the file of a name, with these options of s3fs."""


class S3fsClient(Client):
    """A file system of s3fs's for all passes."""

    failures = FAILED

    def __init__(self, parameters: TransferParameters, threads: int) -> None:
        access = access_of(parameters)
        self._threads, self._part = threads, parameters.part_size
        self._root = f"{access.address.bucket}/{access.address.prefix}"
        self._going: Pass | None = None
        place = Place(
            s3=access,
            connections=parameters.max_connections or threads,
            attempts=parameters.attempts,
            timeout=parameters.timeout,
        )
        self._objects = S3fsObjects(place, self._count)

    def _count(self, tally: str, by: float) -> None:
        """Called in the thread of the loop; what it took to open is of no pass."""
        if self._going is not None:
            self._going.meter.count(tally, by)

    @override
    def upload(self, going: Pass) -> None:
        async def send(name: str, options: dict[str, Any]) -> None:
            path, key = going.path_of(name), self._root + going.prefix + name
            if path.is_dir():  # which s3fs passes over, as if it had sent it
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            await self._objects.files._put_file(str(path), key, **options)

        self._share(going, [file.name for file in going.files_left], send)

    @override
    def download(self, going: Pass) -> None:
        self._going = going
        whole = self._root + going.prefix
        listing = self._objects.files._find(whole)
        listed = asyncio.run_coroutine_threadsafe(listing, self._objects.loop).result()
        names = [path[len(whole) :] for path in listed]

        async def fetch(name: str, options: dict[str, Any]) -> None:
            await self._objects.files._get_file(whole + name, str(going.target_of(name)), **options)

        self._share(going, [name for name in names if name not in going.done_names], fetch)

    def _share(self, going: Pass, names: Sequence[str], move: Move) -> None:
        """Move all files by coroutines that share them; what hangs is given up."""
        self._going = going
        # All requests are for parts where there are few files.
        options = {
            "chunksize": self._part,
            "max_concurrency": max(1, self._threads // max(1, len(names))),
        }
        shared = iter(names)

        async def move_all() -> None:
            await asyncio.gather(
                *(_move_some(going, shared, move, options) for _ in range(self._threads))
            )

        moving = asyncio.run_coroutine_threadsafe(move_all(), self._objects.loop)
        while not moving.done() and not going.stopping:
            wait([moving], STOP_CHECK_SECONDS)
        wait([moving], STOP_GRACE_SECONDS)
        if not moving.cancel():
            moving.result()

    @override
    def close(self) -> None:
        self._objects.close()


async def _move_some(
    going: Pass, shared: Iterator[str], move: Move, options: dict[str, Any]
) -> None:
    for name in shared:
        if going.stopping:
            return
        going.begun(name)
        told: Any = Callback()
        told.relative_update = partial(going.moved, name)
        try:
            await move(name, {**options, "callback": told})
        except (*FAILED, ValueError) as error:
            going.failed(name, str(plain_error(error)))
        else:
            if not going.stopping:
                going.done(name)
