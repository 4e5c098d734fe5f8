"""Shells: which one reads a line, which words it reads once more, and what a placeholder stands in.

A value is never written into the line: a variable of the shell holds it, which no shell reads as a
command, whatever it is.  What is left to find out is how the variable is written there to be one
word.  Where shells differ, and where a word is read once more as a command, this does not guess.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache
from typing import Literal

from core import Program, Unavailable, run_program, tr

SHELL = "/bin/sh"
SIGPIPE_CODE = 128 + 13
"""How a shell says that a program wrote into a pipe whose reader had enough, such as `head`."""
_PIPE = re.compile(r"(?<!\|)\|(?!\|)")
_OF_BASH = re.compile(r"[<>]\(")
"""`<( )`, which /bin/sh need not know."""
TELLS = (
    "set -E; sluice_failed=0; trap sluice_failed=1 USR1; "
    """trap 'sluice_ended="${PIPESTATUS[*]}"; """
    r"""if [[ $sluice_ended == *" "* && ! $sluice_ended =~ ^((0|141)\ )+0$ ]]; then """
    'echo "the members of the pipe ended with $sluice_ended" >&2; '
    "if ((BASH_SUBSHELL)); then kill -USR1 $$; else sluice_failed=1; fi; fi' ERR; "
    "trap 'sluice_ended=$?; "
    "if ((sluice_failed && sluice_ended % 141 == 0)); then exit 1; fi' EXIT; "
)
"""Which member failed, in whatever pipe that the line does not judge itself, as `||` and `if` do.

One that was killed by SIGPIPE because a later one had enough, and ended with 0, did not.  A line
that sets traps of its own goes without.
"""


def has_pipe(line: str) -> bool:
    """Whether there may be a pipe in a line: one between quotes is none, and does no harm."""
    return _PIPE.search(line) is not None


def reader_of(line: str) -> tuple[Sequence[str], str]:
    """The command to which a line is handed, and what is to stand before it.

    Raises Unavailable where a failure within a pipe would not be noticed.
    """
    if not has_pipe(line) and not (_OF_BASH.search(line) and shutil.which("bash")):
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


MARK = "\0"
"""Stands for a placeholder in a line; no command can hold it otherwise."""


class QuoteContext(Enum):
    """What a placeholder stands in; in what is listed below `NUMBER` it is refused."""

    BARE = auto()
    DOUBLE = auto()
    SINGLE = auto()
    NUMBER = auto()
    """In `$(( ))`."""
    COMMENT = auto()
    BACKSLASH = auto()
    """Directly behind one."""
    BACKQUOTES = auto()
    SHELL = auto()
    """In what `sh -c` reads."""
    EVAL = auto()
    """In what `eval` reads, or another command that does the same."""
    DOCUMENT = auto()
    """In or behind a here-document."""
    UNCLEAR = auto()
    """In or behind what shells read in different ways."""
    UNCLOSED = auto()
    """In a line whose quotes do not match."""


# In `${…}` quotes count in some places, and shells differ about which; so only plain ones are read.
_EVERYWHERE = r"""
    (?P<unclear>(?<=[$<()])\\\n | \$\[)
  | (?P<escaped>\\.?)
  | (?P<backquoted>`(?:[^`\\]|\\.)*`)
  | (?P<number>\$\(\()
  | (?P<substitution>\$\()
  | (?P<plain>\$\{[^{}'"`\\()\0]*\} | \$[\w$?!@*\#-])
  | (?P<braced>\$\{)
  | (?P<mark>\0)
"""
_IN_SHELL = r"""
    (?P<ansi>\$'(?:[^'\\\0]|\\[^'\0])*')
  | (?P<odd>\$' | \(\()
  | (?P<single>'[^']*')
  | (?P<double>\$?")
  | (?P<document><<(?!<)-?[ \t]*(?:\w+|\\\w+|'[^'\n\0]*'|"[^"\\$`\n\0]*")(?![^\s;|&<>()]))
  | (?P<strange><<(?!<))
  | (?P<target>(?:&>>?|>[>&|]?|<<<|<[>&]?)[ \t]*)
  | (?P<space>[ \t]+)
  | (?P<between>[;|&\n])
  | (?P<open>\()
  | (?P<close>\))
  | (?P<comment>\#[^\n]*)
  | (?P<unclosed>['`])
  | (?P<text>[^\\'"`$\#<>;|&()\s\0]+ | .)
"""
_IN_DOUBLE = r"""
    (?P<end>")
  | (?P<unclosed>`)
  | (?P<text>[^\\"`$\0]+ | .)
"""
_IN_NUMBER = r"""
    (?P<ends>\)\))
  | (?P<open>\()
  | (?P<close>\))
  | (?P<text>[\w\s+*/%<>=!&|^~?:,.-])
  | (?P<odd>.)
"""
_TOKENS = {
    QuoteContext.BARE: re.compile(_EVERYWHERE + "|" + _IN_SHELL, re.VERBOSE | re.DOTALL),
    QuoteContext.DOUBLE: re.compile(_EVERYWHERE + "|" + _IN_DOUBLE, re.VERBOSE | re.DOTALL),
    QuoteContext.NUMBER: re.compile(_EVERYWHERE + "|" + _IN_NUMBER, re.VERBOSE | re.DOTALL),
}


def stands(line: str, values: Sequence[str]) -> Sequence[QuoteContext]:
    """Where each mark in the line stands; `values`: one that each may have, or nothing."""
    return _Reader(line, values).read()


class _Reader:
    """Reads a line from its start to its end, or to where it is not sure any more."""

    def __init__(self, line: str, values: Sequence[str]) -> None:
        self._line = line
        self._values = values
        self._at = 0
        self._found: list[QuoteContext] = []
        self._inside = [QuoteContext.BARE]
        """What is open, the innermost last: `$( )` is `BARE`, as the line itself is."""
        self._depths = [0]
        """Of each that is open, the parentheses that are open in it."""
        self._commands = [ShellCommand()]
        """Of each that is `BARE`."""
        self._has_document = False

    def read(self) -> Sequence[QuoteContext]:
        while self._at < len(self._line):
            match = _TOKENS[self._inside[-1]].match(self._line, self._at)
            assert match is not None
            assert match.lastgroup is not None
            if self._has_document and "\n" in match[0]:
                self._give_up(QuoteContext.DOCUMENT)
                continue
            self._at = match.end()
            _ACTIONS.get(match.lastgroup, _Reader._text)(self, match[0])
        if len(self._inside) > 1:
            self._unclosed()
        return self._found

    def _give_up(self, where: QuoteContext) -> None:
        missing = len(self._values) - len(self._found)
        self._found += [where] * missing
        self._at = len(self._line)
        self._inside = [QuoteContext.BARE]

    def _odd(self, token: str) -> None:
        self._give_up(QuoteContext.UNCLEAR)

    def _unclosed(self, token: str = "") -> None:
        self._found = []
        self._give_up(QuoteContext.UNCLOSED)

    def _text(self, token: str) -> None:
        self._commands[-1].add(token)

    def _mark(self, where: QuoteContext) -> None:
        command = self._commands[-1]
        if where is not QuoteContext.NUMBER and (reader := command.reader()):
            where = QuoteContext.SHELL if reader == "shell" else QuoteContext.EVAL
        command.add(self._values[len(self._found)])
        self._found.append(where)

    def _marks(self, token: str, where: QuoteContext) -> None:
        """Text that may have marks, all of which stand in the same."""
        first, *others = token.split(MARK)
        self._text(first)
        for text in others:
            self._mark(where)
            self._text(text)

    def _escaped(self, token: str) -> None:
        if self._inside[-1] is QuoteContext.NUMBER:
            self._odd(token)
        elif token[1:] == MARK:
            self._found.append(QuoteContext.BACKSLASH)
        elif token[1:] != "\n":
            self._text(token[1:])

    def _refused(self, token: str, where: QuoteContext) -> None:
        self._found += [where] * token.count(MARK)

    def _backquoted(self, token: str) -> None:
        self._refused(token, QuoteContext.BACKQUOTES)
        self._text(token.replace(MARK, ""))

    def _comment(self, token: str) -> None:
        if self._commands[-1].word is not None:
            self._at -= len(token) - 1
            self._text(token[0])
        elif len(self._commands) > 1:  # bash 3.2 reads quotes and parentheses in it
            self._odd(token)
        else:
            self._refused(token, QuoteContext.COMMENT)

    def _open(self, where: QuoteContext) -> None:
        self._text("")
        self._inside.append(where)
        self._depths.append(0)
        if where is QuoteContext.BARE:
            self._commands.append(ShellCommand())

    def _end(self, token: str) -> None:
        self._depths.pop()
        if self._inside.pop() is QuoteContext.BARE:
            self._commands.pop()

    def _end_command(self, token: str) -> None:
        """In `case` a parenthesis closes that nothing opened: it may not end `$( )`."""
        command = self._commands[-1]
        command.end_word()
        self._commands[-1] = ShellCommand()
        if "case" in command.words and len(self._commands) > 1:
            self._odd(token)

    def _parenthesis(self, token: str) -> None:
        if self._inside[-1] is QuoteContext.BARE:
            self._end_command(token)
        self._depths[-1] += 1

    def _close(self, token: str) -> None:
        in_number = self._inside[-1] is QuoteContext.NUMBER
        if not in_number:
            self._end_command(token)
        if self._depths[-1]:
            self._depths[-1] -= 1
        elif in_number:  # `$((a) | b)`: a command after all
            self._odd(token)
        elif len(self._inside) > 1:
            self._end(token)

    def _ends(self, token: str) -> None:
        if self._depths[-1]:
            self._at -= 1
            self._depths[-1] -= 1
        else:
            self._end(token)

    def _target(self, token: str) -> None:
        command = self._commands[-1]
        if command.word is not None and command.word.isdecimal():
            command.word = None
        command.end_word()
        command.is_target = True

    def _document(self, token: str) -> None:
        self._commands[-1].end_word()
        self._has_document = True


_ACTIONS: Mapping[str, Callable[[_Reader, str], None]] = {
    "ansi": lambda reader, token: reader._text(token[2:-1]),
    "backquoted": _Reader._backquoted,
    "between": _Reader._end_command,
    "braced": _Reader._odd,
    "close": _Reader._close,
    "comment": _Reader._comment,
    "document": _Reader._document,
    "double": lambda reader, token: reader._open(QuoteContext.DOUBLE),
    "end": _Reader._end,
    "ends": _Reader._ends,
    "escaped": _Reader._escaped,
    "mark": lambda reader, token: reader._mark(reader._inside[-1]),
    "number": lambda reader, token: reader._open(QuoteContext.NUMBER),
    "odd": _Reader._odd,
    "open": _Reader._parenthesis,
    "single": lambda reader, token: reader._marks(token[1:-1], QuoteContext.SINGLE),
    "space": lambda reader, token: reader._commands[-1].end_word(),
    "strange": lambda reader, token: reader._give_up(QuoteContext.DOCUMENT),
    "substitution": lambda reader, token: reader._open(QuoteContext.BARE),
    "target": _Reader._target,
    "unclear": _Reader._odd,
    "unclosed": _Reader._unclosed,
}
