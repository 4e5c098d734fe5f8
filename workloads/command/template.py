"""A command with placeholders, split once: what stands for a value is never split again.

    Template("zstd -{level:1..9} -T{threads} {dataset} -o {out}/a.zst")

So a file that is named `; rm -rf ~` is an argument of that name, and nothing else.  With a shell
the values are in variables of its environment, which it expands, and never reads as commands.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import takewhile

from core import InvalidParameter, tr
from workloads.command.placeholders import GIVEN, ArgumentPiece, Placeholder, closed_up, pieces_of
from workloads.command.shells import MARK, LineReader, QuoteContext, has_pipe, is_code, reader_of

_WRITTEN = {
    QuoteContext.BARE: '"${{{name}}}"',
    QuoteContext.DOUBLE: "${{{name}}}",
    QuoteContext.SINGLE: "'\"${{{name}}}\"'",
    QuoteContext.NUMBER: "${{{name}}}",
}
"""How one word is made of a variable there."""
_COMPUTED = {
    QuoteContext.BARE: "$(({name}))",
    QuoteContext.DOUBLE: "$(({name}))",
    QuoteContext.SINGLE: "'$(({name}))'",
    QuoteContext.NUMBER: "(({name}))",
}
"""Likewise of a computation, which a shell can do."""
_WHOLE = re.compile(r"0|-?[1-9]\d{0,17}", re.ASCII)
"""What every shell takes for the same number: `010` is eight."""
_BRACED = re.compile(r"(?<![${])\{([^{}]*)\}(?!\})")
SETS_VARIABLE = re.compile(r"[A-Za-z_]\w*=.*", re.ASCII | re.DOTALL)
_FEW = 8
"""Values that are all named in a refusal."""
_DATA = ("input", "in", "file", "data")
"""What other tools call `{dataset}`, such as Snakemake."""
_SIGN = re.compile(r"(?:\d|&)?>|\d?<(?!\()|\|\|?&?$|&&?$|;$")
"""What begins a word like this, outside of quotes."""


class Template:
    """What a command is made from; `parameter` is what errors call it."""

    def __init__(self, written: str, *, shell: bool = False, parameter: str = "run") -> None:
        """Raises InvalidParameter for what cannot be a command."""
        self._shell = shell
        self._parameter = parameter
        self._written = written
        if MARK in written:
            raise self._refuse(tr("no command can hold the character NUL"), tr("leave it out"))
        words = [written] if shell else self._split(written)
        self._refuse_near_misses(written)
        # As every shell has it: words such as OMP_NUM_THREADS=4 before the program are variables.
        sets = 0 if shell else sum(1 for _ in takewhile(SETS_VARIABLE.fullmatch, words))
        self._arguments = [pieces_of(word) for word in words]
        self._variables = self._arguments[:sets]
        if not written.strip() or not any(words[sets:][:1]):
            raise self._refuse(
                tr("there is no command"),
                tr("write one, such as {example}", example="gzip -k -c {dataset}"),
            )
        self._contexts = self._contexts_in_shell() if shell else self._contexts_in_words()
        for piece, where in zip(self._placeholders(), self._contexts, strict=True):
            self._require_stand(piece.name, where)
        self.own = self._own()
        """The placeholders that are not given by themselves, each with the values it may have."""

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for piece in self._placeholders() for name in piece.needs)

    @property
    def is_pipe(self) -> bool:
        """Whether several programs may run in it, each of which hands its output to the next."""
        return self._shell and has_pipe(self._written)

    @property
    def program(self) -> str:
        """What is run: a name or a path; a placeholder is shown as it is written.

        Raises Unavailable for a pipe of which no shell here notices failures.
        """
        if self._shell:
            return reader_of(self._written)[0][0]
        return self.program_with({})

    def program_with(self, values: Mapping[str, str]) -> str:
        """The same, with as many of its placeholders filled as have a value here."""
        if self._shell:
            return self.program
        return "".join(
            piece.value(values)
            if isinstance(piece, Placeholder) and piece.needs <= values.keys()
            else piece
            if isinstance(piece, str)
            else f"{{{piece.name}}}"
            for piece in self._arguments[len(self._variables)]
        )

    def variables(self, values: Mapping[str, str]) -> Mapping[str, str]:
        """The variables of the environment: those before the program's name, or the values."""
        if self._shell:
            return {self._variable(one): one.value(values) for one in self._placeholders()}
        filled = ("".join(_filled(word, values)) for word in self._variables)
        return {name: value for name, _, value in (one.partition("=") for one in filled)}

    def _variable(self, placeholder: Placeholder) -> str:
        """Its name; a computation, which can be none, has that of its place."""
        names = [one.name for one in self._placeholders()]
        name = placeholder.name
        return f"sluice_{names.index(name) if placeholder.derived else name}"

    def complete(self, chosen: Mapping[str, str]) -> Mapping[str, str]:
        """The values of its own placeholders: the chosen ones, else the usual ones.

        Raises InvalidParameter for one without a value, with another than it may have, and for a
        value that nothing stands for.
        """
        self._refuse_unknown(chosen)
        settled: dict[str, str] = {}
        for name, values in self.own.items():
            if not values and not chosen.get(name):  # an empty field of the window has no value
                if similar := ["dataset"] if name in _DATA else get_close_matches(name, GIVEN, 1):
                    raise self._refuse(
                        tr("nothing says what {name} is", name="{" + name + "}"),
                        tr(
                            "write {meant}, if that is meant, or give {name}=VALUE",
                            meant="{" + similar[0] + "}",
                            name=name,
                        ),
                    )
                raise self._refuse(
                    tr("nothing says what {name} is", name="{" + name + "}"),
                    tr(
                        "give {name}=VALUE, write {example}, or double its braces if it is no placeholder",
                        name=name,
                        example="{" + name + ":1..9}",
                    ),
                )
            value = chosen.get(name, values[0] if values else "")
            if values and value not in values:
                some = values if len(values) <= _FEW else (*values[: _FEW - 1], f"… {values[-1]}")
                raise self._refuse(
                    tr("{name} is {value}, which it may not be", name=name, value=value),
                    tr("give one of {values}", values=", ".join(some)),
                )
            self._require_number(name, value)
            settled[name] = value
        return settled

    def arguments(self, values: Mapping[str, str]) -> Sequence[str]:
        """The program and its arguments, with a value for each placeholder."""
        if not self._shell:
            words = self._arguments[len(self._variables) :]
            return ["".join(_filled(word, values)) for word in words]
        (line,) = self._arguments
        reader, before = reader_of(self._written)
        contexts = iter(self._contexts)
        pieces = (
            piece
            if isinstance(piece, str)
            else _WRITTEN[next(contexts)].format(name=self._variable(piece))
            for piece in line
        )
        return [*reader, before + "".join(pieces)]

    def line(self, values: Mapping[str, str], variables: frozenset[str] = frozenset()) -> str:
        """The command for a person's own shell, which sets the `variables` itself."""
        contexts = iter(self._contexts)
        lines = []
        for number, word in enumerate(self._arguments):
            pieces = [
                piece
                if isinstance(piece, str)
                else _Written(piece, next(contexts), values, _is_variable(piece, variables))
                for piece in word
            ]
            if self._shell:
                return "".join(map(str, pieces))
            name, equals, first = str(pieces[0]).partition("=") if pieces else ("", "", "")
            if number < len(self._variables):  # quoted as a whole it would set nothing
                pieces[0] = first
            else:
                name = equals = ""
            lines.append(name + equals + _quoted(pieces))
        return " ".join(lines)

    def _split(self, written: str) -> list[str]:
        self._refuse_signs(written)
        try:
            return shlex.split(closed_up(written))
        except ValueError as error:
            raise self._refuse(
                tr("the quotes do not match"),
                tr("close every quote, and put a backslash before one that is meant as text"),
            ) from error

    def _refuse_signs(self, written: str) -> None:
        """A pipe, or where output goes, which would be arguments of the program here."""
        with suppress(ValueError):
            for word in shlex.split(written, posix=False):
                if _SIGN.match(word):
                    raise self._refuse(
                        tr("{sign} is read by a shell only", sign=word),
                        tr("add --shell, or put quotes around it if it is meant as text"),
                    )

    def _refuse_near_misses(self, written: str) -> None:
        for match in _BRACED.finditer(written):
            name = match[1].strip().lower()
            if name in GIVEN and match[1] != name:
                raise self._refuse(
                    tr("{name} is no placeholder", name=match[0]),
                    tr(
                        "write {meant}, or double the braces if it is meant as text",
                        meant="{" + name + "}",
                    ),
                )

    def _own(self) -> Mapping[str, tuple[str, ...]]:
        own: dict[str, tuple[str, ...]] = {}
        for piece in self._placeholders():
            for name in sorted(piece.needs - {*GIVEN}):
                earlier = own.get(name, ())
                if earlier and piece.values and earlier != piece.values:
                    raise self._refuse(
                        tr("{name} has different values in two places", name="{" + name + "}"),
                        tr("write its values once"),
                    )
                own[name] = earlier or piece.values
        return own

    def _placeholders(self) -> Iterator[Placeholder]:
        for word in self._arguments:
            yield from (piece for piece in word if isinstance(piece, Placeholder))

    def _contexts_in_shell(self) -> Sequence[QuoteContext]:
        (line,) = self._arguments
        marked = "".join(piece if isinstance(piece, str) else MARK for piece in line)
        return LineReader(marked, [_usual(piece) for piece in self._placeholders()]).read()

    def _contexts_in_words(self) -> Sequence[QuoteContext]:
        contexts: list[QuoteContext] = []
        words: list[str] = []
        for word in self._arguments:
            where = QuoteContext.SHELL if is_code(words) else QuoteContext.BARE
            contexts += [where for piece in word if isinstance(piece, Placeholder)]
            words.append("".join(p if isinstance(p, str) else _usual(p) for p in word))
        return contexts

    def _require_stand(self, name: str, where: QuoteContext) -> None:
        if where not in _WRITTEN:
            raise self._refuse(*refusal(where, "{" + name + "}"))
        if where is QuoteContext.NUMBER and name in {"dataset", "each", "out"}:
            raise self._refuse(
                tr("{name} is a path, and $(( )) takes whole numbers", name="{" + name + "}"),
                tr("write it outside of $(( ))"),
            )

    def _require_number(self, name: str, value: str) -> None:
        places = zip(self._placeholders(), self._contexts, strict=True)
        in_number = any(name in one.needs and where is QuoteContext.NUMBER for one, where in places)
        if in_number and not _WHOLE.fullmatch(value):
            raise self._refuse(
                tr("{name} is {value}, and $(( )) takes whole numbers", name=name, value=value),
                tr("give numbers such as 8, or write {name} outside of it", name="{" + name + "}"),
            )

    def _refuse_unknown(self, chosen: Mapping[str, str]) -> None:
        for name in chosen:
            if name not in self.own:
                raise self._refuse(
                    tr("there is no {name} in the command", name="{" + name + "}"),
                    tr("write it where the value belongs"),
                )

    def _refuse(self, cause: str, remedy: str) -> InvalidParameter:
        return InvalidParameter(self._parameter, cause, remedy)


def _usual(placeholder: Placeholder) -> str:
    return placeholder.values[0] if placeholder.values else ""


def _filled(word: Sequence[ArgumentPiece], values: Mapping[str, str]) -> Iterator[str]:
    for piece in word:
        yield piece if isinstance(piece, str) else piece.value(values)


def _is_variable(piece: Placeholder, variables: frozenset[str]) -> bool:
    """Whether a shell knows it; what calls a function is computed here."""
    if piece.derived:
        return piece.needs <= variables and "(" not in piece.name
    return piece.name in variables


@dataclass(frozen=True)
class _Written:
    """A placeholder as it stands in a line for a shell."""

    piece: Placeholder
    where: QuoteContext
    values: Mapping[str, str]
    is_variable: bool

    def __str__(self) -> str:
        if self.is_variable:
            written = _COMPUTED if self.piece.derived else _WRITTEN
            return written[self.where].format(name=self.piece.name)
        value = self.piece.value(self.values)
        match self.where:
            case QuoteContext.BARE:
                return shlex.quote(value)
            case QuoteContext.DOUBLE:
                return re.sub(r'([\\"$`])', r"\\\1", value)
            case QuoteContext.SINGLE:
                return value.replace("'", "'\"'\"'")
        return value


def _quoted(pieces: Sequence[str | _Written]) -> str:
    """One word for a shell: text in quotes where it needs some, variables outside of them."""
    parts = [""]
    for piece in pieces:
        if isinstance(piece, str):
            parts[-1] += piece
        elif piece.is_variable:
            parts += [str(piece), ""]
        else:
            parts[-1] += piece.piece.value(piece.values)
    quoted = [one if number % 2 else shlex.quote(one) for number, one in enumerate(parts) if one]
    return "".join(quoted) or "''"


def refusal(where: QuoteContext, name: str) -> tuple[str, str]:
    """The cause and the remedy; `name`: the placeholder as it is written."""
    behind = tr('write f={name} on a line before it, and "$f" in its place', name=name)
    return {
        QuoteContext.COMMENT: (
            tr("{name} stands in a comment", name=name),
            tr("take it out, or double its braces"),
        ),
        QuoteContext.BACKSLASH: (
            tr("a backslash stands before {name}", name=name),
            tr("take it away: a value needs none"),
        ),
        QuoteContext.BACKQUOTES: (
            tr("{name} stands between backquotes", name=name),
            tr("write $(…) in place of them"),
        ),
        QuoteContext.SHELL: (
            tr("a second shell would read the value of {name} as a command", name=name),
            tr("hand it over as an argument: {example}", example=f"sh -c 'wc \"$1\"' sh {name}"),
        ),
        QuoteContext.EVAL: (
            tr("eval, trap or alias would read the value of {name} as a command", name=name),
            tr("hand it over in a variable: {example}", example=f"f={name}; eval 'wc \"$f\"'"),
        ),
        QuoteContext.DOCUMENT: (
            tr("{name} stands in or behind a here-document", name=name),
            behind,
        ),
        QuoteContext.UNCLEAR: (
            tr("{name} stands in or behind what shells read in different ways", name=name),
            behind,
        ),
        QuoteContext.UNCLOSED: (
            tr("the quotes do not match"),
            tr("close every quote, and put a backslash before one that is meant as text"),
        ),
    }[where]
