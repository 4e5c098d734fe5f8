"""Small files of the operating system, below a root that tests can replace; what is mounted."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

ROOT = Path("/")


def read_text(path: Path) -> str | None:
    """The stripped text of the file, or None when it is missing or unreadable."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip("\0 \n\t")
    except OSError:
        return None


def read_integer(path: Path) -> int | None:
    """The number the file holds, or None when there is none: `max`, for example."""
    try:
        return int(read_text(path) or "")
    except ValueError:
        return None


def read_fields(path: Path, separator: str = ":") -> dict[str, str]:
    """`name: value` lines; where a name comes again, its first value."""
    fields: dict[str, str] = {}
    for line in (read_text(path) or "").splitlines():
        name, present, value = line.partition(separator)
        if present:
            fields.setdefault(name.strip(), value.strip())
    return fields


def load_average(root: Path = ROOT) -> tuple[float, float, float] | None:
    """Runnable threads over the last 1, 5 and 15 minutes; None if that is unknown."""
    words = (read_text(root / "proc/loadavg") or "").split()
    if words:
        return float(words[0]), float(words[1]), float(words[2])
    with suppress(OSError):  # a container may forbid the call
        return os.getloadavg()
    return None


def pseudonym(text: str) -> str:
    """16 hexadecimal digits, always the same for a text, which they do not reveal."""
    import hashlib

    # systemd asks that machine-id leaves the machine only hashed with an application's own key.
    return hashlib.blake2b(text.encode(), digest_size=8, key=b"sluice environment").hexdigest()


def control_groups(root: Path, controller: str) -> list[Path]:
    """Folders of the control groups this process is in, innermost first.

    Version 1 has a tree for each controller, version 2 one for all. A container sees its
    own group as the top of the tree, in spite of the path.
    """
    top = root / "sys/fs/cgroup"
    groups: list[Path] = []
    for line in (read_text(root / "proc/self/cgroup") or "").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            bases = [top, top / "unified"]
        elif controller in controllers.split(","):
            bases = [top / controllers, top / controller]
        else:
            continue
        for base in bases:
            group = base / path.lstrip("/")
            while group.is_relative_to(base):
                if group.is_dir() and group not in groups:
                    groups.append(group)
                group = group.parent
    return groups


class Mount(msgspec.Struct, frozen=True, kw_only=True):
    """A file system at the place where it is mounted."""

    point: str
    source: str
    type: str
    options: tuple[str, ...]
    number: str = ""
    """`major:minor` of its device."""


def mounts(root: Path = ROOT) -> Iterator[Mount]:
    """Every mount; a later one over the same place hides the earlier one."""
    text = read_text(root / "proc/self/mountinfo")
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
    mount, _, system = line.partition(" - ")
    _, _, number, _, point, options, *_ = mount.split(" ")
    kind, source, super_options = (*system.split(" ", 2), "", "")[:3]
    merged = dict.fromkeys(options.split(",") + super_options.split(","))
    return Mount(
        point=unescaped(point),
        source=unescaped(source),
        type=kind,
        options=tuple(option for option in merged if option),
        number=number,
    )


def unescaped(text: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), text)


def mount_of(path: Path, among: Iterator[Mount]) -> Mount:
    best = Mount(point=path.anchor or "/", source="", type="unknown", options=())
    for mount in among:
        if path.is_relative_to(mount.point) and len(mount.point) >= len(best.point):
            best = mount
    return best


def types_by_device() -> dict[int, str]:
    """The type of every mounted file system by its device, as `os.stat` has it; Linux only."""
    numbers = ((mount.number.partition(":"), mount.type) for mount in mounts() if mount.number)
    return {os.makedev(int(major), int(minor)): kind for (major, _, minor), kind in numbers}


def blocks_of(mount: Mount, root: Path) -> Iterator[Path]:
    """The kernel's folders of the block device that is mounted; none where there is none."""
    numbers = [mount.number]
    if mount.source.startswith("/dev/"):
        # btrfs and others mount under a number of their own, not their device's.
        with suppress(OSError, AttributeError):
            device = os.stat(mount.source).st_rdev
            numbers.append(f"{os.major(device)}:{os.minor(device)}")
    for number in filter(None, numbers):
        yield (root / "sys/dev/block" / number).resolve()
