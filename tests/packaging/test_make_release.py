"""A release is tagged only where everything belongs together."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from loading import ROOT, packaging_module

make_release = packaging_module("make_release")
NotReady = make_release.NotReady

CHANGELOG = """# Changelog

## [Unreleased]

## [0.2.0] - 2026-11-22

### Added

- It measures twice.

## [0.1.0] - 2026-10-01

- The first.
"""


def git(checkout: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(checkout), *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def commit(checkout: Path) -> None:
    git(checkout, "add", "--all")
    git(checkout, "commit", "--quiet", "--message", "Go on")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a version that can be released."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    folder = tmp_path / "checkout"
    folder.mkdir()
    git(folder, "init", "--quiet")
    git(folder, "config", "user.name", "Somebody")
    git(folder, "config", "user.email", "somebody@example.org")
    (folder / ".gitignore").write_text("dist/\n", "utf-8")
    (folder / "pyproject.toml").write_text('[project]\nversion = "0.2.0"\n', "utf-8")
    (folder / "CHANGELOG.md").write_text(CHANGELOG, "utf-8")
    commit(folder)
    return folder


def build(checkout: Path) -> None:
    """What `make package` leaves, in a moment."""
    (checkout / "dist").mkdir()
    (checkout / "dist" / "sluice.tar").write_bytes(b"all of it")


def test_that_a_release_builds_and_tags_the_version_with_its_part_of_the_changelog(
    checkout: Path,
) -> None:
    told = make_release.release(checkout, build)
    assert (checkout / "dist" / "sluice.tar").exists()
    assert git(checkout, "tag", "--list") == "v0.2.0"
    assert git(checkout, "rev-parse", "v0.2.0^{commit}") == git(checkout, "rev-parse", "HEAD")
    message = git(checkout, "for-each-ref", "--format=%(contents)", "refs/tags/v0.2.0")
    assert message.splitlines() == ["Sluice 0.2.0", "", "### Added", "", "- It measures twice."]
    assert "git push origin v0.2.0" in told


def uncommitted(checkout: Path) -> None:
    (checkout / "new.txt").write_text("forgotten", "utf-8")


def tagged_before(checkout: Path) -> None:
    git(checkout, "tag", "v0.2.0")


def changelog_without(words: str, instead: str = "") -> Callable[[Path], None]:
    def change(checkout: Path) -> None:
        assert words in CHANGELOG
        text = CHANGELOG.replace(words, instead, 1)
        (checkout / "CHANGELOG.md").write_text(text, "utf-8")
        commit(checkout)

    return change


def changed_after_its_pictures(checkout: Path) -> None:
    for place in ("resources/pictures/window.png", "app/window.py"):
        file = checkout / place
        file.parent.mkdir(parents=True)
        file.touch()
        commit(checkout)


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (changed_after_its_pictures, "resources/pictures is older than the window"),
        (uncommitted, "not everything is committed:\n?? new.txt"),
        (tagged_before, "the tag v0.2.0 is there already"),
        (changelog_without("[0.2.0]", "[0.3.0]"), "says nothing below “## [0.2.0]"),
        (changelog_without("- It measures twice.\n"), "says nothing below “## [0.2.0]"),
        (changelog_without(" - 2026-11-22"), "has no day behind “## [0.2.0]”"),
        (
            changelog_without("[Unreleased]\n", "[Unreleased]\n\n- Of late.\n"),
            "still has lines below [Unreleased]",
        ),
    ],
)
def test_that_what_is_missing_is_said_and_nothing_is_built(
    checkout: Path, spoil: Callable[[Path], None], told: str
) -> None:
    spoil(checkout)
    tags = git(checkout, "tag", "--list")
    with pytest.raises(NotReady) as refused:
        make_release.release(checkout, build)
    assert told in str(refused.value)
    assert not (checkout / "dist").exists()
    assert git(checkout, "tag", "--list") == tags


def test_that_all_that_is_missing_is_said_at_once(checkout: Path) -> None:
    uncommitted(checkout)
    tagged_before(checkout)
    with pytest.raises(NotReady, match=r"(?s)not everything is committed.*is there already"):
        make_release.ready(checkout)


def test_that_pictures_that_were_drawn_anew_are_no_older_than_the_window(checkout: Path) -> None:
    changed_after_its_pictures(checkout)
    (checkout / "resources/pictures/window.png").write_bytes(b"anew")
    commit(checkout)
    make_release.ready(checkout)


def test_that_a_build_that_fails_leaves_no_tag(checkout: Path) -> None:
    def fails(_: Path) -> None:
        raise NotReady(["it failed"])

    with pytest.raises(NotReady, match="it failed"):
        make_release.release(checkout, fails)
    assert git(checkout, "tag", "--list") == ""


def test_that_a_package_that_is_too_large_is_not_released(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # It fails only where it is asked to hold the limits.
    (checkout / "Makefile").write_text("package:\n\t@test '$(ARGS)' != --hold-limits\n", "utf-8")
    commit(checkout)
    monkeypatch.setattr(make_release, "ROOT", checkout)
    assert make_release.main([]) == 1
    assert "`make package` failed" in capsys.readouterr().err
    assert git(checkout, "tag", "--list") == ""


def test_that_what_was_changed_during_the_build_is_not_tagged(checkout: Path) -> None:
    def meddles(checkout: Path) -> None:
        (checkout / "CHANGELOG.md").write_text(CHANGELOG + "- More.\n", "utf-8")

    def commits(checkout: Path) -> None:
        meddles(checkout)
        commit(checkout)

    for meddling, told in ((meddles, "files changed"), (commits, "another commit")):
        with pytest.raises(NotReady, match=f"{told}.*during the build"):
            make_release.release(checkout, meddling)
        git(checkout, "checkout", "--quiet", "--force", "HEAD")
    assert git(checkout, "tag", "--list") == ""


def test_that_this_changelog_is_understood() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    found = make_release.sections(changelog)
    assert found.pop("Unreleased")[0] == ""
    assert make_release.version_in(ROOT) in found
    for day, text in found.values():
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", day)
        assert re.search(r"^### \w+\n\n- ", text, flags=re.MULTILINE)
