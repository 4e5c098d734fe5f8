"""The form as it is kept in the settings, which other versions and other hands may have written."""

from __future__ import annotations

import json
from typing import Annotated, Any

import msgspec

from core import EFFORT, Value


class Unreadable(Exception):
    """What is kept is not a form."""


class KeptForm(msgspec.Struct, kw_only=True):
    """What `SetupPanel.state` returns; a form of another version may lack parts."""

    workload: str | None = None
    study: str = ""
    rows: dict[str, dict[str, list[Value]]] = {}
    """By form and parameter; whether the values fit is for its control to say."""
    repeats: Annotated[int, msgspec.Meta(ge=1, le=EFFORT.repeats.high)] | None = None
    budget: float | None = None
    floor: bool = True
    dataset: str = ""


def form_from(kept: object) -> dict[str, Any]:
    """A state for `SetupPanel.restore` from what the settings hold; raises Unreadable."""
    try:
        state = json.loads(str(kept))
        form = msgspec.convert(state, KeptForm)
    except (ValueError, ArithmeticError, RecursionError, msgspec.ValidationError) as error:
        raise Unreadable(str(error)) from error
    found: dict[str, Any] = msgspec.to_builtins(form)
    return {name: part for name, part in found.items() if part is not None}


def text_of(state: dict[str, Any]) -> str:
    """A state as the settings hold it."""
    return json.dumps(state)
