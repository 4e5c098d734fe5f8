"""What kinds of file systems there are, and what each means for figures measured on it."""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from core.host.environment import kernel_files
from core.host.environment.kernel_files import Mount, blocks_of
from core.language.translation import tr

if TYPE_CHECKING:
    from core.host.environment.file_system import FileSystem

IN_MEMORY = frozenset({"tmpfs", "ramfs", "devtmpfs", "hugetlbfs"})
_NETWORK = frozenset(
    [
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
        "drvfs",
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
    ]
)
_NETWORK_PROGRAMS = frozenset(
    [
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
    ]
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
    """Whether a file system of that type has its data on another machine."""
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
