"""Objects in S3 by s3fs on aiobotocore: all requests of the threads in one event loop.

A thread hands its request to the loop and waits for it, as fsspec's own synchronous calls do, so
that as many requests are on their way as there are threads.  A batch is handed over at once.  s3fs
asks for the size of each whole object before it fetches it, and that is left as it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from threading import Thread
from typing import Any, ClassVar, override

import aiohttp
from botocore.exceptions import BotoCoreError, ClientError
from s3fs import S3FileSystem

from workloads.shared.objects import (
    ABSENT,
    CountTally,
    ObjectClient,
    Place,
    RequestFailed,
    require_range,
)
from workloads.shared.objects.failures import failure_of
from workloads.shared.objects.s3_login import s3_login
from workloads.shared.servers import (
    PASSING,
    S3Access,
    attempt_on_wire,
    botocore_settings,
    code_of,
    count_attempts,
    explained,
    follow_no_redirect,
    status_of,
)

FAILED = (OSError, BotoCoreError, ClientError, aiohttp.ClientError)


def file_system(access: S3Access, **settings: Any) -> Any:
    """A file system of s3fs's for a bucket; raises SluiceError."""
    login = s3_login(access)
    return S3FileSystem(
        key=login.key,
        secret=login.secret,
        token=login.token,
        endpoint_url=access.address.endpoint or None,
        client_kwargs={"region_name": login.region},
        # Else equal arguments give the file system of somebody else, with its lists.
        skip_instance_cache=True,
        **settings,
    )


class S3fsObjects(ObjectClient):
    """A file system of s3fs's and the thread of its event loop."""

    batches: ClassVar[bool] = True

    def __init__(self, place: Place, tally: CountTally) -> None:
        super().__init__(tally)
        assert place.s3 is not None
        self._longest: float | None = None
        self._bucket = place.s3.address.bucket
        self.loop = asyncio.new_event_loop()
        self._thread = Thread(target=self.loop.run_forever, name="s3fs", daemon=True)
        self._thread.start()
        self.files = file_system(
            place.s3,
            config_kwargs=botocore_settings(place.s3, place),
            asynchronous=True,
            loop=self.loop,
            use_listings_cache=False,
        )
        self.files.retries = 1  # its own, beside botocore's
        try:
            self._s3: Any = self._wait(self.files.set_session())
            self._longest = place.timeout * place.attempts  # for requests, not botocore's tables
            self._wait(self._require_answer())
        except (*FAILED, RequestFailed) as error:
            self.close()
            raise explained(failure_of(_cause_of(error)), place.s3.address) from error
        except BaseException:
            self.close()
            raise

    async def _require_answer(self) -> None:
        """Have the client below s3fs list: a HEAD is refused without words."""
        s3 = self._s3
        count_attempts(s3, self._tally)
        s3.meta.events.register("needs-retry.s3", attempt_on_wire)
        s3.meta.events.register("before-call.s3.HeadBucket", follow_no_redirect)
        try:
            await s3.list_objects_v2(Bucket=self._bucket, MaxKeys=1)
        except FAILED as error:
            if status_of(error) not in PASSING:
                raise

    def _wait[Answer](self, request: Coroutine[Any, Any, Answer]) -> Answer:
        waiting = asyncio.run_coroutine_threadsafe(request, self.loop)
        try:
            return waiting.result(self._longest)
        except TimeoutError as error:  # also of an answer that trickles without an end
            waiting.cancel()
            raise failure_of(error) from error

    @override
    def get(self, name: str) -> bytes | None:
        return self._wait(self._get(name))

    @override
    def get_many(self, names: Sequence[str]) -> Sequence[bytes | Exception | None]:
        return self._wait(self._get_all(names))

    async def _get_all(self, names: Sequence[str]) -> Sequence[bytes | Exception | None]:
        async def one(name: str) -> bytes | Exception | None:
            try:
                return await self._get(name)
            except RequestFailed as error:
                return error

        return await asyncio.gather(*map(one, names))

    async def _get(self, name: str) -> bytes | None:
        try:
            content: bytes = await self.files._cat_file(f"{self._bucket}/{name}")
        except FileNotFoundError as error:
            if code_of(_cause_of(error)) not in ABSENT:
                raise failure_of(_cause_of(error)) from error
            return None
        except FAILED as error:
            raise failure_of(_cause_of(error)) from error
        return content

    @override
    def get_range(self, name: str, first: int, length: int) -> bytes:
        return self._wait(self._get_range(name, first, length))

    async def _get_range(self, name: str, first: int, length: int) -> bytes:
        """By the client below s3fs, whose answer says which range it is."""
        try:
            answer = await self.files._call_s3(
                "get_object",
                Bucket=self._bucket,
                Key=name,
                Range=f"bytes={first}-{first + length - 1}",
            )
            # Else a body that breaks off keeps its connection, and the next request waits for one.
            async with answer["Body"] as body:
                content: bytes = await body.read()
        except FAILED as error:
            raise failure_of(_cause_of(error)) from error
        status = answer["ResponseMetadata"]["HTTPStatusCode"]
        require_range(status, answer.get("ContentRange", ""), (first, length), len(content))
        return content

    @override
    def size(self, name: str) -> int:
        try:
            return int(self._wait(self.files._info(f"{self._bucket}/{name}"))["size"])
        except FAILED as error:
            raise failure_of(_cause_of(error)) from error

    @override
    def put(self, name: str, value: bytes) -> None:
        try:
            self._wait(self.files._pipe_file(f"{self._bucket}/{name}", bytes(value)))
        except FAILED as error:
            raise failure_of(_cause_of(error)) from error

    @override
    def close(self) -> None:
        if (creator := getattr(self.files, "_s3creator", None)) is not None:
            self._wait(creator.__aexit__(None, None, None))
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()


def _cause_of(error: BaseException) -> Any:
    """The error of botocore that s3fs has made one of Python's of."""
    return error.__cause__ or error
