"""Small files of the operating system, read below a root that tests can replace."""

from __future__ import annotations

from pathlib import Path

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
        name, found, value = line.partition(separator)
        if found:
            fields.setdefault(name.strip(), value.strip())
    return fields


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
    found: list[Path] = []
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
                if group.is_dir() and group not in found:
                    found.append(group)
                group = group.parent
    return found


def is_linux_tree(root: Path) -> bool:
    return (root / "proc/self").is_dir()
