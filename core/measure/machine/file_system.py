"""The file system a dataset lies on, and what its kind means for figures measured on it."""

from __future__ import annotations

import os
import pwd
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from core.language import tr
from core.measure.machine import kernel_files
from core.measure.machine.kernel_files import Mount, blocks_of, mount_of, mounts
from core.measure.machine.machine_room import disk_room
from core.vocabulary import FileSystem


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


IN_MEMORY = frozenset({"tmpfs", "ramfs", "devtmpfs", "hugetlbfs"})
_NETWORK = _names(
    "9p acfs afpfs afs beegfs beegfs_nodev ceph cifs coda davfs drvfs gpfs gfs gfs2 glusterfs "
    "lustre ncpfs nfs nfs4 ocfs2 orangefs panfs pvfs2 smb3 smbfs virtiofs vboxsf webdav weka "
    "wekafs"
)
_NETWORK_PROGRAMS = _names(
    "ceph curlftpfs davfs2 gcsfuse glusterfs goofys hdfs rclone s3fs mount-s3 sshfs"
)
_LAYERED = frozenset({"aufs", "overlay", "overlayfs", "unionfs", "fuse.fuse-overlayfs"})
_OWN_CACHE = frozenset({"zfs", "fuse.zfs"})
_COMPRESSED_IMAGES = frozenset({"cramfs", "erofs", "squashfs", "fuse.squashfuse"})
_ENCRYPTED = frozenset({"ecryptfs", "fuse.cryfs", "fuse.encfs", "fuse.gocryptfs"})

_GET_FLAGS = 0x80006601 | struct.calcsize("l") << 16  # FS_IOC_GETFLAGS of linux/fs.h
_COMPRESSED_FLAG, _ENCRYPTED_FLAG = 0x4, 0x800


def effects(system: FileSystem) -> tuple[str, ...]:
    """What a file system means for the figures, without a period; none of a plain local one."""
    return tuple(_effects(system, system.type))


def _effects(system: FileSystem, kind: str) -> Iterator[str]:
    if kind in IN_MEMORY:
        yield tr(
            "the data is in memory ({type}): no disk is read, and opening a file costs hardly anything",
            type=kind,
        )
    elif kind in _LAYERED:
        yield tr(
            "the data is in the layers of a container ({type}): opening a file searches them, and "
            "the disk below is not known; a mounted volume has neither",
            type=kind,
        )
    elif kind.startswith("fuse"):
        yield _served(system, kind)
    elif system.network:
        yield tr(
            "the data is on a network file system ({type}): first reads time the network, later ones "
            "this machine's page cache, and each open asks the server",
            type=kind,
        )
    if kind in _OWN_CACHE:
        yield tr(
            "the file system ({type}) has a cache of its own, which cold runs do not empty, and may "
            "compress: generated data can shrink more or less than yours",
            type=kind,
        )
    elif system.compressed:
        yield tr(
            "the file system compresses the data ({type}): its disk delivers fewer bytes than are "
            "read, and generated data can shrink more or less than yours",
            type=kind,
        )
    if system.encryption:
        yield tr(
            "the data is encrypted ({type}): what comes from the disk is decrypted on the cores, "
            "what is in the page cache is not",
            type=system.encryption,
        )


def _served(system: FileSystem, kind: str) -> str:
    if system.network:
        return tr(
            "a program fetches the data over a network ({type}): it and its cache are measured with "
            "the reader, and cold runs do not empty that cache",
            type=kind,
        )
    return tr(
        "a program serves the data ({type}): it and its cache are measured with the reader, and cold "
        "runs do not empty that cache",
        type=kind,
    )


def is_network(kind: str) -> bool:
    return kind in _NETWORK or kind.removeprefix("fuse.") in _NETWORK_PROGRAMS


def compresses(path: Path, mount: Mount) -> bool:
    """Whether the mount compresses all that is written, or the path is marked to be compressed."""
    if mount.type in _COMPRESSED_IMAGES:
        return True
    for option in mount.options:
        name, _, value = option.partition("=")
        if name in ("compress", "compress-force") and value not in ("no", "none"):
            return True
    return mount.type not in IN_MEMORY and bool(_flags(path) & _COMPRESSED_FLAG)


def encryption(path: Path, mount: Mount, root: Path) -> str:
    """What encrypts the path: its file system, its folder, the device below; empty if nothing."""
    if mount.type in _ENCRYPTED:
        return mount.type.removeprefix("fuse.")
    if any(_is_crypt(block) for block in blocks_of(mount, root)):
        return "dm-crypt"
    return "fscrypt" if _flags(path) & _ENCRYPTED_FLAG else ""


def _is_crypt(block: Path) -> bool:
    """Whether a device of the device mapper, or one that it is made of, is encrypted."""
    if (kernel_files.read_text(block / "dm/uuid") or "").startswith("CRYPT-"):
        return True
    with suppress(OSError):
        return any(_is_crypt(part.resolve()) for part in (block / "slaves").iterdir())
    return False


def _flags(path: Path) -> int:
    """The attributes that `lsattr` shows; 0 where there are none."""
    if sys.platform != "linux":
        return 0
    import fcntl

    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
        try:
            return int.from_bytes(fcntl.ioctl(descriptor, _GET_FLAGS, bytes(8))[:4], sys.byteorder)
        finally:
            os.close(descriptor)
    return 0


# Options with a value are kept only if their value cannot name a person, host or place.
_PLAIN_OPTIONS = _names(
    "actimeo acregmax allocsize atime blksize cache commit compress compress-force "
    "compress_algorithm data errors local_lock logbufs max_read nconnect proto rsize size "
    "sunit swidth timeo vers wsize"
)
_HOMES = frozenset({"home", "Users", "media", "user"})


def describe_file_system(path: Path, *, root: Path = kernel_files.ROOT) -> FileSystem:
    """The file system of the path, or of its nearest ancestor where it does not exist yet."""
    real = path.resolve()
    while not real.exists() and real != real.parent:
        real = real.parent
    mount = mount_of(real, mounts(root))
    source = mount.source
    is_plain = source.startswith("/dev/") or source in ("", "none", mount.type)
    whole = free = 0
    with suppress(OSError):  # a container may forbid the call
        room = disk_room(real)
        whole, free = room.whole, room.free
    return FileSystem(
        mount_point=_without_users(mount.point),
        device=source if is_plain else kernel_files.pseudonym(source),
        type=mount.type,
        options=tuple(option for option in mount.options if _is_plain(option)),
        total_bytes=whole,
        free_bytes=free,
        rotational=_rotational(mount, root),
        network=is_network(mount.type),
        encryption=encryption(real, mount, root),
        compressed=compresses(real, mount),
    )


def _is_plain(option: str) -> bool:
    name, has_value, _ = option.partition("=")
    return not has_value or name in _PLAIN_OPTIONS


def _without_users(point: str) -> str:
    user = None
    with suppress(KeyError):
        user = pwd.getpwuid(os.getuid()).pw_name
    parts = point.split("/")
    for index, (parent, name) in enumerate(pairwise(parts), start=1):
        if name and (parent in _HOMES or name == user):
            parts[index] = "*"
    return "/".join(parts)


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
