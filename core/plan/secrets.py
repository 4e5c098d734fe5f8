"""The secrets that specs refer to, so that they can be removed from texts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

from core.plan.spec import RunSpec

_SHORTEST_SECRET = 4  # replacing shorter ones would mangle all text and hide nothing


def secrets_of(specs: Iterable[RunSpec]) -> Mapping[str, str]:
    """The secrets that the specs refer to and this process can see, each with its reference.

    Only environment variables are read, because a keyring can prompt the user.
    """
    found: dict[str, str] = {}
    for spec in specs:
        for value in spec.parameters.values():
            if isinstance(value, str) and re.fullmatch(r"env:[A-Za-z_][A-Za-z0-9_]*", value):
                secret = os.environ.get(value.removeprefix("env:"), "")
                if len(secret) >= _SHORTEST_SECRET:
                    found[secret] = value
    return found
