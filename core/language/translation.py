"""What is said to people, in the language of whoever shows it.

Texts are written in English.  A face that speaks another language gives its translator to the thread
that makes texts for it; all others, such as the writers of files, go on in English:

    tr("{count} of {all} trials", count=1, all=5)      1 of 5 trials
    with translated_by({"{count} of {all} trials": "{count} von {all} Versuchen"}.get): …
                                                        1 von 5 Versuchen

What is given to `tr` is a literal, as it is collected for the translators from the code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

type Translator = Callable[[str], str]
"""Gives a text in another language, with the same names in braces."""

_TRANSLATOR: ContextVar[Translator | None] = ContextVar("translator", default=None)


def tr(template: str, **values: object) -> str:
    """A sentence with its values in the places that are named in braces."""
    return tr_word(template).format(**values)


def tr_word(text: str) -> str:
    """A text that is complete as it is, such as a title; braces mean nothing in it."""
    translate = _TRANSLATOR.get()
    return translate(text) if translate is not None else text


def use_translator(translate: Translator | None) -> None:
    """Speak so on this thread, and on those that are given its context; None is English."""
    _TRANSLATOR.set(translate)


@contextmanager
def translated_by(translate: Translator | None) -> Iterator[None]:
    """Speak so for a while; None is English."""
    before = _TRANSLATOR.set(translate)
    try:
        yield
    finally:
        _TRANSLATOR.reset(before)
