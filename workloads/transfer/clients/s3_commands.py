"""The commands `aws s3 sync` and `s5cmd`, as processes of their own, which tell of each file's end.

When a file begins and how its bytes move is not told, so there are no latencies.  The settings of
`aws` are in a configuration file of ours, which has what the user's own has too.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from configparser import RawConfigParser
from functools import lru_cache
from hashlib import blake2b
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple, override

from core import (
    InvalidParameter,
    Program,
    SluiceError,
    cache_folder,
    expanded,
    run_program,
    tr,
    written_once,
)
from workloads.shared.servers import s3_address
from workloads.transfer.clients import S5CMD, Client
from workloads.transfer.remotes import access_of
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.transfer_pass import Pass

_LAST = 5
"""Lines of what it complained that are told."""
_PASSED_OVER_CODE = 2


class Failure(NamedTuple):
    name: str
    why: str


class TransferCommand:
    """The process of one pass."""

    def __init__(
        self, going: Pass, title: str, command: Iterable[str], environment: Mapping[str, str]
    ) -> None:
        self.going = going
        self._title = title
        self._program = Program(arguments=list(command), environment=environment)
        self._complaints: list[str] = []

    def follow(
        self,
        done_in: Callable[[str], str | None],
        failed_in: Callable[[str], Failure | None],
        passed_over: str = "",
    ) -> None:
        """Run it, and tell the pass what its lines say; raises SluiceError where it fails.

        `done_in`: the file that a line of its output calls done; `failed_in`: what one of its
        complaints says of a file.  `passed_over`: how a complaint begins of what is no file of the
        tree; a command that ends with 2 for nothing else has not failed.
        """
        has_passed_over = False

        def hear_done(line: str) -> None:
            if name := done_in(line):
                self.going.done(name)

        def hear_complaint(line: str) -> None:
            nonlocal has_passed_over
            if failure := failed_in(line):
                self.going.failed(*failure)
            elif passed_over and line.startswith(passed_over):
                has_passed_over = True
            elif line.strip():
                self._complaints.append(line.strip())

        result = run_program(
            self._program,
            wanted=lambda: not self.going.stopping,
            line=hear_done,
            complaint=hear_complaint,
        )
        if not self.going.stopping:
            complete = has_passed_over and not self._complaints and result.code == _PASSED_OVER_CODE
            self._conclude(0 if complete else result.code)

    def _conclude(self, code: int) -> None:
        going = self.going
        if code and not going.failed_names:
            last = "; ".join(filter(None, self._complaints[-_LAST:]))
            raise SluiceError(
                tr("{command} ended with {code}: {said}", command=self._title, code=code, said=last)
            )
        for file in going.files:
            # A name of two lines is not told in one, and what is there already is not told at all.
            if "\n" in file.name or (going.resumed and not code):
                going.done(file.name)


class S3Command(Client):
    """A command line that moves files to and from S3, as one process for each pass."""

    def __init__(self, parameters: TransferParameters) -> None:
        self._address = s3_address(parameters.address)

    def _there(self, going: Pass) -> str:
        return f"s3://{self._address.bucket}/{self._address.prefix}{going.prefix}"


def _environment(parameters: TransferParameters, region: str) -> dict[str, str]:
    """What a command finds its credentials by; secrets are nowhere else.

    `region`: the variable that it looks for.
    """
    keys = {name.upper(): value for name, value in access_of(parameters).credentials().items()}
    variables = os.environ | keys
    if keys:
        variables.pop("AWS_SESSION_TOKEN", None)  # of other keys
    return variables | ({region: parameters.region} if parameters.region else {})


class AwsCommand(S3Command):
    """`aws s3 sync`, which tells of each file in a line of text."""

    def __init__(self, parameters: TransferParameters, threads: int) -> None:
        super().__init__(parameters)
        self._environment = _aws_environment(parameters, threads)
        self._command = [sys.executable, "-P", "-m", "awscli"]
        if self._address.endpoint:
            self._command += ["--endpoint-url", self._address.endpoint]
        self._command += ["s3", "sync", "--no-progress"]

    @override
    def upload(self, going: Pass) -> None:
        there = self._there(going)
        ends = (*_without_linked_folders(going.folder), str(going.folder), there)
        self._run(going, ends, lambda line: _name_sent(line, there))

    @override
    def download(self, going: Pass) -> None:
        there = self._there(going)
        self._run(going, (there, str(going.folder)), lambda line: _name_fetched(line, there))

    def _run(self, going: Pass, ends: Iterable[str], done: Callable[[str], str | None]) -> None:
        run = TransferCommand(going, "aws", [*self._command, *ends], self._environment)
        run.follow(done, lambda line: _failure_in(line, going), _PASSED_OVER)


_PASSED_OVER = "warning: Skipping file "
"""What `aws` says of pipes, sockets and links that lead nowhere, and then ends with 2."""


@lru_cache(maxsize=4)
def _without_linked_folders(folder: Path) -> Sequence[str]:
    """The options with which `aws` sends the files of a tree alone: it follows links to folders.

    Not to follow any is quicker, where no file is a link.
    """
    links = [
        path
        for place, folders, names in os.walk(folder)
        for name in (*folders, *names)
        if (path := Path(place, name)).is_symlink()
    ]
    if not any(link.is_file() for link in links):
        return ["--no-follow-symlinks"]
    linked = (link.relative_to(folder) for link in links if link.is_dir())
    return [part for name in linked for part in ("--exclude", f"{_literal(str(name))}/*")]


def _literal(name: str) -> str:
    """A pattern that only this name matches."""
    return re.sub(r"[*?[]", lambda match: f"[{match[0]}]", name)


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
        return line.rpartition(f"{name} ")[2].strip().removesuffix(".")
    skipped = f"warning: Skipping file {going.path_of(name)}. "
    return line.removeprefix(skipped).strip() if line.startswith(skipped) else ""


def _breaks_off(line: str, going: Pass, name: str) -> bool:
    """Whether a line is the first of several that say that a file with such a name failed."""
    first = name.partition("\n")[0]
    if line.startswith("download failed: "):
        return line.endswith(f"/{going.prefix}{first}")
    # The command tells the path as it is from the current folder.
    here = os.path.relpath(going.path_of(name)).partition("\n")[0]
    path = line.removeprefix("upload failed: ")
    return path != line and os.path.normpath(path) == here


def _name_sent(line: str, there: str) -> str | None:
    """The file of a line `upload: HERE to s3://bucket/key`."""
    before, separator, name = line.partition(f" to {there}")
    return name if separator and before.startswith("upload: ") else None


def _name_fetched(line: str, there: str) -> str | None:
    """The file of a line `download: s3://bucket/key to HERE`, where HERE ends with its name."""
    both = line.removeprefix(f"download: {there}")
    parts = both.split(" to ")
    if both == line:
        return None
    for number in range(1, len(parts)):
        name = " to ".join(parts[:number])
        if " to ".join(parts[number:]).endswith(name):
            return name
    return None


def _aws_environment(parameters: TransferParameters, threads: int) -> Mapping[str, str]:
    return _environment(parameters, "AWS_DEFAULT_REGION") | {
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


_MIB = 1 << 20


class S5cmdCommand(S3Command):
    """s5cmd, whose workers are the load's threads.

    It tells of files in lines of JSON: what is done on its output, what has failed as complaints.
    """

    def __init__(self, parameters: TransferParameters, threads: int) -> None:
        if parameters.part_size % _MIB:
            raise InvalidParameter("part_size", tr("s5cmd takes whole MiB only"))
        super().__init__(parameters)
        self._environment = _environment(parameters, "AWS_REGION")
        self._options = s5cmd_options(parameters, threads)

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


def s5cmd_options(parameters: TransferParameters, threads: int) -> Sequence[str]:
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
        record = _read(line)
        key = record.get(self._end)
        if record.get("success") is not True or not isinstance(key, str):
            return None
        return key.removeprefix(self._there) if key.startswith(self._there) else None

    def failure_in(self, line: str, going: Pass) -> Failure | None:
        """What a complaint says of a file; it has the whole command, `cp SOURCE DESTINATION`."""
        record = _read(line)
        command, why = record.get("command"), record.get("error")
        if not isinstance(command, str) or not isinstance(why, str):
            return None
        for file in going.files:
            if f" {self._there}{file.name} " in f"{command} ":
                return Failure(file.name, why)
        return None


def _read(line: str) -> Mapping[str, Any]:
    try:
        record = json.loads(line)
    except ValueError:
        return {}
    return record if isinstance(record, dict) else {}
