"""Text from outside: file names, drivers' messages, last words.  Made fit to be kept and shown.

Such text may hold anything: control characters, bidirectional overrides that make one name
look like another, halves of surrogate pairs from file names that are not UTF-8, secrets that
a driver put into its error message.
"""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from core.plan import RunSpec

INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U000e0000-\U000e0fff]"
)
"""Characters that show nothing, move what follows, or steer a terminal."""

_SHORTEST_SECRET = 4  # replacing shorter ones would mangle all text and hide nothing


def one_line(text: str) -> str:
    r"""The text with every invisible character spelled out: `a\x1b[31m`, `\u202e`, `\n`."""
    return INVISIBLE.sub(lambda found: _spelled(found[0]), text)


def _spelled(letter: str) -> str:
    return letter.encode("unicode_escape", "backslashreplace").decode()


def storable(text: str) -> str:
    r"""The text with lone surrogates spelled out (`\udcff`), so that it can be encoded."""
    return text.encode("utf-8", "backslashreplace").decode()


def said(error: BaseException) -> str:
    """What an error says, also where saying it fails, as `str` of a driver's error can."""
    return str(traceback.TracebackException(type(error), error, None)).strip()


def secrets_of(specs: Iterable[RunSpec]) -> Mapping[str, str]:
    """The secrets that the specs refer to and this process can see, each with its reference.

    Only environment variables are looked at: asking a keyring may ask the user.
    """
    found: dict[str, str] = {}
    for spec in specs:
        for value in spec.parameters.values():
            if isinstance(value, str) and re.fullmatch(r"env:[A-Za-z_][A-Za-z0-9_]*", value):
                secret = os.environ.get(value.removeprefix("env:"), "")
                if len(secret) >= _SHORTEST_SECRET:
                    found[secret] = value
    return found


def safe[T](value: T, secrets: Mapping[str, str]) -> T:
    """The same struct with every text storable and every secret replaced by its reference."""
    if not secrets and _is_storable(value):
        return value

    def change(text: str) -> str:
        # The longest first: one secret may begin with another.
        for secret in sorted(secrets, key=len, reverse=True):
            text = text.replace(secret, f"<{secrets[secret]}>")
        return storable(text)

    plain = msgspec.to_builtins(value, builtin_types=(bytes,))
    return msgspec.convert(_with_texts(plain, change), type(value), builtin_types=(bytes,))


def _is_storable(value: object) -> bool:
    try:
        msgspec.json.encode(value)
    except UnicodeEncodeError:
        return False
    return True


def _with_texts(value: Any, change: Callable[[str], str]) -> Any:
    match value:
        case str():
            return change(value)
        case dict():
            return {_with_texts(k, change): _with_texts(v, change) for k, v in value.items()}
        case list() | tuple():
            return [_with_texts(part, change) for part in value]
        case _:
            return value
