"""The file system a dataset lies on."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec

from core.host.environment import kernel_files

_NETWORK_TYPES = frozenset(
    {
        "9p",
        "acfs",
        "afpfs",
        "afs",
        "beegfs",
        "beegfs_nodev",
        "ceph",
        "cifs",
        "coda",
        "davfs",
        "gpfs",
        "gfs",
        "gfs2",
        "glusterfs",
        "lustre",
        "ncpfs",
        "nfs",
        "nfs4",
        "ocfs2",
        "orangefs",
        "panfs",
        "pvfs2",
        "smb3",
        "smbfs",
        "virtiofs",
        "vboxsf",
        "webdav",
        "weka",
        "wekafs",
    }
)
_NETWORK_PROGRAMS = frozenset(
    {
        "ceph",
        "curlftpfs",
        "davfs2",
        "gcsfuse",
        "glusterfs",
        "goofys",
        "hdfs",
        "rclone",
        "s3fs",
        "mount-s3",
        "sshfs",
    }
)
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


class Mount(msgspec.Struct, frozen=True, kw_only=True):
    """A mounted file system, as the operating system lists it."""

    point: str
    source: str
    type: str
    options: tuple[str, ...]
    number: str = ""
    """`major:minor` of its device."""


def describe_file_system(path: Path, *, root: Path = kernel_files.ROOT) -> FileSystem:
    """The file system of the path, or of its nearest ancestor where it does not exist yet."""
    real = path.resolve()
    while not real.exists() and real != real.parent:
        real = real.parent
    mount = _mount_of(real, _mounts(root))
    total, free = _space(real)
    return FileSystem(
        mount_point=_without_users(mount.point),
        device=_plain_device(mount),
        type=mount.type,
        options=tuple(option for option in mount.options if _is_plain(option)),
        total_bytes=total,
        free_bytes=free,
        rotational=_rotational(mount, root),
        network=_is_network(mount.type),
    )


def _space(path: Path) -> tuple[int, int]:
    if hasattr(os, "statvfs"):
        status = os.statvfs(path)
        return status.f_blocks * status.f_frsize, status.f_bavail * status.f_frsize
    import shutil

    usage = shutil.disk_usage(path)
    return usage.total, usage.free


def _mounts(root: Path) -> Iterator[Mount]:
    text = kernel_files.read_text(root / "proc/self/mountinfo")
    if text is not None:
        return map(_parse_mount, text.splitlines())
    import psutil  # type: ignore[import-untyped, unused-ignore]

    return (
        Mount(
            point=part.mountpoint,
            source=part.device,
            type=part.fstype,
            options=tuple(part.opts.split(",")),
        )
        for part in psutil.disk_partitions(all=True)
    )


def _parse_mount(line: str) -> Mount:
    """One line of /proc/self/mountinfo; proc(5) has the fields."""
    mount, _, rest = line.partition(" - ")
    _, _, number, _, point, options, *_ = mount.split(" ")
    kind, _, rest = rest.partition(" ")
    source, _, super_options = rest.partition(" ")
    merged = dict.fromkeys(options.split(",") + super_options.split(","))
    return Mount(
        point=_unescaped(point),
        source=_unescaped(source),
        type=kind,
        options=tuple(option for option in merged if option),
        number=number,
    )


def _unescaped(text: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), text)


def _mount_of(path: Path, mounts: Iterator[Mount]) -> Mount:
    best = Mount(point=path.anchor or "/", source="", type="unknown", options=())
    for mount in mounts:
        # A later mount over the same place hides the earlier one.
        if path.is_relative_to(mount.point) and len(mount.point) >= len(best.point):
            best = mount
    return best


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


def _is_network(kind: str) -> bool:
    return kind in _NETWORK_TYPES or kind.removeprefix("fuse.") in _NETWORK_PROGRAMS


def _rotational(mount: Mount, root: Path) -> bool | None:
    if _is_network(mount.type):
        return None
    numbers = [mount.number]
    if mount.source.startswith("/dev/"):
        # btrfs and others mount under a number of their own, not their device's.
        try:
            device = os.stat(mount.source).st_rdev
            numbers.append(f"{os.major(device)}:{os.minor(device)}")
        except (OSError, AttributeError):
            pass
    for number in filter(None, numbers):
        block = (root / "sys/dev/block" / number).resolve()
        # A partition has no queue of its own; its disk is the folder above.
        for folder in (block, block.parent):
            answer = kernel_files.read_integer(folder / "queue/rotational")
            if answer is not None:
                return answer != 0
    return None
