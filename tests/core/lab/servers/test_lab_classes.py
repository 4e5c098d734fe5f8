"""The compiled classes that Sluice ships are those of the sources beside them."""

from __future__ import annotations

import runpy
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from core.host.folders import resources_folder
from core.lab.recipe import Kit

JAVA_17 = 61
"""The version of the form of class files."""

LAB = resources_folder() / "lab"
LOCK_SERVERS = Path(__file__).parents[4] / "packaging" / "lock_servers.py"


def compiler() -> str:
    """The version of javac; empty where there is none."""
    if shutil.which("javac") is None:
        return ""
    said = subprocess.run(["javac", "-version"], capture_output=True, text=True, check=True)
    return (said.stdout or said.stderr).split()[-1]


@pytest.mark.quick
def test_that_every_source_has_a_class_for_java_17() -> None:
    sources = sorted(LAB.glob("*.java"))
    assert sources
    for source in sources:
        content = source.with_suffix(".class").read_bytes()
        assert content[:4] == b"\xca\xfe\xba\xbe"
        assert int.from_bytes(content[6:8]) == JAVA_17


@pytest.mark.lab("accumulo")
@pytest.mark.skipif(not compiler().startswith("17."), reason="other compilers make other bytes")
def test_that_the_classes_are_what_the_compiler_makes_of_the_sources(
    kits: Callable[[str], Kit], tmp_path: Path
) -> None:
    compile_into = runpy.run_path(str(LOCK_SERVERS))["compile_into"]
    compile_into(tmp_path, kits("accumulo").jars("lib"))
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert made == {path.name: path.read_bytes() for path in LAB.glob("*.class")}
