"""The file system a dataset lies on."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import msgspec

from core.host.environment import kernel_files
from core.host.environment.file_system_kinds import compresses, encryption, is_network
from core.host.environment.kernel_files import Mount, blocks_of, mount_of, mounts

# Options with a value are kept only if their value cannot name a person, host or place.
_PLAIN_OPTIONS = frozenset(
    {
        "actimeo",
        "acregmax",
        "allocsize",
        "atime",
        "blksize",
        "cache",
        "commit",
        "compress",
        "compress-force",
        "compress_algorithm",
        "data",
        "errors",
        "local_lock",
        "logbufs",
        "max_read",
        "nconnect",
        "proto",
        "rsize",
        "size",
        "sunit",
        "swidth",
        "timeo",
        "vers",
        "wsize",
    }
)
_HOMES = frozenset({"home", "Users", "media", "user"})


class FileSystem(msgspec.Struct, frozen=True, kw_only=True):
    """Sizes in bytes; None where the platform does not tell."""

    mount_point: str
    """With `*` in place of names of users."""
    device: str
    """A device below /dev, or a pseudonym: other sources may name hosts and users."""
    type: str
    options: tuple[str, ...]
    """Without those whose values may name hosts, users or secrets."""
    total_bytes: int
    free_bytes: int
    """To this user."""
    rotational: bool | None
    """As the kernel has it: virtual disks often claim to rotate."""
    network: bool
    encryption: str = ""
    """What decrypts what comes from its disk, as far as that is seen from here; empty = nothing."""
    compressed: bool = False
    """Whether it compresses what is written there, as far as that is seen from here."""


def describe_file_system(path: Path, *, root: Path = kernel_files.ROOT) -> FileSystem:
    """The file system of the path, or of its nearest ancestor where it does not exist yet."""
    real = path.resolve()
    while not real.exists() and real != real.parent:
        real = real.parent
    mount = mount_of(real, mounts(root))
    total, free = _space(real)
    return FileSystem(
        mount_point=_without_users(mount.point),
        device=_plain_device(mount),
        type=mount.type,
        options=tuple(option for option in mount.options if _is_plain(option)),
        total_bytes=total,
        free_bytes=free,
        rotational=_rotational(mount, root),
        network=is_network(mount.type),
        encryption=encryption(real, mount, root),
        compressed=compresses(real, mount),
    )


def _space(path: Path) -> tuple[int, int]:
    if hasattr(os, "statvfs"):
        status = os.statvfs(path)
        return status.f_blocks * status.f_frsize, status.f_bavail * status.f_frsize
    import shutil

    usage = shutil.disk_usage(path)
    return usage.total, usage.free


def _plain_device(mount: Mount) -> str:
    if mount.source.startswith("/dev/") or mount.source in ("", "none", mount.type):
        return mount.source
    return kernel_files.pseudonym(mount.source)


def _is_plain(option: str) -> bool:
    name, has_value, _ = option.partition("=")
    return not has_value or name in _PLAIN_OPTIONS


def _without_users(point: str) -> str:
    parts = point.split("/")
    for index, (parent, name) in enumerate(pairwise(parts), start=1):
        if name and (parent in _HOMES or name == _user_name()):
            parts[index] = "*"
    return "/".join(parts)


def _user_name() -> str | None:
    try:
        import pwd
    except ImportError:
        return Path.home().name
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return None


def _rotational(mount: Mount, root: Path) -> bool | None:
    if is_network(mount.type):
        return None
    for block in blocks_of(mount, root):
        # A partition has no queue of its own; its disk is the folder above.
        for folder in (block, block.parent):
            answer = kernel_files.read_integer(folder / "queue/rotational")
            if answer is not None:
                return answer != 0
    return None
