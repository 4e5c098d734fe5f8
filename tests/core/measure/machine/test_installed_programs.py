"""Programs find the user's environment and are asked for their version once; Spark has its Java."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from patience import PATIENCE

from core.measure import spark_java_home, version_of_program
from core.measure.machine.program_versions import OUTER_PYTHONPATH, users_environment


def program(folder: Path, text: str, name: str = "tool") -> Path:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def digest_of(file: Path) -> str:
    return f"sha256 {hashlib.sha256(file.read_bytes()).hexdigest()[:12]}"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("echo 'tool 1.2'", "1.2"),
        ("echo; echo 'A Tool, v3.4'; echo more", "A Tool, v3.4"),
        ("echo 'tool 5.6' >&2", "5.6"),
        ("printf 'tool \\033[1m7.8\\007'", "7.8"),
        ('echo "asked with $1, 1"', "asked with --version, 1"),
    ],
)
def test_that_the_first_line_without_the_name_is_the_version(
    tmp_path: Path, text: str, told: str
) -> None:
    assert version_of_program(str(program(tmp_path, text))) == told


@pytest.mark.parametrize("hides", ["", "env -i "])
def test_that_a_program_that_forks_a_daemon_instead_leaves_none(tmp_path: Path, hides: str) -> None:
    if hides and sys.platform != "linux":
        pytest.skip("only Linux hands orphans on")
    daemon = f"{hides}setsid sleep 987653.75 >/dev/null 2>&1 &"
    assert version_of_program(str(program(tmp_path, f"{daemon}\necho tool 3"))) == "3"
    wait_until_gone("987653.75")


@pytest.mark.parametrize(
    "text",
    ["exit 3", "echo 'usage: tool FILE'", "echo 'error 404' >&2; exit 1", "yes 1", ":"],
)
def test_that_a_program_that_tells_none_is_known_by_its_digest(tmp_path: Path, text: str) -> None:
    file = program(tmp_path, text)
    assert version_of_program(str(file)) == digest_of(file)


def test_that_it_may_be_asked_otherwise_or_not_at_all(tmp_path: Path) -> None:
    file = program(tmp_path, '[ "$1" = version ] && echo v9')
    assert version_of_program(str(file), "version") == "v9"
    assert version_of_program(str(file)) == digest_of(file)
    assert version_of_program(str(file), "") == digest_of(file)


def test_that_another_file_of_the_same_name_is_asked_again(tmp_path: Path) -> None:
    file = program(tmp_path, "echo tool 1")
    assert version_of_program(str(file)) == "1"
    file.unlink()
    assert version_of_program(str(program(tmp_path, "echo tool 2, later"))) == "2, later"


def test_that_it_is_asked_once(tmp_path: Path) -> None:
    log = tmp_path / "log"
    file = program(tmp_path, f"echo asked >> {log}; echo tool 1")
    for _ in range(3):
        assert version_of_program(str(file)) == "1"
    assert log.read_text() == "asked\n"


def test_that_a_program_that_works_instead_leaves_nothing_where_it_was_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    program(tmp_path, "echo result > result; cat; sleep 987653.5 >/dev/null 2>&1 & echo tool 2")
    assert version_of_program(str(tmp_path / "tool")) == "2"
    assert list(here.iterdir()) == []
    wait_until_gone("987653.5")


def test_that_there_is_no_version_of_what_is_not_there(tmp_path: Path) -> None:
    assert version_of_program(str(tmp_path / "none")) == ""
    assert version_of_program("no-such-program") == ""
    assert version_of_program(os.devnull) == ""


def wait_until_gone(word: str) -> None:
    """A process that was killed is still listed for a moment."""
    end = time.monotonic() + PATIENCE
    while any(word in (one.info["cmdline"] or ()) for one in psutil.process_iter(["cmdline"])):
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("ours", "users"),
    [
        ({"A": "b", "PYTHONPATH": "/x"}, {"A": "b", "PYTHONPATH": "/x"}),
        ({"PYTHONPATH": "/sluice", OUTER_PYTHONPATH: "/x"}, {"PYTHONPATH": "/x"}),
        ({"PYTHONPATH": "/sluice", OUTER_PYTHONPATH: ""}, {}),
        ({"LD_LIBRARY_PATH": "/p", "LD_LIBRARY_PATH_ORIG": "/x"}, {"LD_LIBRARY_PATH": "/x"}),
        ({"LD_LIBRARY_PATH": "/p", "LD_LIBRARY_PATH_ORIG": ""}, {}),
    ],
)
def test_that_what_sluice_has_changed_is_put_back(
    ours: dict[str, str], users: dict[str, str]
) -> None:
    assert users_environment(ours) == users


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


@pytest.mark.quick
def test_that_a_whole_runtime_is_used_as_it_is(tmp_path: Path) -> None:
    java = runtime(tmp_path, "java.base@21 jdk.incubator.vector@21")
    link = tmp_path / "java"
    link.symlink_to(java)
    assert spark_java_home(link, tmp_path / "shim") == java.parent.parent
    assert not (tmp_path / "shim").exists()


@pytest.mark.quick
def test_that_a_small_runtime_is_not_asked_for_a_module_that_it_lacks(tmp_path: Path) -> None:
    home = spark_java_home(runtime(tmp_path, "java.base@21"), tmp_path / "shim")
    words = ["-Xmx1g", ASKED, "-cp", "a b/*", "Main", "$HOME", ""]
    said = subprocess.run(
        [home / "bin" / "java", *words], capture_output=True, text=True, check=True
    ).stdout
    assert said.split("\n") == [*(word for word in words if word != ASKED), ""]
