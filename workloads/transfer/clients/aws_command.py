"""The command `aws s3 sync`, as a process of its own; a line for each file tells of its end.

When a file begins and how its bytes move is not told, so there are no latencies.  Its settings are
in a configuration file of ours, which has what the user's own has too.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from configparser import RawConfigParser
from hashlib import blake2b
from io import StringIO
from pathlib import Path
from threading import Thread
from typing import IO, override

from core import SluiceError, cache_folder, tr, written_once
from workloads.transfer.clients.client import Client
from workloads.transfer.passes import Pass
from workloads.transfer.s3_access import credentials_of, s3_address
from workloads.transfer.transfer_parameters import TransferParameters

_LOOK = 0.05
"""Seconds between two looks at whether the trial is to end."""
_TERMINATED = 3.0
"""Seconds for the command to end where it is asked to."""
_LAST = 5
"""Lines of what it complained that are told."""


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
        _Run(going, [*self._command, str(going.folder), there], self._environment).follow(
            lambda line: _name_sent(line, there)
        )

    @override
    def download(self, going: Pass) -> None:
        there = self._there(going)
        _Run(going, [*self._command, there, str(going.folder)], self._environment).follow(
            lambda line: _name_fetched(line, there)
        )

    def _there(self, going: Pass) -> str:
        return f"s3://{self._address.bucket}/{self._address.prefix}{going.prefix}"

    @override
    def close(self) -> None:
        pass


class _Run:
    """One process of the command."""

    def __init__(self, going: Pass, command: Iterable[str], environment: Mapping[str, str]) -> None:
        self._going = going
        self._command, self._environment = list(command), environment
        self._complaints: list[str] = []

    def follow(self, name_of: Callable[[str], str | None]) -> None:
        """Run it, and tell the pass what its lines say; raises SluiceError where it fails."""
        with subprocess.Popen(
            self._command,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
        ) as process:
            readers = [
                Thread(target=self._hear_done, args=(process.stdout, name_of), daemon=True),
                Thread(target=self._hear_complaints, args=(process.stderr,), daemon=True),
            ]
            for reader in readers:
                reader.start()
            code = self._wait(process)
            for reader in readers:
                reader.join()
        if not self._going.stopping:
            self._conclude(code)

    def _wait(self, process: subprocess.Popen[str]) -> int:
        while True:
            try:
                return process.wait(_LOOK)
            except subprocess.TimeoutExpired:
                if self._going.stopping:
                    break
        process.terminate()
        try:
            return process.wait(_TERMINATED)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()

    def _hear_done(self, lines: IO[str], name_of: Callable[[str], str | None]) -> None:
        for line in lines:
            if name := name_of(line.rstrip("\n")):
                self._going.done(name)

    def _hear_complaints(self, lines: IO[str]) -> None:
        for line in lines:
            for file in self._going.files:
                if " failed: " in line and f"{self._going.prefix}{file.name} " in line:
                    why = line.rpartition(f"{file.name} ")[2].strip()
                    self._going.failed(file.name, why)
                    break
            else:
                self._complaints.append(line.strip())

    def _conclude(self, code: int) -> None:
        going = self._going
        if code and not going.failed_names:
            told = "; ".join(filter(None, self._complaints[-_LAST:]))
            raise SluiceError(tr("aws ended with {code}: {said}", code=code, said=told))
        for file in going.files:
            if not code and "\n" in file.name:  # not told in one line
                going.done(file.name)


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
    keys = {name.upper(): value for name, value in credentials_of(parameters).items()}
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
    config.read(Path(own).expanduser(), encoding="utf-8")
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
