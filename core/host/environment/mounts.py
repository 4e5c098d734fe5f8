"""What is mounted where, as the operating system lists it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from core.host.environment import kernel_files


class Mount(msgspec.Struct, frozen=True, kw_only=True):
    """A file system at the place where it is mounted."""

    point: str
    source: str
    type: str
    options: tuple[str, ...]
    number: str = ""
    """`major:minor` of its device."""


def mounts(root: Path = kernel_files.ROOT) -> Iterator[Mount]:
    """Every mount; a later one over the same place hides the earlier one."""
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


def mount_of(path: Path, among: Iterator[Mount]) -> Mount:
    """The mount that a resolved path lies on."""
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
