"""Prepares .venv, and nothing outside the checkout but Debian packages where that is allowed.

    python3 packaging/set_up.py [EXTRA ...]    installs what uv.lock pins for them
    python3 packaging/set_up.py --uv           prints the path of a uv
    python3 packaging/set_up.py --lock [...]   resolves uv.lock anew; what follows goes to uv

It may run in a Python that is too old for Sluice, so it keeps to 3.8 and its standard library.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Callable, Sequence  # noqa: UP035 - collections.abc needs 3.9 here

from prerequisites import (
    BOOTSTRAP,
    LOG,
    ROOT,
    SYSTEM_CERTS,
    SYSTEM_PACKAGES,
    UV_LOCK,
    can_build,
    fail,
    get_python,
    get_uv,
    install_system_packages,
    pinned,
    pip_of,
    run,
    say,
)

VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
READY = VENV / ".ready"
"""The checkout's path, the fingerprint of what was installed, the extras.  Removed first and
written last, so an interrupted set-up is never taken for a finished one."""
ONLY_TOOLS = "--only-group=dev"
INPUTS = (
    ROOT / "pyproject.toml",
    UV_LOCK,
    SYSTEM_PACKAGES,
    *(ROOT / "packaging" / name for name in ("set_up.py", "prerequisites.py")),
)


def fingerprint() -> str:
    """Changes with everything that decides what is installed."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in INPUTS)).hexdigest()


def read_ready() -> tuple[str, str, list[str]]:
    """The checkout, the fingerprint and the extras of the .venv that is there."""
    lines = READY.read_text("utf-8").splitlines() if READY.is_file() else []
    root, installed, extras = (*lines, "", "", "")[:3]
    return root, installed, extras.split()


def is_usable(root: str) -> bool:
    """Whether .venv's Python starts, and .venv was made here: its scripts name its path."""
    if root != str(ROOT) or not PYTHON.exists():
        return False
    return subprocess.call([PYTHON, "-c", ""], stderr=subprocess.DEVNULL) == 0


def is_ready(extras: Sequence[str]) -> bool:
    """Whether nothing is to be done."""
    root, installed, has = read_ready()
    return installed == fingerprint() and {*extras} <= {*has} and is_usable(root)


def known_extras() -> list[str]:
    """Those of pyproject.toml, as uv.lock repeats them; Python 3.10 cannot read TOML."""
    line = re.search(r"^provides-extras = (.*)", UV_LOCK.read_text("utf-8"), re.MULTILINE)
    return re.findall(r'"([^"]+)"', line.group(1)) if line else []


def keep_sources(python: str) -> bool:
    """Whether svfsc's C++ sources are beside it: what is installed has no headers nor mutexes."""
    kept, listed, fetched = VENV / "share" / "svfsc", pinned("svfsc"), BOOTSTRAP / "svfsc"
    pin = listed.read_text("utf-8").split()[0]
    note = kept / "pinned"
    if note.is_file() and note.read_text("utf-8") == pin:
        return True
    for folder in (kept, fetched):
        shutil.rmtree(folder, ignore_errors=True)
    download: list[str | Path] = [
        "download",
        "--no-deps",
        "--no-binary",
        "svfsc",
        "--dest",
        fetched,
    ]
    if not run(*pip_of(python), *download, "--require-hashes", "-r", listed):
        return False
    (archive,) = fetched.glob("*.tar.gz")
    shutil.unpack_archive(str(archive), str(fetched))
    kept.parent.mkdir(exist_ok=True)
    (fetched / archive.name[: -len(".tar.gz")]).replace(kept)
    note.write_text(pin, "utf-8")
    return True


# --- .venv -----------------------------------------------------------------------------------


def sync(uv: str, *flags: str, **env: str) -> bool:
    """Install from the addresses in uv.lock."""
    whole = "--compile-bytecode" if ONLY_TOOLS not in flags else "--inexact"
    return run(uv, "sync", "--frozen", whole, *flags, **env)


def install_list(uv: str, installer: Sequence[str | Path], *flags: str) -> bool:
    """Install from wherever the installer gets its files: a mirror has none of those addresses."""
    listed = BOOTSTRAP / "exported.txt"
    return (
        run(uv, "export", "--quiet", "--frozen", "--no-emit-project", "-o", listed, *flags)
        and run(*installer, "--require-hashes", "-r", listed, **SYSTEM_CERTS)
        and run(*installer, "--no-deps", "--no-build-isolation", "-e", ".", **SYSTEM_CERTS)
    )


def ways(uv: str, python: str) -> list[Callable[..., bool]]:
    """Ways to install, the likeliest first."""
    return [
        partial(sync, uv),
        partial(sync, uv, **SYSTEM_CERTS),
        partial(install_list, uv, [uv, "pip", "install", "--python", PYTHON]),
        # pip may know a mirror or a certificate that uv does not.
        lambda *flags: install_list(uv, [*pip_of(python), "--python", PYTHON, "install"], *flags),
    ]


def install(uv: str, python: str, extras: Sequence[str], *, sparse: bool) -> list[str]:
    """Fill .venv with as much as this machine takes; the extras it has then."""
    # The tools alone show which way is open; what fails after that fails for a reason of its own.
    way = next((way for way in ways(uv, python) if way(ONLY_TOOLS)), None)
    if not way:
        fail(f"could not install ({LOG} says why): check the network, then run make again")
    selections = [["app", "sparse", *extras]] if sparse else []
    # Qt has no wheel for every machine; the engine does without.
    selections += [["app", *extras], [*extras]]
    for selection in selections:
        if way(*(f"--extra={extra}" for extra in selection)):
            left_out = [extra for extra in selections[0] if extra not in selection]
            if left_out:
                say(f"could not install {' and '.join(left_out)} ({LOG} says why): goes on without")
            return selection
    return fail(f"could not install ({LOG} says why): check the network, then run make again")


def set_up(asked: Sequence[str]) -> None:
    """Make or complete .venv."""
    LOG.write_text("", "utf-8")
    install_system_packages()
    uv = get_uv()
    python = get_python(uv)
    root, _, had = read_ready()
    usable = is_usable(root)
    if READY.exists():
        READY.unlink()
    if not usable:
        had = []
        say(f"making .venv with {python}")
        shutil.rmtree(VENV, ignore_errors=True)
        if not run(uv, "venv", "--no-project", "--python", python, VENV):
            fail(f"could not make .venv with {python} ({LOG} says why)")
    # What was asked for once stays, so that a plain `make test` does not take an extra away.
    extras = sorted({*had, *asked} - {"app", "sparse"})
    sparse = can_build(python, may_install="sparse" in asked)
    if not sparse:
        say(
            "no C++ compiler with Python's headers: sparse files will be unavailable ('make .venv EXTRAS=sparse' installs one where it may)"
        )
    say(f"installing: {' '.join(['default app', *['sparse'][:sparse], *extras])}")
    has = install(uv, python, extras, sparse=sparse)
    if "sparse" in has and not keep_sources(python):
        say(
            f"svfsc's C++ sources could not be fetched ({LOG} says why): its C++ rows will be unavailable"
        )
    written = READY.with_suffix(".new")
    written.write_text(f"{ROOT}\n{fingerprint()}\n{' '.join(has)}\n", "utf-8")
    written.replace(READY)
    say("ready")


# --- the command -----------------------------------------------------------------------------


def hold_lock() -> None:
    """Wait until no other set-up runs here; the kernel lets go when this process ends."""
    try:
        BOOTSTRAP.mkdir(exist_ok=True)
        held = os.open(BOOTSTRAP / "running", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        fail(f"cannot write to {BOOTSTRAP}: {error.strerror}")
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say(f"waiting for the set-up that process {os.read(held, 20).decode() or '?'} is running")
        fcntl.flock(held, fcntl.LOCK_EX)
    os.ftruncate(held, 0)
    os.pwrite(held, str(os.getpid()).encode(), 0)


def resolve(arguments: Sequence[str]) -> int:
    """Make uv.lock anew; from PyPI itself, since the lock keeps the addresses it was made from."""
    uv = get_uv()
    command = [uv, "lock", "--python", get_python(uv), "--default-index", "https://pypi.org/simple"]
    return subprocess.call([*command, *arguments], cwd=ROOT)


def main(arguments: Sequence[str]) -> int:
    """Do what the arguments say."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda received, _: sys.exit(128 + received))
    # What the caller's shell says of another environment does not hold here.
    os.environ.pop("VIRTUAL_ENV", None)
    os.environ["UV_PROJECT_ENVIRONMENT"] = str(VENV)
    first = arguments[0] if arguments else ""
    if not first.startswith("--"):
        unknown = [extra for extra in arguments if extra not in known_extras()]
        if unknown:
            fail(f"no such extra: {unknown[0]} (there are: {' '.join(known_extras())})")
        if is_ready(arguments):
            return 0
    hold_lock()
    if first == "--lock":
        return resolve(arguments[1:])
    if first == "--uv":
        print(get_uv())
    elif not is_ready(arguments):
        set_up(arguments)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
