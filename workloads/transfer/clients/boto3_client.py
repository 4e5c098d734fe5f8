"""s3transfer, the part of boto3 that moves files: its own threads, large files in parts.

What it does for a file is known in two ways: s3transfer tells its subscribers of bytes and of the
end, and botocore of each request, the first of which is where the file's time begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from threading import Thread
from types import TracebackType
from typing import Any, override

from workloads.shared.objects.failures import plain_error
from workloads.shared.servers import count_attempts, s3_address
from workloads.transfer.clients import Client
from workloads.transfer.remotes import client_of
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.transfer_pass import STOP_GRACE_SECONDS, Pass

_UNDER_WAY = 900
"""Most files handed to s3transfer: with a thousand it makes its caller wait, without an end."""


class Boto3Client(Client):
    """One client of botocore for all passes, and one transfer manager for each."""

    def __init__(self, parameters: TransferParameters, threads: int) -> None:
        from botocore.exceptions import BotoCoreError, ClientError
        from s3transfer.manager import TransferConfig

        self.failures = (BotoCoreError, ClientError)
        address = s3_address(parameters.address)
        self._bucket, self._prefix = address.bucket, address.prefix
        self._s3 = client_of(parameters, parameters.max_connections or threads)
        self._config = TransferConfig(
            multipart_threshold=parameters.part_size,
            multipart_chunksize=parameters.part_size,
            max_request_concurrency=threads,
        )
        self._going: Pass | None = None
        # Now, before the clock: botocore reads its own tables for it.
        self._pages = self._s3.get_paginator("list_objects_v2")
        self._s3.meta.events.register("before-parameter-build.s3", self._request_begins)
        count_attempts(self._s3, self._attempt_ended)

    @override
    def upload(self, going: Pass) -> None:
        prefix = self._prefix + going.prefix
        with _Transfer(self, going) as transfer:
            for file in going.files_left:
                if going.stopping:
                    break
                path = str(going.path_of(file.name))
                ends = (path, self._bucket, prefix + file.name)
                transfer.submit(file.name, transfer.manager.upload, ends)
            transfer.wait()

    @override
    def download(self, going: Pass) -> None:
        prefix = self._prefix + going.prefix
        with _Transfer(self, going) as transfer:
            for key in self._keys(prefix):
                if going.stopping:
                    break
                name = key[len(prefix) :]
                if name in going.done_names:
                    continue
                try:
                    path = str(going.target_of(name))
                except ValueError as error:
                    transfer.refuse(name, str(error))
                    continue
                transfer.submit(name, transfer.manager.download, (self._bucket, key, path))
            transfer.wait()

    def _keys(self, prefix: str) -> Iterator[str]:
        for page in self._pages.paginate(Bucket=self._bucket, Prefix=prefix):
            for one in page.get("Contents", ()):
                yield one["Key"]

    def manager(self, going: Pass) -> Any:
        """A transfer manager for one pass, of which botocore's events tell from now on."""
        from s3transfer.manager import TransferManager

        self._going = going
        return TransferManager(self._s3, self._config)

    def _request_begins(self, params: Any, **_: Any) -> None:
        """Called by botocore before a request, in the thread that makes it."""
        going, key = self._going, params.get("Key", "")
        if going is not None and (name := going.name_of(key[len(self._prefix) :])):
            going.begun(name)

    def _attempt_ended(self, name: str, by: float) -> None:
        if self._going is not None:
            self._going.meter.count(name, by)

    @override
    def close(self) -> None:
        self._s3.close()


class _Transfer:
    """The files of one pass, in the hands of one transfer manager."""

    def __init__(self, client: Boto3Client, going: Pass) -> None:
        self._going = going
        self._files = 0
        self.manager = client.manager(going)

    def __enter__(self) -> _Transfer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        from s3transfer.exceptions import CancelledError

        if error is not None or not self._going.stopping:
            self.manager.__exit__(kind, error, trace)
            return
        # Its method `shutdown` fails where it is asked to cancel: it mixes up its arguments.
        given_up = CancelledError, CancelledError("given up"), None
        ending = Thread(target=self.manager.__exit__, args=given_up, daemon=True)
        ending.start()
        ending.join(STOP_GRACE_SECONDS)  # of a server that does not answer it waits for a minute

    def submit(self, name: str, move: Any, ends: tuple[str, str, str]) -> None:
        self._going.wait_for(self._files - _UNDER_WAY)
        self._files += 1
        move(*ends, subscribers=[_subscribers()(self._going, name)])

    def refuse(self, name: str, why: str) -> None:
        """A file that is not handed to s3transfer."""
        self._files += 1
        self._going.failed(name, why)

    def wait(self) -> None:
        """Until every file is done or has failed, or all is to be given up."""
        self._going.wait_for(self._files)


@cache
def _subscribers() -> Any:
    """The class whose objects tell a pass what s3transfer tells of one file.

    It is made once, with the import of s3transfer.
    """
    from s3transfer.subscribers import BaseSubscriber

    class Subscriber(BaseSubscriber):  # type: ignore[misc]
        def __new__(cls, *_: object) -> Subscriber:
            # The base examines the methods of each object anew, which takes longer than they do.
            made: Subscriber = object.__new__(cls)
            return made

        def __init__(self, going: Pass, name: str) -> None:
            self._going, self._name = going, name

        def on_progress(self, future: Any, bytes_transferred: int, **_: Any) -> None:
            self._going.moved(self._name, bytes_transferred)

        def on_done(self, future: Any, **_: Any) -> None:
            going = self._going
            if going.stopping:
                return
            try:
                future.result()
            except Exception as error:  # noqa: BLE001 -- whatever it is: the file has failed
                going.failed(self._name, _message_of(error))
            else:
                going.done(self._name)

    return Subscriber


def _message_of(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:  # of a file here
        return f"{type(error).__name__}: {error.strerror}"
    return str(plain_error(getattr(error, "last_exception", error)))  # of s3transfer's last attempt
