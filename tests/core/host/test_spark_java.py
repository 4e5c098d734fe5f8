"""The Java that Spark is given where a runtime lacks a module that Spark names."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from core.host.installed_programs import spark_java_home

pytestmark = pytest.mark.quick

ASKED = "--add-modules=jdk.incubator.vector"


def runtime(folder: Path, modules: str) -> Path:
    """A program that stands for a Java with these modules, and prints its other arguments."""
    home = folder / "a runtime's “home”"
    program = home / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(
        f"""#!/bin/bash
case "$1" in
    --list-modules) echo "{modules}" ;;
    -XshowSettings:properties) echo "    java.home = {home}" >&2 ;;
    *) printf '%s\\n' "$@" ;;
esac
""",
        "utf-8",
    )
    program.chmod(0o755)
    return program


def test_that_a_whole_runtime_is_used_as_it_is(tmp_path: Path) -> None:
    java = runtime(tmp_path, "java.base@21 jdk.incubator.vector@21")
    link = tmp_path / "java"
    link.symlink_to(java)
    assert spark_java_home(link, tmp_path / "shim") == java.parent.parent
    assert not (tmp_path / "shim").exists()


def test_that_a_small_runtime_is_not_asked_for_a_module_that_it_lacks(tmp_path: Path) -> None:
    home = spark_java_home(runtime(tmp_path, "java.base@21"), tmp_path / "shim")
    words = ["-Xmx1g", ASKED, "-cp", "a b/*", "Main", "$HOME", ""]
    said = subprocess.run(
        [home / "bin" / "java", *words], capture_output=True, text=True, check=True
    ).stdout
    assert said.split("\n") == [*(word for word in words if word != ASKED), ""]
