"""Releases the version that pyproject.toml names: checks, builds with `make package`, and tags.

    make release
    make release ARGS=--check       only says whether it could be released

Nothing is pushed.  The tag comes last, so that a build that fails leaves none.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UNRELEASED = "Unreleased"
PICTURES = "resources/pictures"
SEEN = ("app", "resources/themes")
"""What a change of may be seen in pictures of the window."""


class NotReady(Exception):
    """What is missing before the version can be released, one sentence for each."""

    def __init__(self, missing: Sequence[str]) -> None:
        super().__init__("\n".join(missing))


def main(arguments: Sequence[str] | None = None) -> int:
    """Release, or say on stderr what is missing and return 1."""
    parser = argparse.ArgumentParser(description="Release the version in pyproject.toml.")
    parser.add_argument(
        "--check", action="store_true", help="only say whether it could be released"
    )
    options = parser.parse_args(arguments)
    try:
        message = ready(ROOT) if options.check else release(ROOT, build_packages)
    except NotReady as error:
        print(error, file=sys.stderr)
        return 1
    print(message)
    return 0


def release(checkout: Path, build: Callable[[Path], None]) -> str:
    """Check, build and tag; what was done, in a sentence.  Raises NotReady; what `build` raises."""
    ready(checkout)
    version = version_in(checkout)
    commit = git(checkout, "rev-parse", "HEAD")
    build(checkout)
    if missing := changed_since(checkout, commit):
        raise NotReady([missing])
    notes = sections((checkout / "CHANGELOG.md").read_text("utf-8"))[version][1]
    # Without clean-up git would take the changelog's headings for comments.
    message = f"Sluice {version}\n\n{notes}\n"
    git(checkout, "tag", "--annotate", "--cleanup=verbatim", "--message", message, tag_of(version))
    return f"{tag_of(version)} is tagged here and built in dist/; `git push origin {tag_of(version)}` publishes it"


def ready(checkout: Path) -> str:
    """Say that the version can be released; raises NotReady with all that is missing."""
    version = version_in(checkout)
    missing = [
        *_missing_in_changelog(checkout / "CHANGELOG.md", version),
        *_missing_in_git(checkout, tag_of(version)),
        *_missing_in_pictures(checkout),
    ]
    if missing:
        raise NotReady(missing)
    return f"{version} can be released"


def version_in(checkout: Path) -> str:
    project = tomllib.loads((checkout / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project["version"])


def tag_of(version: str) -> str:
    return f"v{version}"


def sections(changelog: str) -> dict[str, tuple[str, str]]:
    """The changelog's versions: the day that each was released, or nothing, and its text."""
    parts = re.split(r"^## \[([^\]]+)\](.*)$", changelog, flags=re.MULTILINE)
    rows = zip(parts[1::3], parts[2::3], parts[3::3], strict=True)
    return {name: (behind.strip(" -–"), text.strip()) for name, behind, text in rows}


def _missing_in_changelog(changelog: Path, version: str) -> list[str]:
    releases = sections(changelog.read_text("utf-8"))
    day, text = releases.get(version, ("", ""))
    missing = []
    if not _items(text):
        missing.append(f"CHANGELOG.md says nothing below “## [{version}] - YYYY-MM-DD”")
    elif not re.fullmatch(r"\d{4}-\d\d-\d\d", day):
        missing.append(f"CHANGELOG.md has no day behind “## [{version}]”")
    if _items(releases.get(UNRELEASED, ("", ""))[1]):
        missing.append(
            f"CHANGELOG.md still has lines below [{UNRELEASED}]: they belong to {version}, or to no release"
        )
    return missing


def _items(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("- ")]


def _missing_in_git(checkout: Path, tag: str) -> list[str]:
    missing = []
    if changed := git(checkout, "status", "--porcelain"):
        missing.append(f"not everything is committed:\n{changed}")
    if git(checkout, "tag", "--list", tag):
        missing.append(f"the tag {tag} is there already; raise the version in pyproject.toml")
    return missing


def _missing_in_pictures(checkout: Path) -> list[str]:
    """Asked at a release only: for each commit it would take five minutes, mostly for nothing."""
    drawn = git(checkout, "log", "-1", "--format=%H", "--", PICTURES)
    since = f"{drawn}..HEAD" if drawn else "HEAD"
    changes = git(checkout, "log", "--format=%h %s", since, "--", *SEEN).splitlines()
    if not changes:
        return []
    problem = f"{PICTURES} is older than the window, which {changes[0]!r} changed last"
    return [f"{problem}: run `make pictures`, look at them and commit them"]


def changed_since(checkout: Path, commit: str) -> str:
    """What the build, or somebody meanwhile, has changed in the checkout; empty if nothing."""
    if git(checkout, "rev-parse", "HEAD") != commit:
        return "another commit was checked out during the build"
    changed = git(checkout, "status", "--porcelain")
    return f"files changed during the build:\n{changed}" if changed else ""


def git(checkout: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(checkout), *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NotReady([f"git {arguments[0]}: {done.stderr.strip()}"])
    return done.stdout.strip("\n")


def build_packages(checkout: Path) -> None:
    """All packages that this platform can have, in dist/, none too large; raises NotReady."""
    building = ["make", "package", "ARGS=--hold-limits"]
    if subprocess.run(building, cwd=checkout, check=False).returncode:
        raise NotReady(["`make package` failed, so nothing is tagged"])


if __name__ == "__main__":
    sys.exit(main())
