"""A bare system in a folder, made by debootstrap; a fresh user runs programs in it, offline."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import psutil

USER = "someone"
UID = 61184
"""Of nobody on this machine, so that what is left running can be told from all else."""
SOCKETS = "/tmp/.X11-unix"
PATIENCE = 1800
_SCRIPTS = Path("/usr/share/debootstrap/scripts")
"""One for each suite that it knows, nearly all of them links to that of gutsy or of sid."""

# In a namespace of its own, so that no mount is left, whatever happens; all of it is `exec`, so
# the program has the id of the process that was started.
_SETTLE = f"""
set -e
root=$1; shift
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
if [ -d "$root{SOCKETS}" ]; then mount --bind {SOCKETS} "$root{SOCKETS}"; fi
exec chroot "$@"
"""


class BareRoot:
    """One such system."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home" / USER

    def make(self, suite: str, mirror: str) -> None:
        """Fetch and unpack a minimal Debian or Ubuntu, with one user."""
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        half = self.folder.with_suffix(".half")
        shutil.rmtree(half, ignore_errors=True)
        known = (_SCRIPTS / suite).exists()
        ubuntu = "ubuntu" in mirror
        script = [] if known else [str(_SCRIPTS / ("gutsy" if ubuntu else "sid"))]
        # An installed Ubuntu asks for packages of "universe" too, as each Debian does for "main".
        parts = ["--components=main,universe"] if ubuntu else []
        quietly(["debootstrap", "--variant=minbase", *parts, suite, str(half), mirror, *script])
        system = BareRoot(half)
        system.as_root("useradd", "--uid", str(UID), "--create-home", USER)
        half.rename(self.folder)

    def copied_to(self, folder: Path) -> BareRoot:
        """The same system in another folder, in place of what was there."""
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run(["cp", "-a", self.folder, folder], check=True)
        return BareRoot(folder)

    def as_root(self, *command: str) -> None:
        """Run something that may use the network, such as apt-get."""
        environment = {**_path(), "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
        inside = ["unshare", "--mount", "sh", "-c", _SETTLE, "sh", str(self.folder)]
        quietly([*inside, str(self.folder), *command], environment)

    def command(self, *words: str) -> list[str]:
        """What runs a command as the fresh user, in the user's home, without a network."""
        return [
            *("unshare", "--mount", "--net", "sh", "-c", _SETTLE, "sh", str(self.folder)),
            *(f"--userspec={UID}:{UID}", f"--groups={UID}", str(self.folder)),
            *("sh", "-c", 'cd && exec "$@"', "sh", *words),
        ]

    def environment(self, display: str = "") -> dict[str, str]:
        """All variables that the user has."""
        shown = {"DISPLAY": display} if display else {}
        return {**_path(), "HOME": f"/home/{USER}", "LC_ALL": "C.UTF-8", **shown}

    def run(self, *words: str, display: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command as the fresh user to its end."""
        return subprocess.run(
            self.command(*words),
            env=self.environment(display),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def share_display(self) -> None:
        """Let programs in it find this machine's X servers."""
        (self.folder / SOCKETS.lstrip("/")).mkdir(exist_ok=True)

    def files(self) -> dict[str, str]:
        """Every file with its size or target, without what users, apt and dpkg keep."""
        return {
            place: _look(path)
            for path in sorted(self.folder.rglob("*"))
            for place in [path.relative_to(self.folder).as_posix()]
            if not place.startswith(_KEPT_BY_OTHERS)
        }

    def temporary_files(self) -> list[str]:
        """What is in the folders for temporary files."""
        own = (path for name in ("tmp", "var/tmp") for path in (self.folder / name).iterdir())
        shared = (path for path in Path("/dev/shm").iterdir() if path.lstat().st_uid == UID)
        display = self.folder / SOCKETS.lstrip("/")
        return [str(path) for path in (*own, *shared) if path != display]

    def processes(self) -> list[str]:
        """The user's processes that still run."""
        return [
            " ".join(process.info["cmdline"] or [process.info["name"]])
            for process in psutil.process_iter(["uids", "cmdline", "name"])
            if process.info["uids"] and process.info["uids"].real == UID
        ]


_KEPT_BY_OTHERS = (
    f"home/{USER}",
    "var/cache/apt",
    "var/lib/apt",
    "var/lib/dpkg",
    "var/log",
    "tmp",
    "proc",
    "sys",
    "dev",
)


def _look(path: Path) -> str:
    if path.is_symlink():
        return f"-> {path.readlink()}"
    return "folder" if path.is_dir() else f"{path.lstat().st_size} bytes"


def _path() -> Mapping[str, str]:
    return {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}


def quietly(command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
    """Run a command; where it fails, what it said last is the error."""
    done = subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode != 0:
        said = "\n".join(done.stdout.splitlines()[-15:])
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{said}")
