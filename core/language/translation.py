"""Texts for people, in the language of the program that shows them.

Texts are written in English.  A window in another language gives its translator to the thread that
makes texts for it; all others, such as the writers of files, stay in English:

    tr("{count} of {all} trials", count=1, all=5)      1 of 5 trials
    with translated_by({"{count} of {all} trials": "{count} von {all} Versuchen"}.get): …
                                                        1 von 5 Versuchen

The text given to `tr` is a literal, because it is collected from the code for the translators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

type Translator = Callable[[str], str]
"""Gives a text in another language, with the same names in braces."""

_TRANSLATOR: ContextVar[Translator | None] = ContextVar("translator", default=None)


def tr(template: str, **values: object) -> str:
    """A sentence with values in place of the names in braces."""
    return tr_word(template).format(**values)


def tr_word(text: str) -> str:
    """A text without values, such as a title; braces have no meaning in it."""
    translate = _TRANSLATOR.get()
    return translate(text) if translate is not None else text


def use_translator(translate: Translator | None) -> None:
    """Translate on this thread, and on threads that run in its context; None is English."""
    _TRANSLATOR.set(translate)


@contextmanager
def translated_by(translate: Translator | None) -> Iterator[None]:
    """Translate within the block; None is English."""
    before = _TRANSLATOR.set(translate)
    try:
        yield
    finally:
        _TRANSLATOR.reset(before)
