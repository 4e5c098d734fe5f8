"""A command with placeholders, split once: what stands for a value is never split again.

    Template("zstd -{level:1..9} -T{threads} {dataset} -o {out}/a.zst")

So a file that is named `; rm -rf ~` is an argument of that name, and nothing else.  With a shell
the values are its positional parameters: it expands them, and never reads them as commands.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence

from core import InvalidParameter, tr
from workloads.command.placeholders import GIVEN, Piece, Placeholder, pieces_of

_SHELL = "/bin/sh"


class Template:
    """What a command is made from; `parameter` is what errors call it."""

    def __init__(self, written: str, *, shell: bool = False, parameter: str = "run") -> None:
        """Raises InvalidParameter for what cannot be a command."""
        self._shell = shell
        self._parameter = parameter
        words = [written.strip()] if shell else self._split(written)
        self._arguments = [pieces_of(word) for word in words]
        if not words or not words[0]:
            raise self._refuse(
                tr("there is no command"),
                tr("write one, such as {example}", example="gzip -k -c {dataset}"),
            )
        self.own = self._own()
        """The placeholders that are not given by themselves, each with the values it may have."""

    @property
    def names(self) -> frozenset[str]:
        """The names of all its placeholders."""
        return frozenset(piece.name for piece in self._placeholders())

    @property
    def program(self) -> str:
        """What is run: a name or a path; a placeholder is shown as it is written."""
        if self._shell:
            return _SHELL
        return "".join(_filled(self._arguments[0], {name: f"{{{name}}}" for name in self.names}))

    def complete(self, chosen: Mapping[str, str]) -> Mapping[str, str]:
        """The values of its own placeholders: the chosen ones, else the usual ones.

        Raises InvalidParameter for one without a value, with another than it may have, and for a
        value that nothing stands for.
        """
        self._refuse_unknown(chosen)
        found: dict[str, str] = {}
        for name, values in self.own.items():
            if name not in chosen and not values:
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
                raise self._refuse(
                    tr("{name} is {value}, which it may not be", name=name, value=value),
                    tr("give one of {values}", values=_shortly(values)),
                )
            found[name] = value
        return found

    def arguments(self, values: Mapping[str, str]) -> Sequence[str]:
        """The program and its arguments, with a value for each placeholder."""
        if not self._shell:
            return ["".join(_filled(word, values)) for word in self._arguments]
        (line,) = self._arguments
        names = list(dict.fromkeys(piece.name for piece in self._placeholders()))
        places = {name: f'"${{{place}}}"' for place, name in enumerate(names, 1)}
        text = "".join(_filled(line, places))
        return [_SHELL, "-c", text, _SHELL, *(values[name] for name in names)]

    def _split(self, written: str) -> list[str]:
        try:
            return shlex.split(written)
        except ValueError as error:
            raise self._refuse(
                tr("the quotes do not match"),
                tr("close every quote, and put a backslash before one that is meant as text"),
            ) from error

    def _own(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for piece in self._placeholders():
            if piece.name in GIVEN:
                continue
            known = found.get(piece.name, ())
            if known and piece.values and known != piece.values:
                raise self._refuse(
                    tr("{name} has different values in two places", name="{" + piece.name + "}"),
                    tr("write its values once"),
                )
            found[piece.name] = known or piece.values
        return found

    def _placeholders(self) -> Iterator[Placeholder]:
        for word in self._arguments:
            yield from (piece for piece in word if isinstance(piece, Placeholder))

    def _refuse_unknown(self, chosen: Mapping[str, str]) -> None:
        for name in chosen:
            if name not in self.own:
                raise self._refuse(
                    tr("there is no {name} in the command", name="{" + name + "}"),
                    tr("write it where the value belongs"),
                )

    def _refuse(self, cause: str, remedy: str) -> InvalidParameter:
        return InvalidParameter(self._parameter, cause, remedy)


def _filled(word: Sequence[Piece], values: Mapping[str, str]) -> Iterator[str]:
    for piece in word:
        yield piece if isinstance(piece, str) else values[piece.name]


_FEW = 8


def _shortly(values: Sequence[str]) -> str:
    if len(values) <= _FEW:
        return ", ".join(values)
    return f"{', '.join(values[: _FEW - 1])}, … {values[-1]}"
