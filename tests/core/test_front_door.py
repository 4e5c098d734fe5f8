"""The engine's public names, and what its front door must not drag in."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import core

ROOT = Path(__file__).parents[2]

PUBLIC = (Path(__file__).parent / "public_names.txt").read_text(encoding="utf-8").split()
"""A name that is added or taken away is a decision: it is made there too."""

HEAVY = {
    "numpy",
    "scipy",
    "pyarrow",
    "rich",
    "psutil",
    "msgspec",
    "sqlite3",
    "keyring",
}
WINDOW = {"PySide6", "shiboken6", "pyqtgraph", "app"}
DRIVERS = {
    "pysam",
    "pyfaidx",
    "biocommons.seqrepo",
    "Bio",
    "pod5",
    "pyslow5",
    "boto3",
    "botocore",
    "pyspark",
}
DRIVERS |= {"cassandra", "synapseclient", "svfsc", "obstore", "s3fs", "aiobotocore"}


def run_python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.quick
def test_that_the_public_names_are_these_and_no_others() -> None:
    assert sorted(PUBLIC) == PUBLIC == list(core.__all__)
    assert dir(core) == PUBLIC


def test_that_every_public_name_is_there() -> None:
    assert not [name for name in PUBLIC if getattr(core, name, None) is None]


@pytest.mark.quick
def test_that_the_list_of_names_says_where_each_is_and_nothing_else() -> None:
    """Type checkers read it as Python, and the front door line by line."""
    tree = ast.parse(Path(core.__file__).with_suffix(".pyi").read_text("utf-8"))
    names = []
    for node in tree.body[1:]:
        match node:
            case ast.ImportFrom(module=str(), names=[ast.alias(name=name, asname=same)]):
                assert name == same
                assert node.end_lineno == node.lineno
                names.append(name)
            case _:
                pytest.fail(ast.unparse(node))
    assert sorted(names) == list(core.__all__)


def imported_from_core(folder: str) -> set[str]:
    return {
        each.name
        for file in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "core"
        for each in node.names
    }


@pytest.mark.quick
def test_that_few_names_are_public_and_each_is_needed() -> None:
    """Whoever writes a workload is to hold all that it can need in mind."""
    for_workloads = imported_from_core("workloads")
    assert len(PUBLIC) <= 153
    assert len(for_workloads) <= 81
    assert set(PUBLIC) == for_workloads | imported_from_core("app")


@pytest.mark.quick
def test_that_a_private_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'NoSuchName'"):
        _ = core.NoSuchName


IMPORTED = "import sys; {}; print(*sys.modules)"


def imported_by(statement: str) -> set[str]:
    told = run_python("-c", IMPORTED.format(statement))
    assert told.returncode == 0, told.stderr
    return set(told.stdout.splitlines()[-1].split())


def test_that_help_imports_neither_numpy_nor_qt_nor_a_driver() -> None:
    imported = imported_by("from core.tell.cli import main; main(['--help'])")
    assert "click" in imported  # so the list is that of what was imported
    assert not imported & (HEAVY | WINDOW | DRIVERS | {"workloads"})


def test_that_importing_the_front_door_imports_nothing_heavy() -> None:
    assert not imported_by("import core") & (HEAVY | WINDOW | DRIVERS | {"workloads", "click"})


def test_that_listing_and_a_workload_s_help_import_no_driver_and_no_window() -> None:
    for command in ("['list']", "['measure', '--help']", "['measure', 'raw', '--help']"):
        imported = imported_by(f"from core.tell.cli import main; main({command})")
        assert not imported & (WINDOW | DRIVERS)


def test_that_a_child_imports_no_command_line_and_no_window() -> None:
    imported = imported_by("import core.measure.trial.child_main")
    assert not imported & (WINDOW | DRIVERS | {"click", "rich", "sqlite3", "scipy"})


def test_that_a_run_at_one_number_of_threads_imports_no_scipy_and_few_files(tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(bytes(1 << 16))
    brief = ("--duration=0.05", "--warm-up=0", "--repeats=1", "--no-floor")
    command = ["measure", "raw", *brief, f"--dataset={tmp_path / 'data'}"]
    imported = imported_by(f"from core.tell.cli import main; main({command})")
    assert "core.judge.trust" in imported  # so it was judged
    assert "scipy" not in imported
    own = {name for name in imported if name.partition(".")[0] in {"core", "workloads"}}
    assert len(own) <= 189  # a file more that every run loads is to be seen


def test_that_a_kind_of_data_is_found_without_the_tables_of_all_workloads() -> None:
    imported = imported_by("from core.vocabulary.registry import dataset_kind as k; k('seqrepo')")
    assert "workloads.fasta" in imported  # so the list is that of what was imported
    assert not imported & {"workloads.signal", "workloads.tiles", "workloads.transfer"}


def seconds_of_help() -> float:
    """CPU seconds that `python -m core --help` takes."""
    run = subprocess.Popen(
        [sys.executable, "-m", "core", "--help"], cwd=ROOT, stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    assert run.returncode == 0
    return usage.ru_utime + usage.ru_stime


@pytest.mark.benchmark
def test_that_help_takes_at_most_150_ms_of_cpu() -> None:
    # Others on the same cores can only make it seem more, so that the least of many is the truth.
    assert any(seconds_of_help() <= 0.15 for _ in range(40))
