"""What set-up needs before .venv can be filled: system packages, uv, a Python, a C++ compiler.

As set_up.py it keeps to Python 3.8 and its standard library.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
BOOTSTRAP = ROOT / ".bootstrap"
LOG = BOOTSTRAP / "set-up.log"
UV_LOCK = ROOT / "uv.lock"
SYSTEM_PACKAGES = ROOT / "packaging" / "debian-packages.txt"
SYSTEM_CERTS = {"UV_SYSTEM_CERTS": "true"}
"""Behind a proxy with an authority of its own, uv's list of certificates will not do."""


def say(text: str) -> None:
    """Report on stderr, since --uv answers on stdout."""
    print(f"set-up: {text}", file=sys.stderr, flush=True)


def fail(text: str) -> NoReturn:
    """End with one line."""
    say(text)
    sys.exit(1)


def run(*command: str | Path, **env: str) -> bool:
    """Whether a command succeeds; the log has what it prints."""
    with LOG.open("a", encoding="utf-8") as log:
        print("$", *command, file=log, flush=True)
        try:
            done = subprocess.run(
                [str(word) for word in command],
                cwd=ROOT,
                env={**os.environ, **env},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                check=False,
            )
        except OSError as error:
            print(error, file=log)
            return False
        return done.returncode == 0


def answer(*command: str, **env: str) -> str:
    """What a command prints, failed or not."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip()


def pinned(name: str) -> Path:
    """A list from which pip installs this one distribution as uv.lock pins it."""
    lock = UV_LOCK.read_text("utf-8")
    block = lock.partition(f'\nname = "{name}"\n')[2].partition("\n[[package]]\n")[0]
    (version,) = re.findall(r'^version = "(.*)"', block, re.MULTILINE)
    hashes = re.findall(r', hash = "(sha256:[0-9a-f]+)"', block)
    file = BOOTSTRAP / f"{name}.txt"
    file.write_text(" --hash=".join((f"{name}=={version}", *hashes)) + "\n", "utf-8")
    return file


# --- system packages -------------------------------------------------------------------------


def apt_install(*packages: str) -> bool:
    """Whether apt could: only as root, or with a sudo that does not ask."""
    sudo = [] if os.getuid() == 0 else ["sudo", "-n"]
    if not shutil.which("apt-get") or (sudo and not run(*sudo, "true")):
        return False
    apt = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-y"]
    for option in ("DPkg::Lock::Timeout=60", "Acquire::Retries=0", "Acquire::http::Timeout=20"):
        apt += ["-o", option]
    install = [*apt, "--no-install-recommends", "install", *packages]
    return run(*install) or (run(*apt, "update") and run(*install))


def install_system_packages() -> None:
    """What the window needs of a Debian or Ubuntu."""
    if not (shutil.which("apt-get") and shutil.which("dpkg-query")):
        return
    lines = SYSTEM_PACKAGES.read_text("utf-8").splitlines()
    there = answer("dpkg-query", "-W", "-f=${Package} ${db:Status-Status}\n").splitlines()
    present = {line.split()[0] for line in there if line.endswith(" installed")}
    # Since 2024 some libraries carry "t64" in their names.
    wanted = [line for line in lines if line and not line.startswith("#")]
    missing = [name for name in wanted if not {name, f"{name}t64"} & present]
    if missing:
        names = " ".join(missing)
        say(f"installing system packages: {names}")
        if not apt_install(*missing):
            say(f"the window may need what could not be installed: apt-get install {names}")


# --- uv and Python ---------------------------------------------------------------------------


def pip_of(python: str) -> list[str]:
    """How to call a pip by that Python; where it has none of its own, a venv may."""
    if not run(python, "-m", "pip", "--version"):
        run(python, "-m", "venv", "--clear", BOOTSTRAP / "pip")
        python = str(BOOTSTRAP / "pip" / "bin" / "python")
    return [python, "-m", "pip"]


def find_uv() -> str:
    """A uv that can read uv.lock; one on PATH may be too old."""
    for uv in (shutil.which("uv"), str(BOOTSTRAP / "uv" / "bin" / "uv")):
        if uv and run(uv, "export", "--quiet", "--frozen", "--only-group", "installer"):
            return uv
    return ""


def get_uv() -> str:
    """A uv, by pip where there is none."""
    uv = find_uv()
    if not uv:
        say("fetching uv")
        # Not .venv's Python, which may be about to go.
        python = str(getattr(sys, "_base_executable", None) or sys.executable)
        target = BOOTSTRAP / "uv"
        shutil.rmtree(target, ignore_errors=True)
        into: list[str | Path] = [
            "install",
            "--retries",
            "1",
            "--timeout",
            "20",
            "--target",
            target,
        ]
        for _ in range(2):
            run(*pip_of(python), *into, "--require-hashes", "-r", pinned("uv"), PIP_USER="0")
            uv = find_uv()
            # Debian has its Python without pip and venv.
            if uv or not apt_install("python3-pip"):
                break
            python = "/usr/bin/python3"
    return uv or fail(
        f"uv could not be fetched ({LOG} says why): check the network, or install Python's pip"
        " (e.g. 'apt install python3-pip') or uv, then run make again"
    )


def find_python(uv: str) -> str:
    """A Python that Sluice can run in; 3.12 first, as in .python-version, and 3.15 lacks wheels."""
    # pyenv's shims obey .python-version, so they hide all other versions.
    homes = {Path.home() / ".pyenv", Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")}
    folders = [folder for home in homes for folder in home.glob("versions/3.1[2-4]*/bin")]
    folders += (BOOTSTRAP / "python").glob("*/bin")
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), *map(str, folders)))
    find = (uv, "python", "find", "--system", "--no-python-downloads")
    found = (answer(*find, version, PATH=path) for version in ("3.12", "3.13", "3.14"))
    return next(filter(None, found), "")


def get_python(uv: str) -> str:
    """A Python that Sluice can run in, by uv where there is none."""
    python = find_python(uv)
    if not python:
        say("no Python 3.12 to 3.14 found, fetching one")
        install = (uv, "python", "install", "--install-dir", BOOTSTRAP / "python", "3.12")
        run(*install) or run(*install, **SYSTEM_CERTS)
        python = find_python(uv)
    return python or fail(
        f"no Python 3.12, 3.13 or 3.14 here and none could be fetched ({LOG} says why): install one,"
        " e.g. 'apt install python3.12', 'brew install python@3.12' or 'pyenv install 3.12', then run make again"
    )


# --- svfsc, which comes as a source distribution ---------------------------------------------


def can_build(python: str, *, may_install: bool) -> bool:
    """Whether C++ for Python can be compiled.

    Only who asks for sparse files waits for a compiler: it is larger than all else together.
    """
    include = "import sysconfig; print(sysconfig.get_path('include'))"
    headers = Path(answer(python, "-c", include), "Python.h")
    compilers = ("c++", "g++", "clang++")
    if may_install and not any(map(shutil.which, compilers)):
        apt_install("g++")
    if may_install and not headers.is_file():
        apt_install(f"{headers.parent.name}-dev")
    return any(map(shutil.which, compilers)) and headers.is_file()
