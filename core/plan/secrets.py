"""The secrets that specs refer to, so that they can be removed from texts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

from core.host.lab_credentials import lab_secret
from core.language.sanitise import remembered
from core.plan.spec import RunSpec


def secrets_of(specs: Iterable[RunSpec]) -> Mapping[str, str]:
    """The secrets that the specs refer to and this process knows, each with its reference.

    A keyring is not read, because it can prompt the user.  Others are known
    once a trial's child has told them: from a keyring, or from a driver's own chain of places.
    """
    found = dict(remembered())
    for spec in specs:
        for value in spec.parameters.values():
            if not isinstance(value, str):
                continue
            if re.fullmatch(r"env:[A-Za-z_][A-Za-z0-9_]*", value):
                found[os.environ.get(value.removeprefix("env:"), "")] = value
            elif re.fullmatch(r"lab:[\w-]+/[\w-]+", value):
                found[lab_secret(value.removeprefix("lab:")) or ""] = value
    return found
