"""Makes values from outside fit to be stored: text, and numbers within bounds.

A session, an export and a child's message can come from anyone, and a file can hold what no trial
has.  msgspec refuses numbers out of bounds where it decodes: within them sums, ratios, squares and
dates can be computed without an overflow.

Text such as file names, drivers' messages and last words can hold anything: halves of surrogate
pairs from file names that are not UTF-8, secrets that a driver put into its error message.

Secrets are replaced in free text only.  A field that names something (`Name`), a literal, and the
names of fields stay as they are: otherwise a password such as `wrong` or `stage` would make a trial
unreadable.  So do structs with `only_references`.
"""

from __future__ import annotations

import base64
import html
import json
import re
import traceback
import typing
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Annotated, Any
from urllib.parse import quote, quote_plus

import msgspec

MOST_CORES = 65_536
"""Cores of a machine; Linux can be built for 8,192."""
MOST_WORKERS = 16_384
"""Worker threads of a trial, in all its processes."""
MOST_PLACES = 10_000_000
"""Numbers of trials and blocks."""
FARTHEST = 253_402_214_400.0
"""Seconds since 1970 at which the year 9999 ends, the last one of calendars."""
LARGEST_NUMBER = 1e30
"""Limit of measured numbers that are not whole."""
LARGEST_WHOLE = 2**63 - 1
"""Limit of whole numbers: they have 64 bits."""

Whole = Annotated[int, msgspec.Meta(ge=-LARGEST_WHOLE - 1, le=LARGEST_WHOLE)]
"""A whole number of 64 bits."""
Natural = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_WHOLE)]
"""A whole number that is not negative."""
Cores = Annotated[int, msgspec.Meta(ge=1, le=MOST_CORES)]
Place = Annotated[int, msgspec.Meta(ge=0, le=MOST_PLACES)]
Finite = Annotated[float, msgspec.Meta(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
WallClock = Annotated[float, msgspec.Meta(ge=0, le=FARTHEST)]
"""Seconds since 1970, UTC."""


LONGEST_NAME = 1000
"""Letters of a name where it is decoded."""
Name = Annotated[str, msgspec.Meta(max_length=LONGEST_NAME, extra={"name": True})]
"""A text that this program chose, such as a stage or a digest; it is never searched for secrets."""

SHORTEST = 4
"""Characters of a secret that is replaced: a shorter one would mangle all text and hide nothing."""


type _Change = Callable[[str], str]


def storable(text: str) -> str:
    r"""The text with lone surrogates as escapes (`\udcff`), so that it can be encoded."""
    return text.encode("utf-8", "backslashreplace").decode()


_FOR_TERMINALS = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours, and where the cursor goes
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"  # titles and links
    r"|\x1b[ -/]*[0-~]|\x1b"
    r"|.?\x08|\x07"
)


def printed_lines(text: str) -> list[str]:
    """The lines of a program's output that are not blank, as a terminal would show them.

    Without colours, without text that was overwritten later in its line, without lines of progress
    where there are others, and without secrets.
    """
    lines: list[str] = []
    progress: list[str] = []
    for line in _FOR_TERMINALS.sub("", safe(text, remembered())).split("\n"):
        parts = [part.rstrip() for part in line.split("\r") if part.strip()]
        if parts:
            moved = len(parts) > 1 and _letters(parts[-1]) == _letters(parts[-2])
            (progress if moved else lines).append(parts[-1])
    return lines or progress


def _letters(line: str) -> str:
    """The part of a line that stays the same while it shows progress."""
    return "".join(filter(str.isalpha, line))


def said(error: BaseException) -> str:
    """An error's message, even where `str` of it fails, as it can for a driver's error."""
    return str(traceback.TracebackException(type(error), error, None)).strip()


def safe[T](value: T, secrets: Mapping[str, str]) -> T:
    """The same value with every text storable, and secrets in free text replaced.

    `secrets`: each with the reference that is shown instead, as `<env:NAME>`.  They are found as
    they are, and in the forms that messages of drivers contain: quoted for a URL, escaped as a
    literal of Python, JSON or HTML, and in base64, alone or with others.  What needs no change is
    returned as the same object.
    """
    changed: T = _changed(value, _mask(tuple(secrets.items())))
    return changed


def beginning(text: str, most: int, secrets: Mapping[str, str]) -> str:
    """The first `most` characters of a text, safe.

    A secret at the cut is left out as a whole: half of it would not be found.
    """
    cut = most
    for match in _matches(text, secrets):
        if match.start() < most < match.end():
            cut = match.start()
    return safe(text[:cut], secrets)


def ending(text: str, most: int, secrets: Mapping[str, str]) -> str:
    """The last `most` characters of a text, safe; as in `beginning` no secret is cut in two.

    A text that was cut before must be longer than `most` by `longest_form`.
    """
    first = cut = max(0, len(text) - most)
    for match in _matches(text, secrets):
        if match.start() < first < match.end():
            cut = match.end()
    return safe(text[cut:], secrets)


def longest_form(secrets: Mapping[str, str]) -> int:
    """Bytes of the longest text that one of the secrets can appear as; 0 without any."""
    every = (form for secret in secrets for form in forms(secret))
    return max((len(form.encode("utf-8", "surrogatepass")) for form in every), default=0)


def _matches(text: str, secrets: Mapping[str, str]) -> Iterator[re.Match[str]]:
    any_form, _ = _searched(tuple(secrets.items()))
    return iter(()) if any_form is None else any_form.finditer(text)


def _mask(secrets: tuple[tuple[str, str], ...]) -> Callable[[str], str]:
    """A function that replaces these secrets in a text."""
    any_form, references = _searched(secrets)
    if any_form is None:
        return storable
    return lambda text: storable(any_form.sub(lambda match: references[match[0]], text))


@lru_cache(maxsize=8)
def _searched(
    secrets: tuple[tuple[str, str], ...],
) -> tuple[re.Pattern[str] | None, Mapping[str, str]]:
    """A pattern of these secrets, and the reference to show instead of each of their forms."""
    shown_as = {form: f"<{reference}>" for secret, reference in secrets for form in forms(secret)}
    if not shown_as:
        return None, shown_as
    # All in one pass, since a reference may itself look like a secret; the longest first, since one
    # secret may begin with another.
    return re.compile("|".join(map(re.escape, sorted(shown_as, key=len, reverse=True)))), shown_as


_REMEMBERED: dict[str, str] = {}
_TOLD: list[Callable[[str, str], None]] = []


def remember(secret: str, reference: str) -> None:
    """From now on this process knows a secret, which it must never store or show."""
    if _REMEMBERED.get(secret) != reference:
        _REMEMBERED[secret] = reference
        for tell in _TOLD:
            tell(secret, reference)


def remembered() -> Mapping[str, str]:
    """The secrets that this process has used so far, each with its reference."""
    return dict(_REMEMBERED)


def when_remembered(tell: Callable[[str, str], None]) -> None:
    """Call `tell` with every secret and its reference that are remembered from now on."""
    _TOLD.append(tell)


@cache
def forms(secret: str) -> frozenset[str]:
    """How a secret can appear in a text; nothing for one that is too short."""
    if len(secret) < SHORTEST:
        return frozenset()
    texts = {
        secret,
        storable(secret),
        repr(secret)[1:-1],
        json.dumps(secret)[1:-1],
        html.escape(secret),
        html.escape(secret, quote=False),
    }
    raw = secret.encode("utf-8", "surrogatepass")
    texts |= {quote(raw, safe=""), quote(raw), quote_plus(raw), repr(raw)[2:-1], raw.hex()}
    texts |= {text.lower() for text in (quote(raw, safe=""), quote(raw)) if "%" in text}
    texts |= set(_in_base64(raw))
    return frozenset(text for text in texts if len(text) >= SHORTEST)


def _in_base64(raw: bytes) -> Iterator[str]:
    """Its base64 alone, and the part that is the same wherever it begins in a longer text."""
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        yield encode(raw).decode().rstrip("=")
        for before in range(3):
            whole = encode(b"\0" * before + raw).decode().rstrip("=")
            # Characters that also hold bits of the text before or behind are not known.
            yield whole[(0, 2, 3)[before] : (before + len(raw)) * 8 // 6]


def _changed(value: Any, change: _Change, keys: _Change | None = None) -> Any:
    """The value with every text changed; the keys of a dictionary by `keys`, if given."""
    keys = keys or change
    match value:
        case str():
            text = change(value)
            return value if text == value else text
        case msgspec.Struct():
            return _changed_struct(value, change)
        case dict():
            pairs = [(_changed(key, keys), _changed(part, change)) for key, part in value.items()]
            same = all(
                key is before and part is value[before]
                for (key, part), before in zip(pairs, value, strict=True)
            )
            return value if same else dict(pairs)
        case list() | tuple():
            parts = [_changed(part, change) for part in value]
            if all(part is before for part, before in zip(parts, value, strict=True)):
                return value
            return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
        case _:
            return value


def _changed_struct(value: msgspec.Struct, change: _Change) -> msgspec.Struct:
    if getattr(type(value), "only_references", False):
        change = storable
    changes = {}
    for name, (named, keys_named) in _fields(type(value)).items():
        before = getattr(value, name)
        after = _changed(before, storable if named else change, storable if keys_named else None)
        if after is not before:
            changes[name] = after
    return msgspec.structs.replace(value, **changes) if changes else value


@cache
def _fields(kind: type[msgspec.Struct]) -> Mapping[str, tuple[bool, bool]]:
    """For each field of a struct: whether this program chose its text, and the keys in it."""
    return {
        field.name: (_is_name(field.type), _has_names_as_keys(field.type))
        for field in msgspec.structs.fields(kind)
    }


def _has_names_as_keys(kind: Any) -> bool:
    if typing.get_origin(kind) is Annotated:  # it limits their number
        return _has_names_as_keys(kind.__origin__)
    return typing.get_origin(kind) in (dict, Mapping) and _is_name(typing.get_args(kind)[0])


def _is_name(kind: Any) -> bool:
    """Whether a type is `Name`, a literal, or a collection or choice of these alone."""
    if isinstance(kind, typing.TypeAliasType):
        return _is_name(kind.__value__)
    origin = typing.get_origin(kind)
    if origin is typing.Literal:
        return True
    if origin is Annotated:
        meta = kind.__metadata__[0]
        named = isinstance(meta, msgspec.Meta) and bool((meta.extra or {}).get("name"))
        return named or _is_name(kind.__origin__)
    parts = [part for part in typing.get_args(kind) if part not in (..., type(None))]
    return bool(parts) and all(map(_is_name, parts))
