"""Makes text from outside (file names, drivers' messages, last words) fit to be stored.

Such text can hold anything: halves of surrogate pairs from file names that are not UTF-8, secrets
that a driver put into its error message.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from typing import Any

import msgspec


def storable(text: str) -> str:
    r"""The text with lone surrogates as escapes (`\udcff`), so that it can be encoded."""
    return text.encode("utf-8", "backslashreplace").decode()


def said(error: BaseException) -> str:
    """An error's message, even where `str` of it fails, as it can for a driver's error."""
    return str(traceback.TracebackException(type(error), error, None)).strip()


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
    """Replaces a series of moments, which holds only numbers and can be long."""
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
