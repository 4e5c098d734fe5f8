"""Shells: which one reads a line, and which words of a command a shell reads once more."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from core import Program, Unavailable, run_program, tr

SHELL = "/bin/sh"
SIGPIPE_CODE = 128 + 13
"""How a shell says that a program wrote into a pipe whose reader had enough, such as `head`."""
_PIPE = re.compile(r"(?<!\|)\|(?!\|)")
TELLS = """trap 'sluice_ended="${PIPESTATUS[*]}"; case " $sluice_ended " in \
*" "[1-9]*" "*" "*) echo "the members of the pipe ended with $sluice_ended" >&2; esac' EXIT; """
"""Which member failed; a line that sets a trap of its own goes without."""


def has_pipe(line: str) -> bool:
    """Whether there may be a pipe in a line: one between quotes is none, and does no harm."""
    return _PIPE.search(line) is not None


def reader_of(line: str) -> tuple[Sequence[str], str]:
    """The command to which a line is handed, and what is to stand before it.

    Raises Unavailable where a failure within a pipe would not be noticed.
    """
    if not has_pipe(line):
        return (SHELL, "-c"), ""
    shell, tells = _piping()
    return (shell, "-o", "pipefail", "-c"), tells


@cache
def _piping() -> tuple[str, str]:
    if (bash := shutil.which("bash")) is not None:
        return bash, TELLS
    asked = Program(arguments=[SHELL, "-o", "pipefail", "-c", ":"])
    if run_program(asked, timeout=60).well:
        return SHELL, ""
    raise Unavailable(
        tr("here /bin/sh does not notice which program of a pipe fails"),
        tr("install bash, which does"),
    )


_EVALS = ("eval", "trap", "alias")
_BEFORE_COMMAND = re.compile(
    r"then|do|else|elif|if|while|until|!|\{|command|builtin|time|[A-Za-z_]\w*=.*", re.DOTALL
)
_SHELLS = re.compile(r"(?:.*/)?(?:ba|da|fi|k|mk|a|z|c|tc)?sh|\$\{?SHELL\}?", re.DOTALL)
_TAKES_CODE = re.compile(r"-\w*c\w*")
_TAKES_NAME = re.compile(r"[-+]\w*[oO]|--(?:rcfile|init-file)")


@dataclass
class ShellCommand:
    """A command and its words, as far as a line was read."""

    words: list[str] = field(default_factory=list)
    """Without their quotes."""
    word: str | None = None
    """What is being read; None between two words."""
    is_target: bool = False
    """Whether the word is where output goes or input comes from."""

    def add(self, text: str) -> None:
        self.word = (self.word or "") + text

    def end_word(self) -> None:
        if self.word is not None and not self.is_target:
            self.words.append(self.word)
        self.word, self.is_target = None, False

    def reader(self) -> Literal["", "shell", "eval"]:
        """What takes the coming word for a command: a shell, `eval` or its kin, or nothing."""
        if self.is_target:
            return ""
        if is_code(self.words):
            return "shell"
        named = (word for word in self.words if not _BEFORE_COMMAND.fullmatch(word))
        return "eval" if next(named, "") in _EVALS else ""


def is_code(words: Sequence[str]) -> bool:
    """Whether the word behind these is a command that a shell among them reads (`sh -c`)."""
    return any(
        _is_code(words[at + 1 :]) for at, word in enumerate(words) if _SHELLS.fullmatch(word)
    )


def _is_code(options: Sequence[str]) -> bool:
    """`options`: the words behind the name of a shell."""
    asked = is_name = False
    for word in options:
        if is_name:
            is_name = False
        elif word[:1] in ("-", "+"):
            asked = asked or bool(_TAKES_CODE.fullmatch(word))
            is_name = bool(_TAKES_NAME.fullmatch(word))
        else:
            return False
    return asked and not is_name
