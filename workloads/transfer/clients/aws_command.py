"""The command `aws s3 sync`, as a process of its own; a line for each file tells of its end.

When a file begins and how its bytes move is not told, so there are no latencies.  Its settings are
in a configuration file of ours, which has what the user's own has too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from configparser import RawConfigParser
from hashlib import blake2b
from io import StringIO
from pathlib import Path
from typing import override

from core import cache_folder, expanded, tr, written_once
from workloads.shared.s3_access import s3_address
from workloads.transfer.clients.client import Client, Failure, TransferCommand
from workloads.transfer.passes import Pass
from workloads.transfer.remotes import access_of
from workloads.transfer.transfer_parameters import TransferParameters


class AwsCommand(Client):
    """One process for each pass."""

    def __init__(self, parameters: TransferParameters, threads: int) -> None:
        self._address = s3_address(parameters.address)
        self._environment = _environment(parameters, threads)
        self._command = [sys.executable, "-P", "-m", "awscli"]
        if self._address.endpoint:
            self._command += ["--endpoint-url", self._address.endpoint]
        self._command += ["s3", "sync", "--no-progress"]

    @override
    def upload(self, going: Pass) -> None:
        there = self._there(going)
        self._run(going, (str(going.folder), there), lambda line: _name_sent(line, there))

    @override
    def download(self, going: Pass) -> None:
        there = self._there(going)
        self._run(going, (there, str(going.folder)), lambda line: _name_fetched(line, there))

    def _run(self, going: Pass, ends: tuple[str, str], done: Callable[[str], str | None]) -> None:
        run = TransferCommand(going, "aws", [*self._command, *ends], self._environment)
        run.follow(done, lambda line: _failure_in(line, going))

    def _there(self, going: Pass) -> str:
        return f"s3://{self._address.bucket}/{self._address.prefix}{going.prefix}"

    @override
    def close(self) -> None:
        pass


def _failure_in(line: str, going: Pass) -> Failure | None:
    """What a line `upload failed: HERE to s3://bucket/key WHY` or a warning says of a file."""
    for file in going.files:
        if why := _failure(line, going, file.name):
            return Failure(file.name, why)
    return None


def _failure(line: str, going: Pass, name: str) -> str:
    """Why a line says that this file was not transferred; empty where it is not about that."""
    if "\n" in name and _breaks_off(line, going, name):
        return tr("it failed, in a line that its name has broken")
    if " failed: " in line and f"{going.prefix}{name} " in line:
        return line.rpartition(f"{name} ")[2].strip()
    skipped = f"warning: Skipping file {going.path_of(name)}. "
    return line.removeprefix(skipped).strip() if line.startswith(skipped) else ""


def _breaks_off(line: str, going: Pass, name: str) -> bool:
    """Whether a line is the first of several that say that a file with such a name failed."""
    first = name.partition("\n")[0]
    if line.startswith("download failed: "):
        return line.endswith(f"/{going.prefix}{first}")
    # The command tells the path as it is from the current folder.
    here = os.path.relpath(going.path_of(name)).partition("\n")[0]
    said = line.removeprefix("upload failed: ")
    return said != line and os.path.normpath(said) == here


def _name_sent(line: str, there: str) -> str | None:
    """The file of a line `upload: HERE to s3://bucket/key`."""
    before, found, name = line.partition(f" to {there}")
    return name if found and before.startswith("upload: ") else None


def _name_fetched(line: str, there: str) -> str | None:
    """The file of a line `download: s3://bucket/key to HERE`, where HERE ends with its name."""
    told = line.removeprefix(f"download: {there}")
    parts = told.split(" to ")
    if told == line:
        return None
    for number in range(1, len(parts)):
        name = " to ".join(parts[:number])
        if " to ".join(parts[number:]).endswith(name):
            return name
    return None


def _environment(parameters: TransferParameters, threads: int) -> Mapping[str, str]:
    """What the command finds its credentials and settings by; secrets are nowhere else."""
    keys = {name.upper(): value for name, value in access_of(parameters).credentials().items()}
    found = os.environ | keys
    if keys:
        found.pop("AWS_SESSION_TOKEN", None)  # of other keys
    if parameters.region:
        found["AWS_DEFAULT_REGION"] = parameters.region
    return found | {
        "AWS_CONFIG_FILE": str(_configuration(parameters, threads)),
        "AWS_MAX_ATTEMPTS": str(parameters.attempts),
        "AWS_RETRY_MODE": "standard",
        # Not every server but Amazon's knows the newer checksums.
        "AWS_REQUEST_CHECKSUM_CALCULATION": "when_required",
        "AWS_RESPONSE_CHECKSUM_VALIDATION": "when_required",
        "PYTHONUTF8": "1",
        "PYTHONUNBUFFERED": "1",
    }


def _configuration(parameters: TransferParameters, threads: int) -> Path:
    """The user's configuration with the settings of this client, as a file in the cache."""
    config = RawConfigParser()
    own = os.environ.get("AWS_CONFIG_FILE") or "~/.aws/config"
    config.read(expanded(own), encoding="utf-8")
    profile = os.environ.get("AWS_PROFILE", "default")
    section = profile if profile == "default" else f"profile {profile}"
    if not config.has_section(section):
        config.add_section(section)
    settings = {
        "max_concurrent_requests": threads,
        "multipart_threshold": parameters.part_size,
        "multipart_chunksize": parameters.part_size,
        "addressing_style": "path" if parameters.path_style else "virtual",
        "preferred_transfer_client": "classic",
    }
    lines = (f"{name} = {value}" for name, value in settings.items())
    config.set(section, "s3", "\n" + "\n".join(lines))
    text = StringIO()
    config.write(text)
    name = f"aws-{blake2b(text.getvalue().encode(), digest_size=8).hexdigest()}"

    def write(path: Path) -> None:
        path.touch(0o600)
        path.write_text(text.getvalue(), encoding="utf-8")

    folder = cache_folder() / "transfers"
    folder.mkdir(parents=True, exist_ok=True)
    return written_once(folder / name, write)
