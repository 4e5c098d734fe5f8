"""What is said to people, in the language of whoever shows it.

Texts are written in English.  A face that speaks another language gives its voice to the thread
that makes texts for it; all others, such as the writers of files, go on in English:

    say("{count} of {all} trials", count=1, all=5)      1 of 5 trials
    with voiced({"{count} of {all} trials": "{count} von {all} Versuchen"}.get): …
                                                        1 von 5 Versuchen

What is given to `say` is a literal, as it is collected for the translators from the code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

type Voice = Callable[[str], str]
"""Gives a text in another language, with the same names in braces."""

_VOICE: ContextVar[Voice | None] = ContextVar("voice", default=None)


def say(template: str, **values: object) -> str:
    """A sentence with its values in the places that are named in braces."""
    return word(template).format(**values)


def word(text: str) -> str:
    """A text that is complete as it is, such as a title; braces mean nothing in it."""
    voice = _VOICE.get()
    return voice(text) if voice is not None else text


def use_voice(voice: Voice | None) -> None:
    """Speak so on this thread, and on those that are given its context; None is English."""
    _VOICE.set(voice)


@contextmanager
def voiced(voice: Voice | None) -> Iterator[None]:
    """Speak so for a while; None is English."""
    before = _VOICE.set(voice)
    try:
        yield
    finally:
        _VOICE.reset(before)
