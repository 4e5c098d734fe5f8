"""A trial as a session can hold it: what is written here can always be read."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

import msgspec

from core.run.session.failures import UNREADABLE
from core.run.session.rows import packed, unpacked
from core.vocabulary import MOST_OF_A_HANDFUL, Load, Trial, check_trial


def readable(trial: Trial, load: Load, secrets: Mapping[str, str]) -> tuple[Trial, bytes]:
    """The trial as it can be read again, and its body, which holds no secrets.

    One part out of a bound would make the whole session unreadable.  Such a part is left out, its
    notes say so, and all others stay, the throughput among them.
    """
    try:
        return trial, _proven(trial, load, secrets)
    except _NOT_KEPT:
        parts, lost = _without_surplus(trial)
    fields = msgspec.structs.fields(Trial)
    reduced = Trial(**{field.name: parts[field.name] for field in fields if field.required})
    for name in (field.name for field in fields if not field.required):
        fuller = msgspec.structs.replace(reduced, **{name: parts[name]})
        try:
            _proven(fuller, load, secrets)
        except _NOT_KEPT as error:
            lost.append(f"{name} cannot be kept: {error}")
        else:
            reduced = fuller
    reduced = msgspec.structs.replace(reduced, notes=(*reduced.notes, *lost))
    return reduced, packed(reduced, secrets)


_NOT_KEPT = (*UNREADABLE, OverflowError)
"""What writing and reading again can raise; whole numbers of more than 64 bits are not written."""


def _without_surplus(trial: Trial) -> tuple[dict[str, Any], list[str]]:
    """The parts of a trial with no more of a kind than a session holds, and what was left out."""
    parts = msgspec.structs.asdict(trial)
    lost: list[str] = []
    for name in ("complaints", "counters", "versions", "notes"):
        several = parts[name]
        if (more := len(several) - _MOST_KEPT) > 0:
            first = islice(several.items() if isinstance(several, dict) else several, _MOST_KEPT)
            parts[name] = type(several)(first)
            lost.append(f"… and {more:,} more {name}")
    return parts, lost


_MOST_KEPT = MOST_OF_A_HANDFUL - 100
"""There is room for notes that say what was left out."""


def _proven(trial: Trial, load: Load, secrets: Mapping[str, str]) -> bytes:
    """The body of a trial; raises what reading it can raise."""
    body = packed(trial, secrets)
    check_trial(unpacked(body), load)
    return body
