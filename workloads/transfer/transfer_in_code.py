"""A transfer as people write it: for the client that was measured, and for rclone."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core import Dataset, Load
from workloads.shared.code_templates import code_from
from workloads.shared.servers import S3Address, s3_address
from workloads.transfer.clients.s3_commands import s5cmd_options
from workloads.transfer.synapse_service import SynapseAddress, synapse_address
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.trees_in_remotes import entry_of

type _Ends = tuple[str, str]
"""The folder here that is sent, and that which is fetched to."""
_COPIED = "copied"
"""The folder that code writes to: where the person is, or at the other end."""


def transfer_in_code(
    parameters: TransferParameters, load: Load, dataset: Dataset
) -> Mapping[str, str]:
    """The code by language or tool; raises InvalidParameter for an address that is none."""
    scheme = entry_of(parameters).scheme
    here = str(dataset.path / parameters.below)
    target = str(Path(parameters.folder) / _COPIED)
    match scheme:
        case "s3":
            place: Any = s3_address(parameters.address)
            code = {"rclone": _rclone_s3(parameters, load, place, (here, target))}
        case "synapse":
            place, code = synapse_address(parameters.address), {}
        case _:
            place = None
            if parameters.direction == "up":
                target = str(Path(parameters.address) / _COPIED)
            words = ["rclone", "copy", "--transfers", str(load.threads), here, target]
            code = {"rclone": shlex.join(words)}
    if parameters.client in _COMMANDS:
        ends = (here, target)
        return {"Shell": _COMMANDS[parameters.client](parameters, load, place, ends)} | code
    python = code_from(
        "transfer_python",
        load,
        parameters=parameters,
        source=here,
        target=target,
        place=place,
        endpoints=_endpoints(place) if scheme == "synapse" else {},
    )
    return {"Python": python} | code


def _endpoints(place: SynapseAddress) -> Mapping[str, str]:
    """Only where it is not the service itself."""
    names = {"repo": "repo", "auth": "auth", "file": "fileHandle", "portal": "portal"}
    ends = place.endpoints if place.host else {}
    return {f"{names[name]}Endpoint": url for name, url in ends.items()}


def _address(parameters: TransferParameters, place: S3Address) -> str:
    below = f"{_COPIED}/" if parameters.direction == "up" else ""
    return f"{place.bucket}/{place.prefix}{below}"


def _aws(parameters: TransferParameters, load: Load, place: S3Address, ends: _Ends) -> str:
    settings = {
        "max_concurrent_requests": load.threads,
        "multipart_threshold": parameters.part_size,
        "multipart_chunksize": parameters.part_size,
        "addressing_style": "path" if parameters.path_style else "virtual",
    }
    set_up = [f"aws configure set default.s3.{name} {one}" for name, one in settings.items()]
    endpoint = ["--endpoint-url", place.endpoint] if place.endpoint else []
    there = f"s3://{_address(parameters, place)}"
    both = [ends[0], there] if parameters.direction == "up" else [there, ends[1]]
    command = shlex.join(["aws", *endpoint, "s3", "sync", "--no-progress", *both])
    return "\n".join([*set_up, _environment(parameters, "AWS_DEFAULT_REGION") + command])


def _s5cmd(parameters: TransferParameters, load: Load, place: S3Address, ends: _Ends) -> str:
    options = [one for one in s5cmd_options(parameters, load.threads) if one != "--json"]
    there = f"s3://{_address(parameters, place)}"
    up = parameters.direction == "up"
    both = [f"{ends[0]}/", there] if up else [f"{there}*", f"{ends[1]}/"]
    return _environment(parameters, "AWS_REGION") + shlex.join(["s5cmd", *options, *both])


def _rclone_s3(parameters: TransferParameters, load: Load, place: S3Address, ends: _Ends) -> str:
    endpoint = f',provider=Other,endpoint="{place.endpoint}"' if place.endpoint else ""
    there = f":s3,env_auth=true{endpoint}:{_address(parameters, place)}"
    both = [ends[0], there] if parameters.direction == "up" else [there, ends[1]]
    command = ["rclone", "copy", "--transfers", str(load.threads), *both]
    return _environment(parameters, "AWS_REGION") + shlex.join(command)


def _environment(parameters: TransferParameters, region: str) -> str:
    """Variables before a command: where its secrets are, never one itself."""
    return "".join(f"{name}={value} " for name, value in _variables(parameters, region))


def _variables(parameters: TransferParameters, region: str) -> Iterator[tuple[str, str]]:
    keys = {"AWS_ACCESS_KEY_ID": "access_key", "AWS_SECRET_ACCESS_KEY": "secret_key"}
    for name, of in keys.items():
        place, _, variable = getattr(parameters, of).partition(":")
        if place == "env" and variable != name:
            yield name, f'"${variable}"'
    if parameters.region:
        yield region, shlex.quote(parameters.region)


_COMMANDS = {"s3-sync": _aws, "s5cmd": _s5cmd}
