"""The program s5cmd, which copies a folder to or from S3 by workers of its own.

It tells of files in lines of JSON: what is done on its output, what has failed as complaints.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, override

from core import InvalidParameter, tr
from workloads.shared.s3_access import s3_address
from workloads.transfer.clients.client import S5CMD, Client, Failure, TransferCommand
from workloads.transfer.passes import Pass
from workloads.transfer.remotes import access_of
from workloads.transfer.transfer_parameters import TransferParameters

_MIB = 1 << 20


class S5cmdCommand(Client):
    """One process for each pass; its workers are the load's threads."""

    def __init__(self, parameters: TransferParameters, threads: int) -> None:
        if parameters.part_size % _MIB:
            raise InvalidParameter("part_size", tr("s5cmd takes whole MiB only"))
        self._address = s3_address(parameters.address)
        self._environment = _environment(parameters)
        self._options = options(parameters, threads)

    @override
    def upload(self, going: Pass) -> None:
        there = self._there(going)
        self._run(going, (f"{going.folder}/", there), _Names(there, "destination"))

    @override
    def download(self, going: Pass) -> None:
        there = self._there(going)
        self._run(going, (f"{there}*", f"{going.folder}/"), _Names(there, "source"))

    def _run(self, going: Pass, ends: tuple[str, str], names: _Names) -> None:
        command = [S5CMD.path or S5CMD.module, *self._options, *ends]
        run = TransferCommand(going, "s5cmd", command, self._environment)
        run.follow(names.done_in, lambda line: names.failure_in(line, going))

    def _there(self, going: Pass) -> str:
        return f"s3://{self._address.bucket}/{self._address.prefix}{going.prefix}"

    @override
    def close(self) -> None:
        pass


def options(parameters: TransferParameters, threads: int) -> Sequence[str]:
    """All that stands before the two ends; never a secret."""
    endpoint = s3_address(parameters.address).endpoint
    return [
        "--json",
        *(("--endpoint-url", endpoint) if endpoint else ()),
        *("--numworkers", str(threads)),
        *("--retry-count", str(parameters.attempts - 1)),
        "cp",
        *("--part-size", str(parameters.part_size // _MIB)),
        *("--concurrency", str(threads)),
    ]


class _Names:
    """Finds the files of a pass in what s5cmd says."""

    def __init__(self, there: str, end: str) -> None:
        """`end`: which end of a copy is in S3."""
        self._there, self._end = there, end

    def done_in(self, line: str) -> str | None:
        """The file that a line calls copied."""
        said = _read(line)
        key = said.get(self._end)
        if said.get("success") is not True or not isinstance(key, str):
            return None
        return key.removeprefix(self._there) if key.startswith(self._there) else None

    def failure_in(self, line: str, going: Pass) -> Failure | None:
        """What a complaint says of a file; it has the whole command, `cp SOURCE DESTINATION`."""
        said = _read(line)
        command, why = said.get("command"), said.get("error")
        if not isinstance(command, str) or not isinstance(why, str):
            return None
        for file in going.files:
            if f" {self._there}{file.name} " in f"{command} ":
                return Failure(file.name, why)
        return None


def _read(line: str) -> Mapping[str, Any]:
    try:
        said = json.loads(line)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _environment(parameters: TransferParameters) -> Mapping[str, str]:
    """What it finds its credentials by; secrets are nowhere else."""
    keys = {name.upper(): value for name, value in access_of(parameters).credentials().items()}
    found = os.environ | keys
    if keys:
        found.pop("AWS_SESSION_TOKEN", None)  # of other keys
    if parameters.region:
        found["AWS_REGION"] = parameters.region
    return found
