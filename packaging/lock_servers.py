"""Makes the locks of the lab's servers in Java anew, and the class files they are started with.

    .venv/bin/python packaging/lock_servers.py [cassandra hdfs accumulo classes]

A server's lock in `resources/lab` says what it is resolved from (`roots`) and what is not needed
(`left_out`); Maven finds the rest.  `classes` compiles `AccumuloLab.java` with the jars that
Accumulo's lock names.  Needs mvn and javac.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import msgspec

from core.lab.servers.java_servers import Jar, Lock, read_lock

LAB = Path(__file__).resolve().parents[1] / "resources" / "lab"
SERVERS = ("cassandra", "hdfs", "accumulo")
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"


def model(lock: Lock) -> str:
    """Maven's project with these dependencies."""
    exclusions = "".join(
        f"<exclusion>{_tags(groupId=group, artifactId=artifact)}</exclusion>"
        for group, artifact in (one.split(":") for one in lock.left_out)
    )
    dependencies = "".join(
        f"<dependency>{_tags(groupId=group, artifactId=artifact, version=version)}"
        f"<exclusions>{exclusions}</exclusions></dependency>"
        for group, artifact, version in (root.split(":") for root in lock.roots)
    )
    itself = _tags(modelVersion="4.0.0", groupId="sluice", artifactId="lab", version="1")
    return f"<project>{itself}<dependencies>{dependencies}</dependencies></project>"


def _tags(**values: str) -> str:
    return "".join(f"<{name}>{escape(value)}</{name}>" for name, value in values.items())


def resolve(lock: Lock, folder: Path) -> Path:
    """The folder with the jars of the lock's roots, laid out as in a Maven repository."""
    project, jars = folder / "pom.xml", folder / "jars"
    project.write_text(model(lock), "utf-8")
    subprocess.run(
        [
            *("mvn", "--batch-mode", "--quiet", "--file", project, COPY),
            *("-DincludeScope=runtime", "-Dmdep.useRepositoryLayout=true"),
            f"-DoutputDirectory={jars}",
        ],
        check=True,
    )
    return jars


def locked(jars: Path) -> Iterator[Jar]:
    for path in sorted(jars.rglob("*.jar")):
        *group, artifact, version, file = path.relative_to(jars).parts
        classifier = file.removeprefix(f"{artifact}-{version}").removesuffix(".jar").lstrip("-")
        words = (".".join(group), artifact, version, *filter(None, [classifier]))
        content = path.read_bytes()
        yield Jar(
            coordinates=":".join(words),
            sha256=hashlib.sha256(content).hexdigest(),
            bytes=len(content),
        )


def lock_server(name: str) -> None:
    lock = read_lock(name)
    with tempfile.TemporaryDirectory() as folder:
        jars = tuple(locked(resolve(lock, Path(folder))))
    lock = msgspec.structs.replace(lock, jars=jars)
    content = msgspec.json.format(msgspec.json.encode(lock), indent=2).decode()
    (LAB / f"{name}.json").write_text(content + "\n", "utf-8")


def compile_classes() -> None:
    with tempfile.TemporaryDirectory() as folder:
        jars = resolve(read_lock("accumulo"), Path(folder))
        compile_into(LAB, tuple(jars.rglob("*.jar")))


def compile_into(folder: Path, jars: Sequence[Path]) -> None:
    subprocess.run(
        [
            *("javac", "--release", "17", "-g:none", "-Xlint:all,-processing,-path,-classfile"),
            *("-proc:none", "-classpath", ":".join(map(str, jars)), "-d", folder),
            LAB / "AccumuloLab.java",
        ],
        check=True,
    )


def main(names: Sequence[str]) -> None:
    for name in names or (*SERVERS, "classes"):
        if name == "classes":
            compile_classes()
        else:
            lock_server(name)


if __name__ == "__main__":
    main(sys.argv[1:])
