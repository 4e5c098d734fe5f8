"""Shells: which one reads a line, which words it reads once more, and what a placeholder stands in.

A value is never written into the line: a variable of the environment holds it, which no shell reads
as a command, whatever it is.  A variable is one word between double quotes only, and the guide
promises one word bare, between single quotes and in `$(( ))` too, so a line is read for its quotes.
Where shells differ, and where a word is read once more as a command, nothing is guessed.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Sequence
from enum import Enum, auto
from functools import cache

from core import Program, Unavailable, run_program, tr

SHELL = "/bin/sh"
SIGPIPE_CODE = 128 + 13
"""How a shell says that a program wrote into a pipe whose reader had enough, such as `head`."""
_PIPE = re.compile(r"(?<!\|)\|(?!\|)")
_OF_BASH = re.compile(r"[<>]\(")
"""`<( )`, which /bin/sh need not know."""
TELLS = (
    "set -E; sluice_FAILED=0; trap sluice_FAILED=1 USR1; "
    """trap 'sluice_ENDED="${PIPESTATUS[*]}"; """
    r"""if [[ $sluice_ENDED == *" "* && ! $sluice_ENDED =~ ^((0|141)\ )+0$ ]]; then """
    'echo "the members of the pipe ended with $sluice_ENDED" >&2; '
    "if ((BASH_SUBSHELL)); then kill -USR1 $$; else sluice_FAILED=1; fi; fi' ERR; "
    "trap 'sluice_ENDED=$?; "
    "if ((sluice_FAILED && sluice_ENDED % 141 == 0)); then exit 1; fi' EXIT; "
)
"""Which member failed, in whatever pipe that the line does not judge itself, as `||` and `if` do.

One that was killed by SIGPIPE because a later one had enough, and ended with 0, did not.  A line
that sets traps of its own goes without.  No placeholder has capital letters, as these variables do.
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
    if run_program(Program(arguments=[SHELL, "-o", "pipefail", "-c", ":"]), timeout=60).well:
        return SHELL, ""
    raise Unavailable(
        tr("here /bin/sh does not notice which program of a pipe fails"),
        tr("install bash, which does"),
    )


_SECOND_SHELL = re.compile(
    r"""(?:^|[ ])(?:\S*/)?(?:(?:ba|da|fi|k|mk|a|z|c|tc)?sh|\$\{?SHELL\}?)[ ]
    (?=(?:\S*[ ])*?-\w*c\w*[ ])
    (?:(?:[-+]\w*[oO]|--(?:rcfile|init-file))[ ]\S*[ ]
      |(?!(?:[-+]\w*[oO]|--(?:rcfile|init-file))[ ])[-+]\S*[ ])+$""",
    re.VERBOSE,
)
"""A shell and its options, behind which comes a command; some options take a name."""
_EVAL = re.compile(
    r"(?:(?:then|do|else|elif|if|while|until|!|\{|command|builtin|time|[A-Za-z_]\w*=\S*) )*"
    "(?:eval|trap|alias) "
)


def is_code(words: Sequence[str]) -> bool:
    """Whether the word behind these is a command that a shell among them reads (`sh -c`)."""
    return bool(_SECOND_SHELL.search(_joined(words)))


def _joined(words: Sequence[str]) -> str:
    return "".join(re.sub(r"\s", ".", word) + " " for word in words)


MARK = "\0"
"""Stands for a placeholder in a line; no command can hold it otherwise."""
_QUOTE, _TARGET = "\1", "\2"
"""In words as they are read: a quote, which alone is a word too, and the start of where output goes
or input comes from."""


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
    (?P<backquoted>`(?:[^`\\]|\\.)*`)
  | (?P<number>\$\(\()
  | (?P<substitution>\$\()
  | (?P<plain>\$\{[^{}'"`\\()\0]*\} | \$[\w$?!@*\#-])
  | (?P<mark>\0)
  | """
_ESCAPED = r"(?P<escaped>(?<![$<()])\\\n | \\(?!\n).?) | "
_IN_SHELL = r"""
    (?P<ansi>\$'(?:[^'\\\0]|\\[^'\0])*')
  | (?P<unclear>\\ | \$[\[{'] | \(\()
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
    (?P<unclear>\\ | \$[\[{])
  | (?P<end>")
  | (?P<unclosed>`)
  | (?P<text>[^\\"`$\0]+ | .)
"""
_IN_NUMBER = r"""
    (?P<ends>\)\))
  | (?P<open>\()
  | (?P<close>\))
  | (?P<text>[\w\s+*/%<>=!&|^~?:,.-])
  | (?P<unclear>.)
"""
_TOKENS = {
    where: re.compile(_EVERYWHERE + own, re.VERBOSE | re.DOTALL)
    for where, own in (
        (QuoteContext.BARE, _ESCAPED + _IN_SHELL),
        (QuoteContext.DOUBLE, _ESCAPED + _IN_DOUBLE),
        (QuoteContext.NUMBER, _IN_NUMBER),
    )
}


class LineReader:
    """Reads a line from its start to its end, or to where it is not sure any more.

    What a token does, the method of its name says; all others are text.
    """

    def __init__(self, line: str, values: Sequence[str]) -> None:
        """`values`: one that each mark in the line may have, or nothing."""
        self._line, self._values = line, values
        self._at = 0
        self._contexts: list[QuoteContext] = []
        self._inside = [QuoteContext.BARE]
        """What is open, the innermost last: `$( )` is `BARE`, as the line itself is."""
        self._depths = [0]
        """Of each that is open, the parentheses that are open in it."""
        self._commands = [" "]
        """Of each that is `BARE`, the words of its command so far, without their quotes."""
        self._has_document = False

    def read(self) -> Sequence[QuoteContext]:
        """Where each mark stands."""
        while self._at < len(self._line):
            match = _TOKENS[self._inside[-1]].match(self._line, self._at)
            assert match is not None
            if self._has_document and "\n" in match[0]:
                self._give_up(QuoteContext.DOCUMENT)
                break
            self._at = match.end()
            act: Callable[[str], None] = getattr(self, f"_{match.lastgroup}", self._text)
            act(match[0])
        if len(self._inside) > 1:
            self._unclosed()
        return self._contexts

    def _give_up(self, where: QuoteContext) -> None:
        self._contexts += [where] * (len(self._values) - len(self._contexts))
        self._at, self._inside = len(self._line), [QuoteContext.BARE]

    def _unclear(self, _: str) -> None:
        self._give_up(QuoteContext.UNCLEAR)

    def _strange(self, _: str) -> None:
        self._give_up(QuoteContext.DOCUMENT)

    def _unclosed(self, _: str = "") -> None:
        self._contexts = []
        self._give_up(QuoteContext.UNCLOSED)

    def _text(self, token: str) -> None:
        self._commands[-1] += re.sub(r"\s", ".", token)

    def _ansi(self, token: str) -> None:
        self._text(_QUOTE + token[2:-1])

    def _single(self, token: str) -> None:
        first, *others = token[1:-1].split(MARK)
        self._text(_QUOTE + first)
        for text in others:
            self._mark(where=QuoteContext.SINGLE)
            self._text(text)

    def _escaped(self, token: str) -> None:
        if token[1:] == MARK:
            self._contexts.append(QuoteContext.BACKSLASH)
        elif token[1:] != "\n":
            self._text(_QUOTE + token[1:])

    def _backquoted(self, token: str) -> None:
        self._contexts += [QuoteContext.BACKQUOTES] * token.count(MARK)
        self._text(token.replace(MARK, ""))

    def _mark(self, _: str = "", where: QuoteContext | None = None) -> None:
        where = where or self._inside[-1]
        *before, word = self._commands[-1].replace(_QUOTE, "")[1:].split(" ")
        if where is not QuoteContext.NUMBER and not word.startswith(_TARGET):
            words = [one for one in before if not one.startswith(_TARGET)]
            if is_code(words):
                where = QuoteContext.SHELL
            elif _EVAL.match(_joined(words)):
                where = QuoteContext.EVAL
        self._text(_QUOTE + self._values[len(self._contexts)])
        self._contexts.append(where)

    def _space(self, _: str = "") -> None:
        if not self._commands[-1].endswith(" "):
            self._commands[-1] += " "

    def _target(self, _: str) -> None:
        self._commands[-1] = re.sub(rf"(?<= ){_QUOTE}*\d[\d{_QUOTE}]*$", "", self._commands[-1])
        self._space()
        self._commands[-1] += _TARGET

    def _document(self, _: str) -> None:
        self._space()
        self._has_document = True

    def _comment(self, token: str) -> None:
        if not self._commands[-1].endswith((" ", _TARGET)):
            self._at -= len(token) - 1
            self._text(token[0])
        elif len(self._commands) > 1:  # bash 3.2 reads quotes and parentheses in it
            self._unclear(token)
        else:
            self._contexts += [QuoteContext.COMMENT] * token.count(MARK)

    def _between(self, token: str) -> None:
        """In `case` a parenthesis closes that nothing opened: it may not end `$( )`."""
        words = self._commands[-1].replace(_QUOTE, "").split(" ")
        self._commands[-1] = " "
        if "case" in words and len(self._commands) > 1:
            self._unclear(token)

    def _number(self, _: str, where: QuoteContext = QuoteContext.NUMBER) -> None:
        self._text(_QUOTE)
        self._inside.append(where)
        self._depths.append(0)
        if where is QuoteContext.BARE:
            self._commands.append(" ")

    def _double(self, token: str) -> None:
        self._number(token, QuoteContext.DOUBLE)

    def _substitution(self, token: str) -> None:
        self._number(token, QuoteContext.BARE)

    def _end(self, _: str) -> None:
        self._depths.pop()
        if self._inside.pop() is QuoteContext.BARE:
            self._commands.pop()

    def _open(self, token: str) -> None:
        if self._inside[-1] is QuoteContext.BARE:
            self._between(token)
        self._depths[-1] += 1

    def _close(self, token: str) -> None:
        where = self._inside[-1]
        if where is QuoteContext.BARE:
            self._between(token)
        if self._depths[-1]:
            self._depths[-1] -= 1
        elif where is QuoteContext.NUMBER:  # `$((a) | b)`: a command after all
            self._unclear(token)
        elif len(self._inside) > 1:
            self._end(token)

    def _ends(self, token: str) -> None:
        if self._depths[-1]:
            self._at -= 1
            self._depths[-1] -= 1
        else:
            self._end(token)
