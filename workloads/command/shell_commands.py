"""Whether a command reads one of its words as a command once more, as `sh -c` and `eval` do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

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
        """Go on with the word, or begin one."""
        self.word = (self.word or "") + text

    def end_word(self) -> None:
        """Note the word, if there is one."""
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
