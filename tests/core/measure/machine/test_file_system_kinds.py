"""What kind of file system data lies on, from recorded mounts, and what is said of it."""

from __future__ import annotations

import ctypes
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.measure import describe_file_system, effects
from core.vocabulary import FileSystem

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc/self/mountinfo")

PLAIN = ("8:1 / / rw,relatime - ext4 /dev/nosuch1 rw,errors=remount-ro",
         "259:2 / / rw,noatime - xfs /dev/nosuch2 rw,attr2,inode64,logbufs=8,noquota",
         "0:32 / / rw - btrfs /dev/nosuch3 rw,ssd,space_cache=v2,compress=no,subvolid=5,subvol=/",
         "8:1 / / rw - fakeblk /dev/nosuch1 rw")  # fmt: skip
SAID = [
    ("0:52 / / rw,relatime - nfs4 nas.example:/export rw,vers=4.2,rsize=1048576,hard,proto=tcp,"
     "sec=sys,clientaddr=10.0.0.5,local_lock=none,addr=10.0.0.9", "network file system (nfs4)"),
    ("0:53 / / rw - nfs nas:/export rw,vers=3,addr=10.0.0.9", "network file system (nfs)"),
    ("0:54 / / rw - cifs //nas/ada rw,vers=3.1.1,username=ada,addr=10.0.0.9",
     "network file system (cifs)"),
    ("0:55 / / rw - lustre 10.0.0.1@tcp:/scratch rw,flock", "network file system (lustre)"),
    ("0:56 / / rw - virtiofs host rw", "network file system (virtiofs)"),
    ("0:57 / / rw,nosuid,nodev - fuse.sshfs ada@host:/data rw,user_id=1000,group_id=1000",
     "fetches the data over a network (fuse.sshfs)"),
    ("0:57 / / rw,nosuid,nodev - fuse.rclone remote: rw,user_id=1000",
     "fetches the data over a network (fuse.rclone)"),
    ("8:33 / / rw - fuseblk /dev/nosuch rw,user_id=0,blksize=4096",
     "a program serves the data (fuseblk)"),
    ("0:26 / / rw,nosuid,nodev - tmpfs tmpfs rw,size=16302364k,inode64", "in memory (tmpfs)"),
    ("0:62 / / rw,relatime - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/A:"
     "/var/lib/docker/overlay2/l/B,upperdir=/var/u,workdir=/var/w", "container (overlay)"),
    ("0:58 / / rw - fuse.fuse-overlayfs fuse-overlayfs rw,user_id=0", "(fuse.fuse-overlayfs)"),
    ("0:45 / / rw,xattr,noacl - zfs tank/data rw,xattr,noacl", "cache of its own"),
    ("0:32 / / rw - btrfs /dev/nosuch3 rw,ssd,compress=zstd:3,subvol=/", "compresses the data (btrfs"),
    ("0:32 / / rw - btrfs /dev/nosuch3 rw,compress-force=lzo,subvol=/", "compresses the data"),
    ("7:1 / / ro - squashfs /dev/nosuch ro", "compresses the data (squashfs)"),
    ("0:48 / / rw - ecryptfs /home/.ecryptfs/ada/.Private rw,ecryptfs_cipher=aes",
     "encrypted (ecryptfs)"),
]  # fmt: skip


def described(folder: Path, mount: str) -> FileSystem:
    """A folder on that mount; every line is one of `/proc/self/mountinfo` after its two numbers."""
    table = folder / "proc/self/mountinfo"
    table.parent.mkdir(parents=True, exist_ok=True)
    table.write_text(f"29 1 {mount}\n")
    return describe_file_system(folder, root=folder)


@pytest.mark.parametrize("mount", PLAIN)
def test_that_of_a_plain_local_file_system_nothing_is_said(tmp_path: Path, mount: str) -> None:
    assert effects(described(tmp_path, mount)) == ()


@pytest.mark.parametrize(("mount", "words"), SAID)
def test_that_what_a_file_system_does_is_said_in_one_phrase(
    tmp_path: Path, mount: str, words: str
) -> None:
    (said,) = effects(described(tmp_path, mount))
    assert words in said
    assert not said.endswith(".")
    assert not any(word in said for word in ("ada@", "10.0.0", "/export"))


def test_that_an_encrypting_program_is_both_a_program_and_encryption(tmp_path: Path) -> None:
    said = effects(described(tmp_path, "0:60 / / rw - fuse.gocryptfs /home/a/secret rw"))
    assert len(said) == 2
    assert "a program serves the data (fuse.gocryptfs)" in said[0]
    assert "encrypted (gocryptfs)" in said[1]


@pytest.mark.parametrize("below", ["", "dm-0"])
def test_that_an_encrypted_device_is_seen_also_below_a_logical_volume(
    tmp_path: Path, below: str
) -> None:
    disk, top = tmp_path / "sys/devices/virtual/block", f"dm-{'1' if below else '0'}"
    (disk / "dm-0/dm").mkdir(parents=True)
    (disk / "dm-0/dm/uuid").write_text("CRYPT-LUKS2-8a3c-luks\n")
    if below:
        (disk / "dm-1/dm").mkdir(parents=True)
        (disk / "dm-1/dm/uuid").write_text("LVM-h2Tq\n")
        (disk / "dm-1/slaves").mkdir()
        (disk / "dm-1/slaves" / below).symlink_to(disk / below)
    numbers = tmp_path / "sys/dev/block"
    numbers.mkdir(parents=True)
    (numbers / "253:1").symlink_to(disk / top)
    system = described(tmp_path, "253:1 / / rw - ext4 /dev/mapper/nosuch rw")
    assert system.encryption == "dm-crypt"
    assert "encrypted (dm-crypt)" in effects(system)[0]


def test_that_a_volume_which_is_not_encrypted_is_not_called_so(tmp_path: Path) -> None:
    volume = tmp_path / "sys/dev/block/253:1"
    (volume / "dm").mkdir(parents=True)
    (volume / "dm/uuid").write_text("LVM-h2Tq\n")
    assert not described(tmp_path, "253:1 / / rw - ext4 /dev/mapper/nosuch rw").encryption


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """A tmpfs of its own; left out where it cannot be mounted."""
    folder = tmp_path / "memory"
    folder.mkdir()
    asked = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    try:
        done = subprocess.run(asked, capture_output=True, check=False)
    except OSError:
        pytest.skip("there is no mount here")
    if done.returncode:
        pytest.skip("nothing may be mounted here")
    yield folder
    ctypes.CDLL(None).umount2(str(folder).encode(), 2)  # MNT_DETACH


def test_that_a_real_tmpfs_is_called_what_it_is(mounted: Path) -> None:
    (said,) = effects(describe_file_system(mounted / "data"))
    assert "in memory (tmpfs)" in said


def test_that_a_folder_marked_to_be_compressed_or_encrypted_is_asked_for_its_flags(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    flags = iter((0x4, 0x4, 0x800, 0x800))
    get_flags = 0x8000_6601 | struct.calcsize("l") * 0x1_0000  # of a `long`, by _IOR of linux/fs.h

    def answer(descriptor: int, request: int, room: bytes) -> bytes:
        assert (request, len(room)) == (get_flags, 8)
        return next(flags).to_bytes(4, sys.byteorder) + bytes(4)

    monkeypatch.setattr(fcntl, "ioctl", answer)
    mount = "8:1 / / rw - f2fs /dev/nosuch1 rw"
    first, second = described(tmp_path, mount), described(tmp_path, mount)
    assert (first.compressed, first.encryption) == (True, "")
    assert (second.compressed, second.encryption) == (False, "fscrypt")
