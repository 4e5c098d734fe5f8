"""Sluice names itself as its user calls it, and says which one it is."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from core.language import UNKNOWN, version_of
from core.measure import describe_environment
from core.measure.machine.about_program import sluice_commit
from core.tell.cli import main
from core.vocabulary.registry import may_have_entry_points

FROZEN = "import sys; sys.frozen = True\nfrom core.tell.cli import main\nsys.exit(main({!r}))"


@pytest.mark.parametrize("arguments", [["--help"], ["lab", "--help"], ["measure", "raw", "--help"]])
def test_that_the_packaged_program_shows_commands_that_can_be_typed(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FROZEN.format(arguments)], capture_output=True, text=True, check=True
    )
    assert "python -m" not in done.stdout
    assert f"sluice {' '.join(arguments[:1]).removeprefix('--help')}" in done.stdout


def test_that_the_packaged_program_records_commands_that_can_be_typed() -> None:
    code = "import sys; sys.frozen = True\nfrom core.language import program; print(*program.PROGRAM, program.command_text('a'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["sluice", "sluice", "a"]


def test_that_the_packaged_program_names_a_remedy_that_can_be_typed() -> None:
    code = (
        "import sys; sys.frozen = True\nfrom pathlib import Path\n"
        "from core.run.session.failures import damaged, too_new\n"
        "for error in (too_new(Path('a b')), damaged(Path('a b'), '')): print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.count("sluice salvage 'a b'") == 2


def test_that_the_packaged_program_does_not_tell_to_install_into_it() -> None:
    code = """if True:
    import sys; sys.frozen = True
    from core import Driver, Unavailable
    try:
        Driver(module="no_such_module", distribution="nothing", install="pip install x").require()
    except Unavailable as error:
        print(error)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "nothing is missing" in done.stdout
    assert "pip" not in done.stdout


def test_that_the_packaged_program_names_the_wheel_that_has_a_driver() -> None:
    code = """if True:
    import sys; sys.frozen = True
    from core import Driver
    from core.language import program
    program.__file__ = "/opt/sluice/_internal/core/language/program.pyc"
    for how in ('make .venv EXTRAS="rasters tiles"', "apt-get install zstd"):
        print(Driver(module="no_such_module", distribution="nothing", install=how).remedy)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    first, second = done.stdout.splitlines()
    assert re.search(
        r"uv tool install 'sluice-[\d.]+-py3-none-any.whl\[rasters,tiles,app\]'$", first
    )
    assert second == "install: apt-get install zstd"


def test_that_the_version_says_commit_and_platform(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("sluice ")
    assert sys.platform[:5] in told.lower()
    commit = sluice_commit(Path(__file__).parents[4] / "resources")
    assert f"commit {commit}" in told if commit else "commit" not in told


def test_that_the_commit_of_a_package_is_the_one_it_was_built_from(tmp_path: Path) -> None:
    assert sluice_commit(tmp_path / "resources") == ""
    (tmp_path / "commit.txt").write_text("1a2b3c4d5e6f\n")
    assert sluice_commit(tmp_path) == "1a2b3c4d5e6f"


def test_that_the_commit_of_a_checkout_is_what_git_says(tmp_path: Path) -> None:
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run([*git, *words], check=True)
    said = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    assert sluice_commit(tmp_path / "resources") == said.stdout[:12]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all of the path."""
    monkeypatch.setattr("sys.path", [str(tmp_path), str(tmp_path / "missing")])
    return tmp_path


def install(place: Path, name: str, group: str) -> None:
    folder = place / name
    folder.mkdir()
    (folder / "entry_points.txt").write_text(f"[{group}]\nreads = some.module\n")


@pytest.mark.parametrize("name", ["reader-1.0.dist-info", "reader.egg-info"])
def test_that_a_package_with_entry_points_of_the_group_is_noticed(place: Path, name: str) -> None:
    install(place, name, "sluice.workloads")
    assert may_have_entry_points("sluice.workloads")


def test_that_packages_of_other_groups_and_without_any_do_not_count(place: Path) -> None:
    install(place, "tool-1.0.dist-info", "console_scripts")
    (place / "plain-1.0.dist-info").mkdir()
    install(place, "reader", "sluice.workloads")  # the package itself, not its metadata
    assert not may_have_entry_points("sluice.workloads")


def test_that_of_an_archive_on_the_path_anything_is_possible(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = place / "packages.zip"
    archive.write_bytes(b"PK")
    monkeypatch.setattr("sys.path", [str(archive)])
    assert may_have_entry_points("sluice.workloads")


@pytest.fixture
def unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a distribution whose metadata is there but cannot be opened."""
    (tmp_path / "some_driver-1.0.dist-info" / "METADATA").mkdir(parents=True)
    monkeypatch.syspath_prepend(str(tmp_path))
    return "some-driver"


def test_that_a_version_is_told_as_it_is_installed() -> None:
    assert version_of("msgspec")[0].isdigit()
    assert version_of("no-such-package-anywhere") == UNKNOWN


def test_that_metadata_that_cannot_be_read_is_an_unknown_version_and_not_none(
    unreadable: str,
) -> None:
    assert version_of(unreadable) == UNKNOWN
    assert unreadable not in describe_environment([unreadable, "msgspec"]).versions
