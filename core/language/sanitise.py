"""Text from outside: file names, drivers' messages, last words.  Made fit to be kept.

Such text may hold anything: halves of surrogate pairs from file names that are not UTF-8, secrets
that a driver put into its error message.
"""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from core.plan.schedule import RunSpec

_SHORTEST_SECRET = 4  # replacing shorter ones would mangle all text and hide nothing


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

    # The one type of ours that msgspec does not know is a sequence, of moments.
    plain = msgspec.to_builtins(value, builtin_types=(bytes,), enc_hook=list)
    return msgspec.convert(_with_texts(plain, change), type(value), builtin_types=(bytes,))


def _is_storable(value: object) -> bool:
    try:
        msgspec.json.encode(value, enc_hook=_without_texts)
    except UnicodeEncodeError:
        return False
    return True


def _without_texts(_: object) -> tuple[()]:
    """In the place of a series of moments, which holds numbers only and may be long."""
    return ()


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
