"""Where trees are sent to and fetched from, as seen by a client that is not under test.

It fills the remote before a download, finds what arrived after an upload, and removes it.  A
project of Synapse as a remote is in `synapse_remote`.
"""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, override

from core import ReportProgress, SluiceError, remove_tree
from workloads.shared.objects.failures import failure_of
from workloads.shared.servers import (
    S3Access,
    S3Repeats,
    code_of,
    end_uploads,
    explained,
    remove_objects,
    s3_address,
    s3_client,
)
from workloads.shared.threads import mapped
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.tree_files import BLOCK, TreeFile, files_below, hash_blocks, hash_file

THREADS = 8
"""That fill a remote, and read back what arrived, at once."""


class Arrived(NamedTuple):
    size: int
    md5: bytes
    flaw: str = ""
    """What is wrong with it besides, such as annotations that it does not have."""


class Remote(ABC):
    """The other end of a transfer: it holds files by names with slashes in them."""

    @abstractmethod
    def put(self, name: str, path: Path) -> None:
        """Write a file, in place of one that may be there; from any thread."""

    @abstractmethod
    def arrived(
        self, prefix: str, files: Sequence[TreeFile], report: ReportProgress
    ) -> Mapping[str, Arrived]:
        """All files whose names begin so, by the rest of their names.

        Their bytes are read and hashed; those that the server has hashed itself need not be, if it
        tells the MD5 that they should have.
        """

    @abstractmethod
    def note(self, name: str) -> bytes | None:
        """What a small file holds; None where there is none."""

    @abstractmethod
    def write_note(self, name: str, value: bytes) -> None:
        """Write a small file."""

    @abstractmethod
    def remove(self, prefix: str) -> int:
        """Remove all files whose names begin so, half-written ones too; returns how many it was."""

    def close(self) -> None:
        """Let go of connections."""


class FolderRemote(Remote):
    """A folder of this machine, or of a mounted share."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @override
    def put(self, name: str, path: Path) -> None:
        target = self._folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)

    @override
    def arrived(
        self, prefix: str, files: Sequence[TreeFile], report: ReportProgress
    ) -> Mapping[str, Arrived]:
        return hashed_below(self._folder / prefix, report)

    @override
    def note(self, name: str) -> bytes | None:
        try:
            return (self._folder / name).read_bytes()
        except FileNotFoundError:
            return None

    @override
    def write_note(self, name: str, value: bytes) -> None:
        (self._folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self._folder / name).write_bytes(value)

    @override
    def remove(self, prefix: str) -> int:
        return remove_folder(self._folder / prefix)


def hashed_below(folder: Path, report: ReportProgress) -> Mapping[str, Arrived]:
    """All files in a folder by their names in it, read and hashed; none where it is not there."""
    files: dict[str, Arrived] = {}
    for path in files_below(folder) if folder.is_dir() else ():
        files[path.relative_to(folder).as_posix()] = Arrived(*hash_file(path))
        report("reading what arrived", len(files), 0, "file")
    return files


def remove_folder(folder: Path) -> int:
    """Remove a folder with all that is in it; returns how many files that were."""
    if not folder.is_dir():
        return 0
    count = sum(1 for _ in files_below(folder))
    for one in remove_tree(folder):
        raise SluiceError(str(one))
    return count


def access_of(parameters: TransferParameters) -> S3Access:
    """Where it is, and what lets the client in; raises InvalidParameter."""
    return S3Access.by(parameters, s3_address(parameters.address))


def client_of(parameters: TransferParameters, connections: int) -> Any:
    """A client of boto3 for it; raises SluiceError."""
    repeats = S3Repeats(
        attempts=parameters.attempts, connections=connections, timeout=parameters.timeout
    )
    return s3_client(access_of(parameters), repeats)


_ABSENT = ("NoSuchKey", "404")


class BucketRemote(Remote):
    """Objects below the prefix of an address."""

    def __init__(self, parameters: TransferParameters) -> None:
        from boto3.exceptions import Boto3Error
        from botocore.exceptions import BotoCoreError, ClientError

        self._failures = (Boto3Error, BotoCoreError, ClientError)
        self._address = s3_address(parameters.address)
        self._bucket, self._prefix = self._address.bucket, self._address.prefix
        self._s3 = client_of(parameters, THREADS)
        # Once, so that what stands in the way of every request is said before the clock.
        try:
            with self._explaining():
                self._s3.list_objects_v2(Bucket=self._bucket, Prefix=self._prefix, MaxKeys=1)
        except SluiceError:
            self._s3.close()
            raise

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        """Raise SluiceError for what boto3 raises in the block."""
        try:
            yield
        except self._failures as error:
            raise explained(failure_of(error), self._address) from error

    @override
    def put(self, name: str, path: Path) -> None:
        from boto3.s3.transfer import TransferConfig

        alone = TransferConfig(use_threads=False)  # several files are written at once anyway
        with self._explaining():
            self._s3.upload_file(str(path), self._bucket, self._prefix + name, Config=alone)

    @override
    def arrived(
        self, prefix: str, files: Sequence[TreeFile], report: ReportProgress
    ) -> Mapping[str, Arrived]:
        whole = self._prefix + prefix
        expected = {file.name: file for file in files}
        arrived: dict[str, Arrived] = {}
        unsure: list[str] = []
        for one in self._objects(prefix):
            name = one["Key"][len(whole) :]
            file = expected.get(name)
            etag = one["ETag"].strip('"')
            if file is not None and etag == file.md5.hex() and one["Size"] == file.size:
                arrived[name] = Arrived(file.size, file.md5)
            else:  # sent in parts, or encrypted there, or wrong
                unsure.append(name)
        report("looking at what arrived", len(arrived), len(arrived) + len(unsure), "file")
        hashed = mapped(THREADS, "audit", lambda name: self._hashed(whole + name, report), unsure)
        arrived.update(zip(unsure, hashed, strict=True))
        return arrived

    def _objects(self, prefix: str) -> Iterator[Mapping[str, Any]]:
        pages = self._s3.get_paginator("list_objects_v2")
        with self._explaining():
            for page in pages.paginate(Bucket=self._bucket, Prefix=self._prefix + prefix):
                yield from page.get("Contents", ())

    def _hashed(self, key: str, report: ReportProgress) -> Arrived:
        def blocks() -> Iterator[bytes]:
            with self._explaining():
                body = self._s3.get_object(Bucket=self._bucket, Key=key)["Body"]
                for block in body.iter_chunks(BLOCK):
                    report("reading back what arrived")
                    yield block

        return Arrived(*hash_blocks(blocks()))

    @override
    def note(self, name: str) -> bytes | None:
        try:
            answer = self._s3.get_object(Bucket=self._bucket, Key=self._prefix + name)
            content: bytes = answer["Body"].read()
        except self._failures as error:
            if code_of(error) in _ABSENT:
                return None
            raise explained(failure_of(error), self._address) from error
        return content

    @override
    def write_note(self, name: str, value: bytes) -> None:
        with self._explaining():
            self._s3.put_object(Bucket=self._bucket, Key=self._prefix + name, Body=value)

    @override
    def remove(self, prefix: str) -> int:
        below = self._s3, self._bucket, self._prefix + prefix
        with self._explaining():
            return end_uploads(*below) + remove_objects(*below)

    @override
    def close(self) -> None:
        self._s3.close()
