"""Builds a Debian package of a frozen edition: the desktop's files, and manual pages.

The pages say what the commands say with --help.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import textwrap
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import format_datetime
from inspect import cleandoc
from pathlib import Path

import click
from contents import EDITIONS, PROJECT, ROOT, Edition
from freeze import WINDOW, files_below, is_elf

from core.language.program import FROM_SOURCE
from core.tell.cli import root

NAME = PROJECT["name"]
DESKTOP = ROOT / "packaging" / "desktop"
ICONS = ROOT / "resources" / "icons"
COMPONENT = "local.sluice.Sluice"
"""What AppStream calls it; no domain stands behind the name."""
MIME_ICON = "application-vnd.sluice.session"
MAINTAINER = "The Sluice authors <authors@sluice.invalid>"
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
_CONTROL = """\
Package: {package}
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {size}
Depends: {depends}
Recommends: shared-mime-info, desktop-file-utils, hicolor-icon-theme
{relations}Section: science
Priority: optional
Description: measure which settings serve scientific data best
 {description}
 .
 {about}
"""


def build_deb(  # noqa: PLR0913 -- places by their order, the rest by name
    edition: Edition, frozen: Path, work: Path, target: Path, *, epoch: int, level: int
) -> None:
    """Write the package, compressed by xz at that level; the same bytes for the same files."""
    shutil.rmtree(work, ignore_errors=True)
    home = work / "usr" / "lib" / NAME
    home.parent.mkdir(parents=True)
    subprocess.run(["cp", "-RlP", frozen, home], check=True)
    _link(work / "usr" / "bin", home)
    install_desktop_files(work / "usr" / "share")
    _document(work / "usr" / "share", edition, epoch)
    control = work / "DEBIAN"
    control.mkdir()
    (control / "control").write_text(control_file(edition, home, work), "utf-8")
    sums = [
        f"{hashlib.md5(file.read_bytes(), usedforsecurity=False).hexdigest()}  {name}\n"
        for file in files_below(work / "usr")
        if not file.is_symlink()
        for name in [file.relative_to(work).as_posix()]
    ]
    (control / "md5sums").write_text("".join(sums), "utf-8")
    _settle(work, epoch)
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zxz", f"-z{level}", "--build", work, target],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch)},
    )


def _link(folder: Path, home: Path) -> None:
    folder.mkdir(parents=True)
    (home / WINDOW).unlink()
    for name in (NAME, WINDOW):
        (folder / name).symlink_to(f"../lib/{NAME}/{NAME}")


def install_desktop_files(share: Path) -> None:
    """Desktop entry, kind of file, description and icons, below a folder like /usr/share."""
    for source, folder in (
        (DESKTOP / f"{NAME}.desktop", "applications"),
        (DESKTOP / f"{NAME}.xml", "mime/packages"),
        (DESKTOP / f"{COMPONENT}.metainfo.xml", "metainfo"),
    ):
        (share / folder).mkdir(parents=True, exist_ok=True)
        shutil.copy(source, share / folder)
    for icon in sorted(ICONS.glob(f"{NAME}*.*")):
        size = re.fullmatch(rf"{NAME}-(\d+)\.png", icon.name)
        size_folder = f"{size[1]}x{size[1]}" if size else "scalable"
        for kind, name in (("apps", NAME), ("mimetypes", MIME_ICON)):
            folder = share / "icons" / "hicolor" / size_folder / kind
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy(icon, folder / f"{name}{icon.suffix}")


def _document(share: Path, edition: Edition, epoch: int) -> None:
    pages = share / "man" / "man1"
    pages.mkdir(parents=True)
    for name, text in ((NAME, commands_page(epoch)), (WINDOW, window_page(epoch))):
        _compress(text, pages / f"{name}.1.gz")
    folder = share / "doc" / edition.name
    folder.mkdir(parents=True)
    terms = (ROOT / "LICENSE").read_text("utf-8")
    others = f"/usr/lib/{NAME}/_internal"
    (folder / "copyright").write_text(
        f"{terms}\nParts by others have their terms in {others}/licences and in\n"
        f"{others}/*.dist-info.\n",
        "utf-8",
    )
    _compress((ROOT / "CHANGELOG.md").read_text("utf-8"), folder / "CHANGELOG.md.gz")
    _compress(_changelog(edition, epoch), folder / "changelog.gz")
    overrides = share / "lintian" / "overrides"
    overrides.mkdir(parents=True)
    lines = (ROOT / "packaging" / "desktop" / "lintian-overrides").read_text("utf-8")
    (overrides / edition.name).write_text(lines.replace("PACKAGE", edition.name), "utf-8")


def _changelog(edition: Edition, epoch: int) -> str:
    """The one entry that Debian's tools want; what has changed stands in CHANGELOG.md."""
    when = format_datetime(datetime.fromtimestamp(epoch, UTC))
    return (
        f"{edition.name} ({PROJECT['version']}) unstable; urgency=medium\n\n"
        f"  * See CHANGELOG.md.gz.\n\n -- {MAINTAINER}  {when}\n"
    )


def _compress(text: str, file: Path) -> None:
    file.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def control_file(edition: Edition, home: Path, work: Path) -> str:
    others = ", ".join(other.name for other in EDITIONS if other != edition)
    size = sum(file.lstat().st_size for file in files_below(work)) // 1024
    relations = f"Conflicts: {others}\nReplaces: {others}\n"
    return _CONTROL.format(
        package=edition.name,
        version=PROJECT["version"],
        architecture=ARCHITECTURES[os.uname().machine],
        maintainer=MAINTAINER,
        size=size,
        depends=", ".join([f"libc6 (>= {least_libc(home)})", *system_libraries()]),
        relations=relations,
        description=_wrapped(PROJECT["description"]),
        about=_wrapped(
            f"This package is Sluice {edition.summary}. It brings its own Python and libraries."
        ),
    )


def _wrapped(text: str) -> str:
    """A paragraph as Debian's control files want it."""
    return "\n ".join(textwrap.wrap(text, 78))


def least_libc(home: Path) -> str:
    """The oldest version of the C library that has all that is called."""
    versions = {
        (int(major), int(minor))
        for file in files_below(home)
        if is_elf(file)
        for major, minor in re.findall(rb"GLIBC_(\d+)\.(\d+)", file.read_bytes())
    }
    return ".".join(map(str, max(versions)))


def system_libraries() -> list[str]:
    """What the window needs of the system, by either of its names since 2024."""
    lines = (ROOT / "packaging" / "debian-packages.txt").read_text("utf-8").splitlines()
    end = next(index for index, line in enumerate(lines) if line.startswith("# Tests"))
    names = [line for line in lines[:end] if line and not line.startswith("#")]
    return [f"{name} | {name}t64" if name.endswith("-0") else name for name in names]


def _settle(tree: Path, epoch: int) -> None:
    """Give everything the same age, and the rights that packages have."""
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            run = path.is_dir() or path.stat().st_mode & 0o100
            path.chmod(0o755 if run else 0o644)
        os.utime(path, (epoch, epoch), follow_symlinks=False)


_ENDINGS = {
    "0": "success",
    "1": "a failed run",
    "2": "a usage error",
    "130": "an interrupt",
}


def commands_page(epoch: int) -> str:
    """sluice(1): every command with its options and examples."""
    about = cleandoc(root.help or "")
    purpose = PROJECT["description"].rstrip(".")
    lines = [
        _head(NAME, epoch),
        ".SH NAME",
        rf"{NAME} \- {escaped(purpose[:1].lower() + purpose[1:])}",
        ".SH SYNOPSIS",
        rf".B {NAME}",
        r"[\fIOPTION\fR ...] \fICOMMAND\fR [\fIARGUMENT\fR ...]",
        ".SH DESCRIPTION",
        escaped(about),
        ".SH OPTIONS",
        *_options(root, click.Context(root, info_name=NAME)),
        ".SH COMMANDS",
        *_commands(root, click.Context(root, info_name=NAME)),
        ".SH EXIT STATUS",
        *(line for code, text in _ENDINGS.items() for line in (".TP", rf"\fB{code}\fR", text)),
        ".SH SEE ALSO",
        rf".BR {NAME}\-app (1)",
    ]
    return "\n".join(lines) + "\n"


def window_page(epoch: int) -> str:
    from app.__main__ import USAGE

    name = f"{NAME}-app"
    usage, _, about = USAGE.partition("\n")
    lines = [
        _head(name, epoch),
        ".SH NAME",
        rf"{escaped(name)} \- the window of sluice",
        ".SH SYNOPSIS",
        rf".B {escaped(name)}",
        escaped(usage.removeprefix(f"Usage: {name} ")),
        ".SH DESCRIPTION",
        escaped(about.strip()),
        ".SH SEE ALSO",
        rf".BR {NAME} (1)",
    ]
    return "\n".join(lines) + "\n"


def _head(name: str, epoch: int) -> str:
    day = datetime.fromtimestamp(epoch, UTC).date()
    return f'.TH {name.upper()} 1 "{day}" "Sluice {PROJECT["version"]}" "User Commands"'


def _commands(group: click.Group, context: click.Context) -> Iterator[str]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context)
        usage = " ".join(command.collect_usage_pieces(inner))
        yield f".SS {escaped(inner.command_path)} {escaped(usage)}"
        yield escaped(cleandoc(command.help or ""))
        if isinstance(command, click.Group):
            yield from _names(command, inner)
        else:
            yield from _options(command, inner)
        yield from _examples(command.epilog or "")
        if type(command) is click.Group:  # others have a command for each workload or kind
            yield from _commands(command, inner)


def _names(group: click.Group, context: click.Context) -> Iterator[str]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield from (".TP", rf"\fB{escaped(name)}\fR", escaped(command.get_short_help_str(200)))


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    for parameter in command.get_params(context):
        if record := parameter.get_help_record(context):
            flags, text = record
            yield from (".TP", rf"\fB{escaped(flags)}\fR", escaped(text))


def _examples(epilog: str) -> Iterator[str]:
    text = epilog.replace("\b\n", "").replace(" ".join(FROM_SOURCE), NAME).strip()
    if text:
        yield from (".PP", ".nf", escaped(text), ".fi")


def escaped(text: str) -> str:
    """Text as troff takes it: nothing in it is a command."""
    text = re.sub(r"[ \t]*\x08\n?", "", text).replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^([.'])", r"\\&\1", text.strip("\n"), flags=re.MULTILINE)
