"""Texts for people, in the language of the program that shows them, with nothing invisible.

Texts are written in English.  A window in another language gives its translator to the thread that
makes texts for it; all others, such as the writers of files, stay in English:

    tr("{count} of {all} trials", count=1, all=5)      1 of 5 trials
    with translated_by({"{count} of {all} trials": "{count} von {all} Versuchen"}.get): …
                                                        1 von 5 Versuchen

Numbers in such texts have the marks of that language too, `1.180,5` in place of `1,180.5`; what a
program reads again, such as a command line, is never made by `tr` nor by `show_…` of `units`.

The text given to `tr` is a literal, because it is collected from the code for the translators.

Text from outside can hold control characters, and bidirectional overrides that make one name look
like another: `one_line` makes them visible.  This module imports no other, because it reports
faults in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from string import Formatter
from typing import Any, NamedTuple, override

type Translator = Callable[[str], str]
"""Gives a text in another language, with the same names in braces."""


ENGLISH_MARKS = (".", ",")
"""The marks within numbers: before decimals, and between thousands."""


class _Language(NamedTuple):
    translate: Translator | None = None
    marks: tuple[str, str] = ENGLISH_MARKS
    dated: Callable[[float], str] | None = None


_LANGUAGE: ContextVar[_Language] = ContextVar("language", default=_Language())  # noqa: B039 -- it is immutable


class _Sentences(Formatter):
    """Formats as `str.format` does, but numbers have the marks of the language."""

    @override
    def format_field(self, value: Any, format_spec: str) -> str:
        text: str = super().format_field(value, format_spec)
        return marked(text) if isinstance(value, int | float) else text


_SENTENCES = _Sentences()


def tr(template: str, several: str = "", /, **values: object) -> str:
    """A sentence with values in place of the names in braces.

    With two templates, the first is for a count of 1 or -1, the second for any other:

        tr("1 thread", "{count:,} threads", count=threads)      1 thread, 1,024 threads
    """
    text = tr_word(several if several and values["count"] not in (1, -1) else template)
    if _LANGUAGE.get().marks == ENGLISH_MARKS:
        return text.format(**values)
    return _SENTENCES.vformat(text, (), values)


def marked(written: str) -> str:
    """Numbers as Python writes them, also within a text, with the marks of the language."""
    decimal, thousands = _LANGUAGE.get().marks
    if (decimal, thousands) == ENGLISH_MARKS:
        return written
    marks = {".": decimal, ",": thousands}
    return re.sub(r"(?<=\d)[.,](?=\d)", lambda match: marks[match[0]], written)


def unmarked(written: str) -> str:
    """A number that a person wrote, as Python reads it: `1.180,5` in German, as tables show it.

    A mark of thousands is one only before three digits, so that `1.5` means what it says.
    """
    decimal, thousands = _LANGUAGE.get().marks
    return without_thousands(written, thousands).replace(decimal, ".")


def without_thousands(written: str, mark: str = ",") -> str:
    """A number without the marks of thousands: `10,000` as `10000`; `1,2` and `0,500` stay."""
    grouped = rf"(?<![\d.,])[1-9]\d{{0,2}}(?:{re.escape(mark)}\d{{3}})+(?![\d{re.escape(mark)}])"
    return re.sub(grouped, lambda match: match[0].replace(mark, ""), written)


def tr_word(text: str) -> str:
    """A text without values, such as a title; braces have no meaning in it."""
    translate = _LANGUAGE.get().translate
    return translate(text) if translate is not None else text


def dated(seconds: float) -> str:
    """A time since 1970 as the locale has it; without one in UTC, as files have it."""
    if (of_locale := _LANGUAGE.get().dated) is not None:
        return of_locale(seconds)
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


def use_translator(
    translate: Translator | None,
    marks: tuple[str, str] = ENGLISH_MARKS,
    dated: Callable[[float], str] | None = None,
) -> None:
    """Translate on this thread, and on threads that run in its context; None is English.

    `marks`: the marks before decimals and between thousands; `dated`: a time as the locale has it.
    """
    _LANGUAGE.set(_Language(translate, marks, dated))


@contextmanager
def translated_by(
    translate: Translator | None, marks: tuple[str, str] = ENGLISH_MARKS
) -> Iterator[None]:
    """Translate within the block; None is English."""
    before = _LANGUAGE.set(_Language(translate, marks))
    try:
        yield
    finally:
        _LANGUAGE.reset(before)


def capitalised(text: str) -> str:
    """A phrase as a sentence begins; the rest stays as it is."""
    return text[:1].upper() + text[1:]


INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U000e0000-\U000e0fff]"
)
"""Characters that show nothing, move what follows, or steer a terminal."""


def one_line(text: str) -> str:
    r"""The text with every invisible character as an escape: `a\x1b[31m`, `\u202e`, `\n`."""
    return INVISIBLE.sub(
        lambda match: match[0].encode("unicode_escape", "backslashreplace").decode(), text
    )


def several_lines(text: str) -> str:
    """The text with every invisible character as an escape, but for the ends of its lines."""
    return "\n".join(map(one_line, text.split("\n")))


def escaped_json(encoded: bytes) -> bytes:
    """The same JSON, with every invisible character as an escape; they occur only in strings."""
    return INVISIBLE.sub(lambda match: _json_escape(match[0]), encoded.decode()).encode()


def _json_escape(letter: str) -> str:
    units = letter.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
