"""What the documents hold: commands, code, pictures, links, tables."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from loading import ROOT

README = ROOT / "README.md"
GUIDE = sorted((ROOT / "resources" / "guide").glob("*.md"))
DOCUMENTS = (
    README,
    ROOT / "CONTRIBUTING.md",
    ROOT / "tests" / "benchmarks" / "README.md",
    *GUIDE,
)

COMMAND_LINE = (("python", "-m", "core"), (".venv/bin/python", "-m", "core"), ("sluice",))
"""Ways in which documents call the command line."""
PROGRAMS = {words[0] for words in COMMAND_LINE} | {
    "sluice-app",
    "make",
    "sudo",
    "tar",
    "uv",
    "pipx",
    "xvfb-run",
}
_FENCED = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_ASSIGNED = re.compile(r"[A-Z_]+=\S+$")


class Command(NamedTuple):
    """A command as a document has it, without what is assigned to variables before it."""

    document: str
    words: tuple[str, ...]

    @property
    def of_sluice(self) -> tuple[str, ...] | None:
        """What follows the name of the command line; None for another program."""
        for program in COMMAND_LINE:
            if self.words[: len(program)] == program:
                return self.words[len(program) :]
        return None

    def __str__(self) -> str:
        return f"{self.document}: {shlex.join(self.words)}"


def commands() -> list[Command]:
    """Every command in the documents, each once."""
    found = {
        command.words: command
        for document in DOCUMENTS
        for line in lines_in(document.read_text("utf-8"))
        if (command := _command(str(document.relative_to(ROOT)), line)) is not None
    }
    return list(found.values())


def lines_in(text: str) -> Iterator[str]:
    """What may be commands: the lines of blocks of commands, and code within sentences."""
    for language, block in _FENCED.findall(text):
        lines = [line.strip() for line in block.strip().splitlines()]
        if language or program_of(lines[0]) not in PROGRAMS:
            continue  # code, or what a command prints
        yield from filter(None, lines)
    yield from re.findall(r"`([^`\n]+)`", _FENCED.sub("", text))


def program_of(line: str) -> str:
    """The first word that assigns nothing; empty where there is none."""
    return next((word for word in line.split() if not _ASSIGNED.match(word)), "")


def _command(document: str, line: str) -> Command | None:
    """The command in a line; None for other code, a bare name, and how a program can be called."""
    line = re.sub(r"\s+#(\s.*)?$", "", line)
    if program_of(line) not in PROGRAMS or "[" in line.split("'")[0]:
        return None
    line = line.partition("…")[0]
    words = shlex.split(line)
    while words and _ASSIGNED.match(words[0]):
        del words[0]
    found = Command(document, tuple(words))
    bare = len(words) < 2 or found.of_sluice == ()
    return None if bare else found


def modules() -> dict[str, str]:
    """Python modules that documents have whole, by the name in their first line."""
    blocks = [
        block
        for document in DOCUMENTS
        for language, block in _FENCED.findall(document.read_text("utf-8"))
        if language == "python"
    ]
    named = ((re.match(r"# (\w+\.py)\n", block), block) for block in blocks)
    return {name[1]: block for name, block in named if name}


def pictures(document: Path) -> list[Path]:
    """The files of the pictures that a document shows."""
    found = re.findall(r"!\[[^]]*\]\(([^)]+)\)", document.read_text("utf-8"))
    return [(document.parent / place).resolve() for place in found]


def links(document: Path) -> list[str]:
    """Where the links of a document lead, pictures left out."""
    return re.findall(r"(?<!!)\[[^]]+\]\(([^)]+)\)", document.read_text("utf-8"))


def headings(document: Path) -> list[str]:
    """The headings of a document."""
    text = _FENCED.sub("", document.read_text("utf-8"))
    return re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)


def table_below(document: Path, heading: str) -> list[list[str]]:
    """The rows of the first table below a heading, without its titles."""
    _, _, below = document.read_text("utf-8").partition(f"\n## {heading}\n")
    rows = re.search(r"(?:^\|.*\|\n)+", below, flags=re.MULTILINE)
    assert rows, f"{document.name} has no table below {heading}"
    cells = [[cell.strip() for cell in row[1:-1].split("|")] for row in rows[0].splitlines()]
    return cells[2:]
